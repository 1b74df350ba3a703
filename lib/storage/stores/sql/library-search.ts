import { and, asc, eq, sql } from "drizzle-orm"
import { AppError } from "../../../domain/errors.ts"
import { withoutNul } from "../../../domain/schemas.ts"
import type { SearchAnswer, SearchQuery, TitleHit, TopicHit, WordsHit } from "../../../domain/search.ts"
import { wordsOf } from "../../../domain/text/tokens.ts"
import type { findables } from "../../database/schema/index.ts"
import { excerpt, type Marked, stripHighlights } from "../search/excerpt.ts"
import { lit } from "../search/highlights.ts"
import { stretchesOf } from "../search/text-segments.ts"
import { chunks } from "./chunks.ts"
import { type Context, clipLockKey, type FoundText, type Tx } from "./context.ts"
import { computeTopicSpeakers } from "./speakers.ts"
import { all, get, run, type Steps } from "./steps.ts"

type NewFindable = typeof findables.$inferInsert

/** All that can be found of a clip. Its title row says that the others are there. */
function* findablesOf({ db, t: { clips, topics, transcripts } }: Tx, clipId: string): Steps<NewFindable[]> {
  const clip = yield* get(db.select({ title: clips.title }).from(clips).where(eq(clips.id, clipId)))
  if (!clip) return []
  const kept = db.select({ words: transcripts.words }).from(transcripts).where(eq(transcripts.clipId, clipId))
  const words = (yield* get(kept))?.words
  const own = yield* all(db.select().from(topics).where(eq(topics.clipId, clipId)).orderBy(asc(topics.ordinal)))
  return [
    { clipId, kind: "title", text: clip.title, startS: 0 },
    ...own.map(
      ({ title, summary, number, startS }): NewFindable => ({
        clipId,
        kind: "topic",
        text: `${title}\n${summary}`,
        number,
        startS,
      }),
    ),
    ...stretchesOf(words === undefined ? [] : JSON.parse(words)).map(
      ({ text, starts, speaker }): NewFindable => ({
        clipId,
        kind: "words",
        text,
        starts,
        speaker,
        startS: starts[0] ?? 0,
      }),
    ),
  ]
}

/** Whether the database itself is in the way, and so of the next clip, too. */
const isOfDatabase = (error: unknown): boolean =>
  AppError.is(error) && ["unavailable", "storage_full"].includes(error.code)

/**
 * Makes what is missing, a clip a transaction: triggers have taken away what is of the past. A clip that cannot be read
 * leaves the others findable.
 *
 * @returns how many clips
 * @throws what the first of them failed with, after the others
 */
const fillMissing = async (c: Context): Promise<number> => {
  const missing = await c.read(({ db, t: { clips, findables } }) => {
    const isFilled = sql`exists (select 1 from ${findables} where ${findables.clipId} = ${clips.id} and ${findables.kind} = 'title')`
    return all(db.select({ id: clips.id }).from(clips).where(sql`not ${isFilled}`).orderBy(asc(clips.createdAt)))
  })
  const failures: unknown[] = []
  for (const { id } of missing) {
    try {
      await fill(c, id)
    } catch (error) {
      if (isOfDatabase(error)) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return missing.length
}

const fill = async (c: Context, id: string): Promise<void> => {
  // What changes the one changes the other, and the map is not to wait either.
  await computeTopicSpeakers(c, id)
  await c.write([clipLockKey(id)], function* (tx) {
    const { findables } = tx.t
    // Another search may have done it meanwhile.
    const title = and(eq(findables.clipId, id), eq(findables.kind, "title"))
    if (yield* get(tx.db.select({ id: findables.id }).from(findables).where(title).limit(1))) return
    yield* run(tx.db.delete(findables).where(eq(findables.clipId, id)))
    for (const part of chunks(yield* findablesOf(tx, id))) {
      // What was taken before the contracts left the character out still holds it.
      const plain = part.map((row) => ({ ...row, text: withoutNul(row.text) }))
      const values = plain.map((row) => ({ ...row, ...tx.dialect.findableColumns(row.text) }))
      yield* run(tx.db.insert(findables).values(values))
    }
  })
}

const filling = new WeakMap<Context, Promise<unknown>>()

/** One after the other: of many searches that come together one does the work, and the others find it done. */
export const prepareLibrary = (c: Context): Promise<number> => {
  const before = filling.get(c) ?? Promise.resolve()
  const own = before.catch(() => undefined).then(() => fillMissing(c))
  filling.set(c, own)
  return own
}

/** A text with marks around what was found. */
type FoundRow = Omit<FoundText, "text"> & { readonly lit: string }

const titleHit = ({ clip_id, clip_title, lit }: FoundRow): TitleHit => ({
  clip_id,
  clip_title,
  ...stripHighlights(lit),
})

const topicHit = ({ clip_id, clip_title, number, start_s, lit }: FoundRow): TopicHit => {
  const [title = "", summary = ""] = lit.split("\n")
  const found = stripHighlights(title)
  const shown: Marked = found.marks.length > 0 ? found : excerpt(stripHighlights(summary))
  return { clip_id, clip_title, title: found.text, number: number ?? "", start_s, ...shown }
}

const wordsHit = ({ clip_id, clip_title, speaker, starts, start_s, lit }: FoundRow): WordsHit => {
  const marked = stripHighlights(lit)
  const before = marked.text.slice(0, marked.marks[0]?.[0] ?? 0).split(" ").length - 1
  const { text, marks } = excerpt(marked)
  const at = starts[before] ?? start_s
  return { clip_id, clip_title, speaker: speaker ?? "0", start_s: at, text: text.replaceAll("\u00a0", " "), marks }
}

/**
 * A database that takes no writes (a stand-by, a full disk), or holds a clip that cannot be read, is searched as it is;
 * the worker that prepares it tells of it.
 */
const prepareAsFarAsItGoes = (c: Context): Promise<unknown> => prepareLibrary(c).catch(() => undefined)

function* findIn(tx: Tx, words: readonly string[], kind: NewFindable["kind"], limit: number): Steps<FoundRow[]> {
  const found = yield* tx.dialect.find(tx, words, kind, limit)
  return found.map(({ text, ...row }) => ({ ...row, lit: lit(text, words) }))
}

export const searchLibrary = async (c: Context, { q, limit }: SearchQuery): Promise<SearchAnswer> => {
  const words = wordsOf(q)
  if (words.length === 0) return { titles: [], topics: [], words: [] }
  await prepareAsFarAsItGoes(c)
  return c.read(function* (tx) {
    return {
      titles: (yield* findIn(tx, words, "title", limit)).map(titleHit),
      topics: (yield* findIn(tx, words, "topic", limit)).map(topicHit),
      words: (yield* findIn(tx, words, "words", limit)).map(wordsHit),
    }
  })
}

export const searchSpoken = async (c: Context, { q, limit }: SearchQuery): Promise<readonly WordsHit[]> => {
  const words = wordsOf(q)
  if (words.length === 0) return []
  await prepareAsFarAsItGoes(c)
  return c.read(function* (tx) {
    return (yield* findIn(tx, words, "words", limit)).map(wordsHit)
  })
}
