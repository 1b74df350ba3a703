import * as z from "zod"

export const searchQuery = z.object({
  q: z.string().min(1).max(200),
  /** The maximum number of hits of each kind. */
  limit: z.coerce.number().int().min(1).max(100).default(12),
})
export type SearchQuery = z.infer<typeof searchQuery>

/** The matching parts of `text` as ranges [from, to) in UTF-16 code units. */
const marks = z.array(z.tuple([z.int().min(0), z.int().min(0)]))
const hit = { clip_id: z.string(), clip_title: z.string(), text: z.string(), marks }

export const titleHit = z.object(hit)
/** `text` is the title of the topic if it matches, otherwise the matching sentence of its summary or an excerpt of what is said in it. */
export const topicHit = z.object({ ...hit, title: z.string(), number: z.string(), start_s: z.number() })
/** `start_s` is the time of the first matching word. */
export const wordsHit = z.object({ ...hit, start_s: z.number(), speaker: z.string() })
export type TitleHit = z.infer<typeof titleHit>
export type TopicHit = z.infer<typeof topicHit>
export type WordsHit = z.infer<typeof wordsHit>

/**
 * The results of a library search, best first within each kind. Texts that contain every word of the query precede texts
 * that contain most of it.
 */
export const searchAnswer = z.object({
  titles: z.array(titleHit),
  topics: z.array(topicHit),
  words: z.array(wordsHit),
})
export type SearchAnswer = z.infer<typeof searchAnswer>
