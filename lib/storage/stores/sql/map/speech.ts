import { and, eq, inArray } from "drizzle-orm"
import type { TermCounts } from "../../../../domain/text/terms.ts"
import type { Speech } from "../../../../domain/topics/speech.ts"
import type { SqlDatabase, Transaction } from "../database.ts"
import { all, inBatches, type Operation, run } from "../statements.ts"
import { isUnusedSpeech } from "./unused.ts"

const HASH_BYTES = Uint32Array.BYTES_PER_ELEMENT
const TERM_BYTES = HASH_BYTES + Uint16Array.BYTES_PER_ELEMENT

/** Encodes terms in memory order, which is little-endian on every supported platform. */
const encodeTerms = ({ hashes, counts }: TermCounts): Buffer =>
  Buffer.concat([
    Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength),
    Buffer.from(counts.buffer, counts.byteOffset, counts.byteLength),
  ])

/** Decodes terms. Copies them, because a driver's buffer may not be aligned. */
const decodeTerms = (blob: Buffer): TermCounts => {
  const { buffer } = new Uint8Array(blob)
  const length = blob.length / TERM_BYTES
  return { hashes: new Uint32Array(buffer, 0, length), counts: new Uint16Array(buffer, length * HASH_BYTES, length) }
}

/** Inserts what is said in topics. Equal words have equal speech, so existing rows stay. */
export function* insertSpeech(
  { db, tables: { topicSpeech } }: Transaction,
  speech: readonly Speech[],
): Operation<void> {
  const distinct = [...new Map(speech.map((item) => [item.hash, item])).values()]
  for (const batch of inBatches(distinct)) {
    const rows = batch.map(({ hash, terms, phrases }) => ({ hash, terms: encodeTerms(terms), phrases }))
    yield* run(db.insert(topicSpeech).values(rows).onConflictDoNothing())
  }
}

/** Returns the hashes of what is said in the topics of a clip, as far as it was computed. */
export function* listSpeechHashes({ db, tables: { topics } }: Transaction, clipId: string): Operation<string[]> {
  const rows = yield* all(db.select({ hash: topics.speechHash }).from(topics).where(eq(topics.clipId, clipId)))
  return [...new Set(rows.flatMap(({ hash }) => hash ?? []))]
}

/** Deletes the speech that no topic refers to any more. Topics with equal words share it. */
export function* deleteUnusedSpeech(tx: Transaction, hashes: readonly string[]): Operation<void> {
  const { topicSpeech } = tx.tables
  for (const batch of inBatches(hashes))
    yield* run(tx.db.delete(topicSpeech).where(and(inArray(topicSpeech.hash, batch), isUnusedSpeech(tx))))
}

export const getSpeech = (database: SqlDatabase, hashes: readonly string[]): Promise<Map<string, Speech>> =>
  database.read(function* ({ db, tables: { topicSpeech } }) {
    const found = new Map<string, Speech>()
    for (const batch of inBatches([...new Set(hashes)]))
      for (const { hash, terms, phrases } of yield* all(
        db.select().from(topicSpeech).where(inArray(topicSpeech.hash, batch)),
      ))
        found.set(hash, { hash, terms: decodeTerms(terms), phrases })
    return found
  })
