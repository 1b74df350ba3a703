import { and, asc, eq, sql } from "drizzle-orm"
import { applyEdits, type StoredEdit, type WordEdit } from "../../contracts/word-edits.ts"
import type { WordSpan } from "../../contracts/words.ts"
import { clips, transcripts, wordEdits } from "../../db/schema/index.ts"
import { type Tx, withRead, withWrite } from "../../db/transact.ts"
import type { TranscriptColumns } from "../types.ts"
import type { Context } from "./context.ts"

const countVoices = (words: readonly WordSpan[]): number => new Set(words.map((w) => w.speaker)).size

const editRows = (tx: Tx, clipId: string) =>
  tx.select().from(wordEdits).where(eq(wordEdits.clipId, clipId)).orderBy(asc(wordEdits.id)).all()

const toStored = (row: typeof wordEdits.$inferSelect): StoredEdit => ({
  id: row.id,
  at: new Date(row.at).toISOString(),
  edit: row.edit,
})

/**
 * New words of an engine with what people corrected before. That two voices are one is forgotten: another run counts
 * its voices anew.
 */
export const corrected = (tx: Tx, clipId: string, { words, json }: TranscriptColumns & { readonly json: string }) => {
  const isMerge = sql`json_extract(${wordEdits.edit}, '$.kind') = 'merge'`
  tx.delete(wordEdits)
    .where(and(eq(wordEdits.clipId, clipId), isMerge))
    .run()
  const edits = editRows(tx, clipId).map((row) => row.edit)
  if (edits.length === 0) return { words: json, voices: countVoices(words), heard: null }
  const after = applyEdits(words, edits)
  return { words: JSON.stringify(after), voices: countVoices(after), heard: json }
}

const write = (tx: Tx, clipId: string, words: readonly WordSpan[], heard: string | null): void => {
  tx.update(transcripts)
    .set({ words: JSON.stringify(words), heard })
    .where(eq(transcripts.clipId, clipId))
    .run()
  tx.update(clips)
    .set({ voices: countVoices(words) })
    .where(eq(clips.id, clipId))
    .run()
}

const transcriptOf = (tx: Tx, clipId: string) =>
  tx
    .select({ words: transcripts.words, heard: transcripts.heard })
    .from(clips)
    .leftJoin(transcripts, eq(transcripts.clipId, clips.id))
    .where(eq(clips.id, clipId))
    .get()

export const listWordEdits = ({ handle }: Context, clipId: string): StoredEdit[] | null => {
  const rows = withRead(handle, (tx) => (transcriptOf(tx, clipId) ? editRows(tx, clipId) : null))
  return rows?.map(toStored) ?? null
}

export const editWords = (
  { handle, now }: Context,
  clipId: string,
  edits: readonly WordEdit[],
): StoredEdit[] | null => {
  const rows = withWrite(handle, (tx) => {
    const before = transcriptOf(tx, clipId)
    if (!before) return null
    if (before.words === null) return []
    write(tx, clipId, applyEdits(JSON.parse(before.words), edits), before.heard ?? before.words)
    return edits.map((edit) => tx.insert(wordEdits).values({ clipId, at: now(), edit }).returning().get())
  })
  return rows?.map(toStored) ?? null
}

export const dropWordEdit = ({ handle }: Context, clipId: string, id: number): boolean =>
  withWrite(handle, (tx) => {
    const of = and(eq(wordEdits.clipId, clipId), eq(wordEdits.id, id))
    const before = transcriptOf(tx, clipId)
    if (!before?.heard || !tx.select().from(wordEdits).where(of).get()) return false
    const left = editRows(tx, clipId).filter((row) => row.id !== id)
    const words = applyEdits(
      JSON.parse(before.heard),
      left.map((row) => row.edit),
    )
    write(tx, clipId, words, left.length > 0 ? before.heard : null)
    tx.delete(wordEdits).where(of).run()
    return true
  })
