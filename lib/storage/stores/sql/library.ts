import { and, asc, eq, type SQL, sql } from "drizzle-orm"
import { AppError } from "../../../domain/errors.ts"
import { removeNul } from "../../../domain/schemas.ts"
import type { SearchAnswer, SearchQuery, TitleHit, TopicHit, WordsHit } from "../../../domain/search.ts"
import { splitWords } from "../../../domain/text/tokens.ts"
import type { findables } from "../../database/schema/index.ts"
import { excerpt, type HighlightedText, highlight, sliceHighlights } from "../search/highlights.ts"
import { splitIntoSegments } from "../search/speech-segments.ts"
import { clipLockKey, type LibraryRow, type SqlDatabase, type Transaction } from "./database.ts"
import { computeTopicSpeech } from "./map/map.ts"
import { searchNotes } from "./notes.ts"
import { all, get, inBatches, type Operation, run } from "./statements.ts"

type NewSearchRow = typeof findables.$inferInsert

/** Builds the search rows of a clip. The title row marks the clip as indexed. */
function* buildSearchRows(
  { db, tables: { clips, topics, transcripts } }: Transaction,
  clipId: string,
): Operation<NewSearchRow[]> {
  const clip = yield* get(db.select({ title: clips.title }).from(clips).where(eq(clips.id, clipId)))
  if (!clip) return []
  const transcript = db.select({ words: transcripts.words }).from(transcripts).where(eq(transcripts.clipId, clipId))
  const words = (yield* get(transcript))?.words
  const topicRows = yield* all(db.select().from(topics).where(eq(topics.clipId, clipId)).orderBy(asc(topics.ordinal)))
  return [
    { clipId, kind: "title", text: clip.title, startS: 0 },
    ...topicRows.map(
      ({ title, summary, number, startS }): NewSearchRow => ({
        clipId,
        kind: "topic",
        text: `${title}\n${summary}`,
        number,
        startS,
      }),
    ),
    ...splitIntoSegments(words === undefined ? [] : JSON.parse(words)).map(
      ({ text, starts, speaker, seconds }): NewSearchRow => ({
        clipId,
        kind: "words",
        text,
        starts,
        speaker,
        startS: starts[0] ?? 0,
        seconds,
      }),
    ),
  ]
}

/** Returns true if the database itself failed, so that the next clip would fail too. */
const isDatabaseError = (error: unknown): boolean =>
  AppError.is(error) && ["unavailable", "storage_full"].includes(error.code)

/**
 * Indexes the clips without search rows, one transaction per clip. Triggers delete the rows of changed clips. If a clip
 * cannot be read, the others are indexed nevertheless.
 *
 * @param signal stops between two clips
 * @returns the number of clips
 * @throws the first error, after all other clips
 */
