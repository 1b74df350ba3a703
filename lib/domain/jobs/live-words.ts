import * as z from "zod"

/** A word that a running transcription has recognized, with times in seconds. Speakers are assigned at the end. */
export const liveWord = z.object({
  word: z.string().describe("The word with its punctuation"),
  start: z.number().min(0).describe("The start in seconds"),
  end: z.number().min(0).describe("The end in seconds"),
})
export type LiveWord = z.infer<typeof liveWord>

/** A page has at most this many batches; a batch has the words of about a second. */
export const MAX_LIVE_BATCHES = 600

export const liveWordsQuery = z.object({
  after: z
    .string()
    .max(40)
    .regex(/^(\d{1,9}-\d{1,9})?$/, { error: "must be the `next` of an earlier response" })
    .default("")
    .describe("The `next` of the previous response, for the words that came since. Left out: all words so far"),
})
export type LiveWordsQuery = z.infer<typeof liveWordsQuery>

export const liveWordsResponse = z.object({
  words: z.array(liveWord).describe("The words in order of time"),
  next: z.string().describe("Pass it as `after` to get the words that follow"),
  restarted: z
    .boolean()
    .describe("True if transcription began again since the previous response: `words` then begins at the start"),
})
export type LiveWords = z.infer<typeof liveWordsResponse>
