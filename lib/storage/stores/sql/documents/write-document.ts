import { and, eq, inArray, sql } from "drizzle-orm"
import type { WordSpan } from "../../../../domain/transcript/words.ts"
import type { NewDocument, NewVectors } from "../../ports/documents.ts"
import type { Transaction } from "../database.ts"
import { encodeVector } from "../map/vectors.ts"
import { all, get, inBatches, type Operation, run } from "../statements.ts"

/** Returns true if the clip has this title and these words, however their JSON is formatted. */
function* isCurrentClip(
  { db, tables: { clips, transcripts } }: Transaction,
  clipId: string,
  title: string,
  words: readonly WordSpan[],
): Operation<boolean> {
  const stored = yield* get(
    db
      .select({ title: clips.title, words: transcripts.words })
      .from(clips)
      .innerJoin(transcripts, eq(transcripts.clipId, clips.id))
      .where(eq(clips.id, clipId)),
  )
  if (stored?.title !== title) return false
  const wordsJson = JSON.stringify(words)
  return stored.words === wordsJson || JSON.stringify(JSON.parse(stored.words)) === wordsJson
}

/** Writes a document with its chunks. Returns false if its clip has another title or transcript by now. */
export function* writeDocument(tx: Transaction, document: NewDocument): Operation<boolean> {
  const { id, kind, source, fingerprint, embedModel, clip } = document
  if (clip && !(yield* isCurrentClip(tx, source, clip.title, clip.transcription))) return false
  const { documents } = tx.tables
  yield* run(tx.db.delete(documents).where(and(eq(documents.kind, kind), eq(documents.source, source))))
  const row = { id, kind, source, fingerprint, embedModel, writtenAt: tx.now }
  yield* run(tx.db.insert(documents).values(row))
  yield* tx.dialect.insertChunks(tx, document)
  return true
}

/**
 * Replaces the vectors of the chunks of a document, and nothing else. Returns false if the document is not the one whose
 * chunks were embedded.
 */
export function* replaceVectors(
  tx: Transaction,
  { document: { id, kind, fingerprint: previous }, fingerprint, embedModel, vectors }: NewVectors,
): Operation<boolean> {
  const { documents, documentChunks, documentRevision } = tx.tables
  const isDocument = and(eq(documents.id, id), eq(documents.fingerprint, previous))
  const chunks = tx.db.select({ row: documentChunks.id }).from(documentChunks).where(eq(documentChunks.documentId, id))
  const rows = (yield* all(chunks.orderBy(documentChunks.ordinal))).map(({ row }) => row)
  if (rows.length !== vectors.length) return false
  if ((yield* run(tx.db.update(documents).set({ fingerprint, embedModel }).where(isDocument))) === 0) return false
  for (const [i, row] of rows.entries()) {
    const vector = encodeVector(vectors[i]!)
    yield* run(tx.db.update(documentChunks).set({ vector }).where(eq(documentChunks.id, row)))
  }
  yield* tx.dialect.replaceVectors(rows.map((row, i) => ({ row, kind, model: embedModel, vector: vectors[i]! })))
  yield* run(tx.db.update(documentRevision).set({ revision: sql`${documentRevision.revision} + 1` }))
  return true
}

/** Removes documents with their chunks. Returns the number that existed. */
export function* deleteDocuments(
  { db, tables: { documents } }: Transaction,
  ids: readonly string[],
): Operation<number> {
  let removed = 0
  for (const batch of inBatches(ids)) removed += yield* run(db.delete(documents).where(inArray(documents.id, batch)))
  return removed
}