const indexMissing = async (database: SqlDatabase, signal: AbortSignal | undefined): Promise<number> => {
  const missing = await database.read(({ db, tables: { clips, findables } }) => {
    const isIndexed = sql`exists (select 1 from ${findables} where ${findables.clipId} = ${clips.id} and ${findables.kind} = 'title')`
    return all(db.select({ id: clips.id }).from(clips).where(sql`not ${isIndexed}`).orderBy(asc(clips.createdAt)))
  })
  const failures: unknown[] = []
  let done = 0
  for (const { id } of missing) {
    if (signal?.aborted) break
    done++
    try {
      await indexClip(database, id)
    } catch (error) {
      if (isDatabaseError(error)) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return done
}

const indexClip = async (database: SqlDatabase, id: string): Promise<void> => {
  // A change that deletes search rows also clears speakers. Computing them here spares the map the wait.
  await computeTopicSpeech(database, id)
  await database.write([clipLockKey(id)], function* (tx) {
    const { findables } = tx.tables
    // Another process may have indexed the clip meanwhile.
    const isTitle = and(eq(findables.clipId, id), eq(findables.kind, "title"))
    if (yield* get(tx.db.select({ id: findables.id }).from(findables).where(isTitle).limit(1))) return
    yield* run(tx.db.delete(findables).where(eq(findables.clipId, id)))
    for (const batch of inBatches(yield* buildSearchRows(tx, id))) {
      // Texts stored before requests were stripped of the character 0 may still contain it.
      const cleaned = batch.map((row) => ({ ...row, text: removeNul(row.text) }))
      const values = cleaned.map((row) => ({ ...row, ...tx.dialect.searchColumns(row.text) }))
      yield* run(tx.db.insert(findables).values(values))
    }
  })
}

const lastIndexing = new WeakMap<SqlDatabase, Promise<unknown>>()

/** Runs concurrent calls one after the other: the first indexes the clips, and the others find nothing left to do. */
export const prepareLibrary = (database: SqlDatabase, signal?: AbortSignal): Promise<number> => {
  const previous = lastIndexing.get(database) ?? Promise.resolve()
  const indexing = previous.catch(() => undefined).then(() => indexMissing(database, signal))
  lastIndexing.set(database, indexing)
  return indexing
}

/**
 * Indexes missing clips before a search and ignores errors: a read-only database or a broken clip must not prevent the
 * search. The sweeper of a worker logs the error.
 */
export const tryPrepareLibrary = (database: SqlDatabase): Promise<unknown> =>
  prepareLibrary(database).catch(() => undefined)

type Match = Omit<LibraryRow, "text"> & { readonly highlighted: HighlightedText }

const toTitleHit = ({ clip_id, clip_title, highlighted }: Match): TitleHit => ({ clip_id, clip_title, ...highlighted })

/** Shows the title of a topic if it matches, else an excerpt of the first line of its summary. */
const toTopicHit = ({ clip_id, clip_title, number, start_s, highlighted }: Match): TopicHit => {
  const [title = "", summary = ""] = highlighted.text.split("\n")
  const summaryStart = title.length + 1
  const foundInTitle = sliceHighlights(highlighted, 0, title.length)
  const shown =
    foundInTitle.marks.length > 0
      ? foundInTitle
      : excerpt(sliceHighlights(highlighted, summaryStart, summaryStart + summary.length))
  return { clip_id, clip_title, title, number: number ?? "", start_s, ...shown }
}

const toWordsHit = ({ clip_id, clip_title, speaker, starts, start_s, highlighted }: Match): WordsHit => {
  const wordsBefore = highlighted.text.slice(0, highlighted.marks[0]?.[0] ?? 0).split(" ").length - 1
  const { text, marks } = excerpt(highlighted)
  return {
    clip_id,
    clip_title,
    speaker: speaker ?? "0",
    start_s: starts[wordsBefore] ?? start_s,
    text: text.replaceAll("\u00a0", " "),
    marks,
  }
}

function* searchKind(
  tx: Transaction,
  words: readonly string[],
  kind: NewSearchRow["kind"],
  limit: number,
  personId?: string,
): Operation<Match[]> {
  const isSpoken = personId === undefined ? undefined : isSpokenBy(tx, personId)
  const rows = yield* tx.dialect.searchLibrary(tx, words, kind, limit, isSpoken)
  return rows.map(({ text, ...row }) => ({ ...row, highlighted: highlight(text, words) }))
}

export const searchLibrary = async (database: SqlDatabase, { q, limit }: SearchQuery): Promise<SearchAnswer> => {
  const words = splitWords(q)
  if (words.length === 0) return { titles: [], topics: [], words: [], notes: [] }
  await tryPrepareLibrary(database)
  return database.read(function* (tx) {
    return {
      titles: (yield* searchKind(tx, words, "title", limit)).map(toTitleHit),
      topics: (yield* searchKind(tx, words, "topic", limit)).map(toTopicHit),
      words: (yield* searchKind(tx, words, "words", limit)).map(toWordsHit),
      notes: yield* searchNotes(tx, words, limit),
    }
  })
}

/** Finds rows with the speech of a person. */
const isSpokenBy = ({ tables: { clipPeople, findables } }: Transaction, personId: string): SQL =>
  sql`exists (select 1 from ${clipPeople} where ${clipPeople.clipId} = ${findables.clipId}
    and ${clipPeople.speaker} = ${findables.speaker} and ${clipPeople.personId} = ${personId}
    and ${clipPeople.state} <> 'rejected')`

export const searchWordsOfPerson = async (
  database: SqlDatabase,
  personId: string,
  { q, limit }: SearchQuery,
): Promise<WordsHit[]> => {
  const words = splitWords(q)
  if (words.length === 0) return []
  await tryPrepareLibrary(database)
  return database.read(function* (tx) {
    return (yield* searchKind(tx, words, "words", limit, personId)).map(toWordsHit)
  })
}

export const searchTranscripts = async (
  database: SqlDatabase,
  { q, limit }: SearchQuery,
): Promise<readonly WordsHit[]> => {
  const words = splitWords(q)
  if (words.length === 0) return []
  await tryPrepareLibrary(database)
  return database.read(function* (tx) {
    return (yield* searchKind(tx, words, "words", limit)).map(toWordsHit)
  })
}
