import { and, asc, eq, sql } from "drizzle-orm"
import type { SearchAnswer, SearchQuery, TitleHit, TopicHit, WordsHit } from "../../contracts/search.ts"
import type { findables } from "../../db/schema/index.ts"
import { AppError } from "../../errors.ts"
import { wordsOf } from "../../text/tokens.ts"
import { excerpt, type Marked, unmark } from "../search/excerpt.ts"
import { lit } from "../search/lit.ts"
import { stretchesOf } from "../search/stretches.ts"
import { chunks } from "./chunks.ts"
import { type Context, type FoundText, ofClip, type Tx } from "./context.ts"
import { findSpeakers } from "./speakers.ts"
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

/** Makes what is missing, a clip a transaction: triggers have taken away what is of the past. @returns how many clips */
const fillMissing = async (c: Context): Promise<number> => {
  const missing = await c.read(({ db, t: { clips, findables } }) => {
    const isFilled = sql`exists (select 1 from ${findables} where ${findables.clipId} = ${clips.id} and ${findables.kind} = 'title')`
    return all(db.select({ id: clips.id }).from(clips).where(sql`not ${isFilled}`).orderBy(asc(clips.createdAt)))
  })
  for (const { id } of missing) {
    // What changes the one changes the other, and the map is not to wait either.
    await findSpeakers(c, id)
    await c.write([ofClip(id)], function* (tx) {
      const { findables } = tx.t
      // Another search may have done it meanwhile.
      const title = and(eq(findables.clipId, id), eq(findables.kind, "title"))
      if (yield* get(tx.db.select({ id: findables.id }).from(findables).where(title).limit(1))) return
      yield* run(tx.db.delete(findables).where(eq(findables.clipId, id)))
      for (const part of chunks(yield* findablesOf(tx, id))) {
        const values = part.map((row) => ({ ...row, ...tx.dialect.findableColumns(row.text) }))
        yield* run(tx.db.insert(findables).values(values))
      }
    })
  }
  return missing.length
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

const titleHit = ({ clip_id, clip_title, lit }: FoundRow): TitleHit => ({ clip_id, clip_title, ...unmark(lit) })

const topicHit = ({ clip_id, clip_title, number, start_s, lit }: FoundRow): TopicHit => {
  const [title = "", summary = ""] = lit.split("\n")
  const found = unmark(title)
  const shown: Marked = found.marks.length > 0 ? found : excerpt(unmark(summary))
  return { clip_id, clip_title, title: found.text, number: number ?? "", start_s, ...shown }
}

const wordsHit = ({ clip_id, clip_title, speaker, starts, start_s, lit }: FoundRow): WordsHit => {
  const marked = unmark(lit)
  const before = marked.text.slice(0, marked.marks[0]?.[0] ?? 0).split(" ").length - 1
  const { text, marks } = excerpt(marked)
  const at = starts[before] ?? start_s
  return { clip_id, clip_title, speaker: speaker ?? "0", start_s: at, text: text.replaceAll("\u00a0", " "), marks }
}

export const searchLibrary = async (c: Context, { q, limit }: SearchQuery): Promise<SearchAnswer> => {
  const words = wordsOf(q)
  if (words.length === 0) return { titles: [], topics: [], words: [] }
  try {
    await prepareLibrary(c)
  } catch (error) {
    // A database that takes no writes (a stand-by, a full disk) is searched as it is.
    if (!AppError.is(error)) throw error
  }
  return c.read(function* (tx) {
    const marked = ({ text, ...row }: FoundText): FoundRow => ({ ...row, lit: lit(text, words) })
    return {
      titles: (yield* tx.dialect.find(tx, words, "title", limit)).map(marked).map(titleHit),
      topics: (yield* tx.dialect.find(tx, words, "topic", limit)).map(marked).map(topicHit),
      words: (yield* tx.dialect.find(tx, words, "words", limit)).map(marked).map(wordsHit),
    }
  })
}
