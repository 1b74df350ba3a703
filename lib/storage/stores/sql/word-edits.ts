import { and, asc, eq, sql } from "drizzle-orm"
import { applyEdits } from "../../../domain/transcript/apply-word-edits.ts"
import type { StoredEdit, WordEdit } from "../../../domain/transcript/word-edits.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { wordEdits } from "../../database/schema/index.ts"
import type { TranscriptColumns } from "../ports/clips.ts"
import { type Context, clipLockKey, type Tx } from "./context.ts"
import { forgetSpeakers } from "./speakers.ts"
import { all, get, run, type Steps } from "./steps.ts"

type EditRow = typeof wordEdits.$inferSelect

const countVoices = (words: readonly WordSpan[]): number => new Set(words.map((w) => w.speaker)).size

const editRows = ({ db, t: { wordEdits } }: Tx, clipId: string): Steps<EditRow[]> =>
  all(db.select().from(wordEdits).where(eq(wordEdits.clipId, clipId)).orderBy(asc(wordEdits.id)))

const toStored = (row: EditRow): StoredEdit => ({ id: row.id, at: new Date(row.at).toISOString(), edit: row.edit })

/**
 * New words of an engine with what people corrected before. That two voices are one is forgotten: another run counts
 * its voices anew.
 */
export function* corrected(
  tx: Tx,
  clipId: string,
  { words, json }: TranscriptColumns & { readonly json: string },
): Steps<{ words: string; voices: number; heard: string | null }> {
  const { wordEdits } = tx.t
  const isMerge = sql`${tx.dialect.jsonText(wordEdits.edit, "kind")} = 'merge'`
  yield* run(tx.db.delete(wordEdits).where(and(eq(wordEdits.clipId, clipId), isMerge)))
  const edits = (yield* editRows(tx, clipId)).map((row) => row.edit)
  if (edits.length === 0) return { words: json, voices: countVoices(words), heard: null }
  const after = applyEdits(words, edits)
  return { words: JSON.stringify(after), voices: countVoices(after), heard: json }
}

function* write(tx: Tx, clipId: string, words: readonly WordSpan[], heard: string | null): Steps<void> {
  const { clips, transcripts } = tx.t
  const set = { words: JSON.stringify(words), heard }
  yield* run(tx.db.update(transcripts).set(set).where(eq(transcripts.clipId, clipId)))
  yield* run(
    tx.db
      .update(clips)
      .set({ voices: countVoices(words) })
      .where(eq(clips.id, clipId)),
  )
  yield* forgetSpeakers(tx, clipId)
}

const transcriptOf = ({ db, t: { clips, transcripts } }: Tx, clipId: string) =>
  get(
    db
      .select({ words: transcripts.words, heard: transcripts.heard })
      .from(clips)
      .leftJoin(transcripts, eq(transcripts.clipId, clips.id))
      .where(eq(clips.id, clipId)),
  )

export const listWordEdits = async (c: Context, clipId: string): Promise<StoredEdit[] | null> => {
  const rows = await c.read(function* (tx) {
    return (yield* transcriptOf(tx, clipId)) ? yield* editRows(tx, clipId) : null
  })
  return rows?.map(toStored) ?? null
}

export const editWords = async (
  c: Context,
  clipId: string,
  edits: readonly WordEdit[],
): Promise<StoredEdit[] | null> => {
  const rows = await c.write([clipLockKey(clipId)], function* (tx) {
    const before = yield* transcriptOf(tx, clipId)
    if (!before) return null
    if (before.words === null) return []
    yield* write(tx, clipId, applyEdits(JSON.parse(before.words), edits), before.heard ?? before.words)
    const kept: EditRow[] = []
    for (const edit of edits)
      kept.push(...(yield* all(tx.db.insert(tx.t.wordEdits).values({ clipId, at: tx.at, edit }).returning())))
    return kept
  })
  return rows?.map(toStored) ?? null
}

export const dropWordEdit = (c: Context, clipId: string, id: number): Promise<boolean> =>
  c.write([clipLockKey(clipId)], function* (tx) {
    const { wordEdits } = tx.t
    const of = and(eq(wordEdits.clipId, clipId), eq(wordEdits.id, id))
    const before = yield* transcriptOf(tx, clipId)
    if (!before?.heard || !(yield* get(tx.db.select().from(wordEdits).where(of)))) return false
    const left = (yield* editRows(tx, clipId)).filter((row) => row.id !== id)
    const words = applyEdits(
      JSON.parse(before.heard),
      left.map((row) => row.edit),
    )
    yield* write(tx, clipId, words, left.length > 0 ? before.heard : null)
    yield* run(tx.db.delete(wordEdits).where(of))
    return true
  })
