import { asc, eq, sql } from "drizzle-orm"
import type { SearchAnswer, SearchQuery, TitleHit, TopicHit, WordsHit } from "../../contracts/search.ts"
import { clips, findables, topics, transcripts } from "../../db/schema/index.ts"
import { type Tx, withRead, withWrite } from "../../db/transact.ts"
import { wordsOf } from "../../text/tokens.ts"
import { excerpt, MARK_FROM, MARK_TO, type Marked, unmark } from "../search/excerpt.ts"
import { stretchesOf } from "../search/stretches.ts"
import { chunks } from "./chunks.ts"
import type { Context } from "./context.ts"

type NewFindable = typeof findables.$inferInsert
type Row = {
  clip_id: string
  clip_title: string
  number: string | null
  starts: string | null
  speaker: string | null
  start_s: number
  lit: string
}

/** All that can be found of a clip. Its title row says that the others are there. */
const findablesOf = (tx: Tx, clipId: string): NewFindable[] => {
  const clip = tx.select({ title: clips.title }).from(clips).where(eq(clips.id, clipId)).get()
  if (!clip) return []
  const words = tx.select({ words: transcripts.words }).from(transcripts).where(eq(transcripts.clipId, clipId)).get()
  const own = tx.select().from(topics).where(eq(topics.clipId, clipId)).orderBy(asc(topics.ordinal)).all()
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
    ...stretchesOf(words ? JSON.parse(words.words) : []).map(
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

/** Makes what is missing, a clip a transaction: triggers have taken away what is of the past. */
const fill = ({ handle }: Context): void => {
  const isFilled = sql`exists (select 1 from ${findables} where ${findables.clipId} = ${clips.id} and ${findables.kind} = 'title')`
  const missing = withRead(handle, (tx) =>
    tx.select({ id: clips.id }).from(clips).where(sql`not ${isFilled}`).orderBy(asc(clips.createdAt)).all(),
  )
  for (const { id } of missing)
    withWrite(handle, (tx) => {
      tx.delete(findables).where(eq(findables.clipId, id)).run()
      for (const part of chunks(findablesOf(tx, id))) tx.insert(findables).values(part).run()
    })
}

/** Every word as a string of the FTS5 query language, all of them wanted; the last may still be being written. */
const matchOf = (words: readonly string[]): string =>
  words.map((word, i) => `"${word}"${i === words.length - 1 ? "*" : ""}`).join(" AND ")

const lookFor = (tx: Tx, match: string, kind: NewFindable["kind"], limit: number): Row[] =>
  tx.all<Row>(sql`
    select f.clip_id, c.title as clip_title, f.number, f.starts, f.speaker, f.start_s,
      highlight(findable_fts, 0, ${MARK_FROM}, ${MARK_TO}) as lit
    from findable_fts join findables f on f.id = findable_fts.rowid join clips c on c.id = f.clip_id
    where findable_fts match ${match} and f.kind = ${kind}
    order by bm25(findable_fts), f.id limit ${limit}`)

const titleHit = ({ clip_id, clip_title, lit }: Row): TitleHit => ({ clip_id, clip_title, ...unmark(lit) })

const topicHit = ({ clip_id, clip_title, number, start_s, lit }: Row): TopicHit => {
  const [title = "", summary = ""] = lit.split("\n")
  const found = unmark(title)
  const shown: Marked = found.marks.length > 0 ? found : excerpt(unmark(summary))
  return { clip_id, clip_title, title: found.text, number: number ?? "", start_s, ...shown }
}

const wordsHit = ({ clip_id, clip_title, speaker, starts, start_s, lit }: Row): WordsHit => {
  const marked = unmark(lit)
  const before = marked.text.slice(0, marked.marks[0]?.[0] ?? 0).split(" ").length - 1
  const at = (JSON.parse(starts ?? "[]") as number[])[before] ?? start_s
  const { text, marks } = excerpt(marked)
  return { clip_id, clip_title, speaker: speaker ?? "0", start_s: at, text: text.replaceAll("\u00a0", " "), marks }
}

export const searchLibrary = (c: Context, { q, limit }: SearchQuery): SearchAnswer => {
  const words = wordsOf(q)
  if (words.length === 0) return { titles: [], topics: [], words: [] }
  fill(c)
  const match = matchOf(words)
  return withRead(c.handle, (tx) => ({
    titles: lookFor(tx, match, "title", limit).map(titleHit),
    topics: lookFor(tx, match, "topic", limit).map(topicHit),
    words: lookFor(tx, match, "words", limit).map(wordsHit),
  }))
}
