import * as z from "zod"

export const searchQuery = z.object({
  q: z.string().min(1).max(200),
  /** Most hits of each kind. */
  limit: z.coerce.number().int().min(1).max(100).default(12),
})
export type SearchQuery = z.infer<typeof searchQuery>

/** Stretches of `text` that match, as [from, to) in UTF-16 units. */
const marks = z.array(z.tuple([z.int().min(0), z.int().min(0)]))
const hit = { clip_id: z.string(), clip_title: z.string(), text: z.string(), marks }

export const titleHit = z.object(hit)
/** `text` is the topic's title where that matches, else the sentence of its summary that does. */
export const topicHit = z.object({ ...hit, title: z.string(), number: z.string(), start_s: z.number() })
/** `start_s` is the second of the first word that matches. */
export const wordsHit = z.object({ ...hit, start_s: z.number(), speaker: z.string() })
export type TitleHit = z.infer<typeof titleHit>
export type TopicHit = z.infer<typeof topicHit>
export type WordsHit = z.infer<typeof wordsHit>

/** What was found in the recordings, best first of each kind. */
export const searchAnswer = z.object({
  titles: z.array(titleHit),
  topics: z.array(topicHit),
  words: z.array(wordsHit),
})
export type SearchAnswer = z.infer<typeof searchAnswer>
