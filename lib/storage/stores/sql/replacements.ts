import { and, count, countDistinct, desc, eq, inArray } from "drizzle-orm"
import { MAX_WORD_EDITS } from "../../../domain/constants.ts"
import type { HitReference, Replacement, SkippedHit } from "../../../domain/replacements.ts"
import { applyWordEdits } from "../../../domain/transcript/apply-word-edits.ts"
import { findHits } from "../../../domain/transcript/find-hits.ts"
import type { WordEdit } from "../../../domain/transcript/word-edits.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { NewReplacement } from "../ports/replacements.ts"
import { countEdits, readEditRows, readTranscript, writeEditedWords } from "./clips/transcripts.ts"
import { clipLockKey, type SqlDatabase } from "./database.ts"
import { all, get, inBatches, run } from "./statements.ts"

/** Older replacements stay, but can no longer be undone together. */
const MAX_REPLACEMENTS = 100

const keyOf = ({ start_s, end_s, speaker, text }: Omit<HitReference, "clip_id">): string =>
  JSON.stringify([start_s, end_s, speaker, text])

/** Returns the edits that replace hits, by what identifies the hit. */
const createEdits = (words: readonly WordSpan[], replacement: NewReplacement): ReadonlyMap<string, WordEdit> =>
  new Map(
    findHits(words, replacement, replacement.replace_with).map(({ first, end, text, replacement: written }) => {
      const [start_s, speaker] = [words[first]!.start, words[first]!.speaker]
      const end_s = words.slice(first, end).reduce((latest, word) => Math.max(latest, word.end), start_s)
      const said = written.split(/\s+/).filter(Boolean)
      return [keyOf({ start_s, end_s, speaker, text }), { kind: "text", start_s, end_s, of: speaker, words: said }]
    }),
  )

export const applyReplacement = (
  database: SqlDatabase,
  clipId: string,
  replacement: NewReplacement,
  hits: readonly HitReference[],
): Promise<{ edits: number; skipped: SkippedHit[] }> =>
  database.write([clipLockKey(clipId)], function* (tx) {
    const { db, now, tables } = tx
    const skip = (skipped: readonly HitReference[], reason: SkippedHit["reason"]): SkippedHit[] =>
      skipped.map(({ clip_id, start_s, text }) => ({ clip_id, start_s, text, reason }))
    const before = yield* readTranscript(tx, clipId)
    if (!before) return { edits: 0, skipped: skip(hits, "missing") }
    const words: WordSpan[] = before.words === null ? [] : JSON.parse(before.words)
    const found = createEdits(words, replacement)
    const isFound = (hit: HitReference): boolean => found.has(keyOf(hit))
    const edits = [...new Set(hits.map(keyOf))].flatMap((key) => found.get(key) ?? [])
    const changed = skip(
      hits.filter((hit) => !isFound(hit)),
      "changed",
    )
    if (edits.length === 0) return { edits: 0, skipped: changed }
    if ((yield* countEdits(tx, clipId)) + edits.length > MAX_WORD_EDITS)
      return { edits: 0, skipped: [...changed, ...skip(hits.filter(isFound), "full")] }
    const { id, find, replace_with: replaceWith } = replacement
    const row = { id, find, replaceWith, createdAt: now }
    yield* run(db.insert(tables.replacements).values(row).onConflictDoNothing())
    const oldest = db.select({ id: tables.replacements.id }).from(tables.replacements)
    const excess = yield* all(
      oldest
        .orderBy(desc(tables.replacements.createdAt), desc(tables.replacements.id))
        .limit(10)
        .offset(MAX_REPLACEMENTS),
    )
    if (excess.length > 0) {
      const ids = excess.map((old) => old.id)
      yield* run(db.delete(tables.replacements).where(inArray(tables.replacements.id, ids)))
    }
    yield* writeEditedWords(tx, clipId, applyWordEdits(words, edits), before.heard ?? before.words)
    for (const batch of inBatches(edits))
      yield* run(
        db.insert(tables.wordEdits).values(batch.map((edit) => ({ clipId, at: now, edit, replacementId: id }))),
      )
    return { edits: edits.length, skipped: changed }
  })

export const listReplacements = async (database: SqlDatabase): Promise<Replacement[]> => {
  const rows = await database.read(({ db, tables: { replacements, wordEdits } }) =>
    all(
      db
        .select({
          id: replacements.id,
          find: replacements.find,
          replaceWith: replacements.replaceWith,
          createdAt: replacements.createdAt,
          clips: countDistinct(wordEdits.clipId),
          edits: count(wordEdits.id),
        })
        .from(replacements)
        .innerJoin(wordEdits, eq(wordEdits.replacementId, replacements.id))
        .groupBy(replacements.id, replacements.find, replacements.replaceWith, replacements.createdAt)
        .orderBy(desc(replacements.createdAt), desc(replacements.id)),
    ),
  )
  return rows.map(({ replaceWith, createdAt, ...row }) => ({
    ...row,
    replace_with: replaceWith,
    created_at: new Date(createdAt).toISOString(),
  }))
}

export const listReplacedClips = (database: SqlDatabase, id: string): Promise<string[] | null> =>
  database.read(function* ({ db, tables: { replacements, wordEdits } }) {
    if (!(yield* get(db.select().from(replacements).where(eq(replacements.id, id))))) return null
    const clips = db.select({ clipId: wordEdits.clipId }).from(wordEdits).where(eq(wordEdits.replacementId, id))
    return (yield* all(clips.groupBy(wordEdits.clipId))).map(({ clipId }) => clipId)
  })

export const undoReplacement = (database: SqlDatabase, id: string, clipId: string): Promise<number> =>
  database.write([clipLockKey(clipId)], function* (tx) {
    const { wordEdits } = tx.tables
    const before = yield* readTranscript(tx, clipId)
    const rows = yield* readEditRows(tx, clipId)
    const remaining = rows.filter((row) => row.replacementId !== id)
    if (!before?.heard || remaining.length === rows.length) return 0
    const words = applyWordEdits(
      JSON.parse(before.heard),
      remaining.map(({ edit }) => edit),
    )
    yield* writeEditedWords(tx, clipId, words, remaining.length > 0 ? before.heard : null)
    yield* run(tx.db.delete(wordEdits).where(and(eq(wordEdits.clipId, clipId), eq(wordEdits.replacementId, id))))
    return rows.length - remaining.length
  })
