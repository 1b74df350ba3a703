import { asc, count, desc, eq, inArray, max } from "drizzle-orm"
import { AppError } from "../../../domain/errors.ts"
import { newId } from "../../../domain/ids.ts"
import { collectCorrections } from "../../../domain/transcript/collect-corrections.ts"
import {
  MAX_PHRASES,
  MAX_VOCABULARY,
  type StoredVocabularyEntry,
  type VocabularyEntry,
  type VocabularyPatch,
  type VocabularySuggestion,
} from "../../../domain/vocabulary.ts"
import type { vocabulary } from "../../database/schema/index.ts"
import type { SqlDatabase } from "./database.ts"
import { all, get, run } from "./statements.ts"

const VOCABULARY_LOCK = "vocabulary"
/** Suggestions come from this many recordings, those that were corrected last. */
const SUGGESTING_CLIPS = 10

const toEntry = ({ id, term, soundsLike, createdAt }: typeof vocabulary.$inferSelect): StoredVocabularyEntry => ({
  id,
  term,
  sounds_like: [...soundsLike],
  created_at: new Date(createdAt).toISOString(),
})

export const listVocabulary = async (database: SqlDatabase): Promise<StoredVocabularyEntry[]> => {
  const rows = await database.read(({ db, tables: { vocabulary } }) =>
    all(db.select().from(vocabulary).orderBy(asc(vocabulary.key))),
  )
  return rows.map(toEntry)
}

const keyOf = (text: string): string => text.toLowerCase()

export const addVocabularyEntry = async (
  database: SqlDatabase,
  { term, sounds_like: added }: VocabularyEntry,
): Promise<StoredVocabularyEntry> => {
  const key = keyOf(term)
  const row = await database.write([VOCABULARY_LOCK], function* ({ db, now, tables: { vocabulary } }) {
    const existing = yield* get(db.select().from(vocabulary).where(eq(vocabulary.key, key)))
    if (existing) {
      const known = new Set(existing.soundsLike.map(keyOf))
      const soundsLike = [...existing.soundsLike, ...added.filter((phrase) => !known.has(keyOf(phrase)))]
      if (soundsLike.length > MAX_PHRASES)
        throw new AppError("conflict", `The entry '${existing.term}' can replace ${MAX_PHRASES} phrases at most.`)
      yield* run(db.update(vocabulary).set({ term, soundsLike }).where(eq(vocabulary.key, key)))
      return { ...existing, term, soundsLike }
    }
    const stored = (yield* get(db.select({ n: count() }).from(vocabulary)))?.n ?? 0
    if (stored >= MAX_VOCABULARY)
      throw new AppError(
        "conflict",
        `The vocabulary has ${stored} entries, the maximum. Remove those that are not needed.`,
      )
    const entry = { id: newId(), term, key, soundsLike: added, createdAt: now }
    yield* run(db.insert(vocabulary).values(entry))
    return entry
  })
  return toEntry(row)
}

export const updateVocabularyEntry = async (
  database: SqlDatabase,
  id: string,
  patch: VocabularyPatch,
): Promise<StoredVocabularyEntry | null> => {
  const row = await database.write([VOCABULARY_LOCK], function* ({ db, tables: { vocabulary } }) {
    const existing = yield* get(db.select().from(vocabulary).where(eq(vocabulary.id, id)))
    if (!existing) return null
    const { term = existing.term, sounds_like: soundsLike = existing.soundsLike } = patch
    const key = keyOf(term)
    const sameTerm = yield* get(db.select({ id: vocabulary.id }).from(vocabulary).where(eq(vocabulary.key, key)))
    if (sameTerm && sameTerm.id !== id) throw new AppError("conflict", `The vocabulary already has the term '${term}'.`)
    yield* run(db.update(vocabulary).set({ term, key, soundsLike }).where(eq(vocabulary.id, id)))
    return { ...existing, term, soundsLike }
  })
  return row && toEntry(row)
}

export const deleteVocabularyEntry = (database: SqlDatabase, id: string): Promise<boolean> =>
  database.write([VOCABULARY_LOCK], function* ({ db, tables: { vocabulary } }) {
    return (yield* run(db.delete(vocabulary).where(eq(vocabulary.id, id)))) > 0
  })

export const suggestVocabulary = async (database: SqlDatabase): Promise<VocabularySuggestion[]> => {
  const { clips, known } = await database.read(function* ({ db, tables: { transcripts, vocabulary, wordEdits } }) {
    const newest = yield* all(
      db
        .select({ clipId: wordEdits.clipId, last: max(wordEdits.id) })
        .from(wordEdits)
        .groupBy(wordEdits.clipId)
        .orderBy(desc(max(wordEdits.id)))
        .limit(SUGGESTING_CLIPS),
    )
    const ids = newest.map(({ clipId }) => clipId)
    if (ids.length === 0) return { clips: [], known: [] }
    const edits = yield* all(
      db.select().from(wordEdits).where(inArray(wordEdits.clipId, ids)).orderBy(asc(wordEdits.id)),
    )
    const heard = yield* all(
      db
        .select({ clipId: transcripts.clipId, heard: transcripts.heard })
        .from(transcripts)
        .where(inArray(transcripts.clipId, ids)),
    )
    const known = yield* all(db.select().from(vocabulary))
    return {
      clips: heard.map(({ clipId, heard }) => ({
        heard,
        edits: edits.filter((row) => row.clipId === clipId).map(({ edit }) => edit),
      })),
      known,
    }
  })
  const isKnown = ({ term, sounds_like }: VocabularySuggestion) =>
    known.some(
      ({ key, soundsLike }) =>
        key === term.toLowerCase() && soundsLike.some((heard) => heard.toLowerCase() === sounds_like),
    )
  const corrections = clips.flatMap(({ heard, edits }) =>
    heard === null ? [] : collectCorrections(JSON.parse(heard), edits),
  )
  const byText = new Map<string, VocabularySuggestion>()
  for (const { term, sounds_like } of corrections) {
    const key = JSON.stringify([term, sounds_like])
    byText.set(key, { term, sounds_like, count: (byText.get(key)?.count ?? 0) + 1 })
  }
  return [...byText.values()]
    .filter((suggestion) => !isKnown(suggestion))
    .sort((a, b) => b.count - a.count)
    .slice(0, 50)
}
