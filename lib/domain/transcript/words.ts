import * as z from "zod"
import { removeNul } from "../schemas.ts"

/** Thirty days, more than any recording lasts. */
export const MAX_SECONDS = 30 * 24 * 3600

/**
 * One word of a transcript. Times are in seconds from the start of the recording. Speakers are "0", "1" … in order of first
 * appearance.
 */
export const wordSpan = z
  .object({
    word: z.string().overwrite(removeNul).min(1).max(200).describe("The word with its punctuation"),
    start: z.number().min(0).max(MAX_SECONDS).describe("The start in seconds"),
    end: z.number().min(0).max(MAX_SECONDS).describe("The end in seconds"),
    speaker: z
      .string()
      .overwrite(removeNul)
      .max(100)
      .default("0")
      .describe('The speaker: `"0"`, `"1"` … in order of first appearance, or the name that the given transcript has'),
  })
  .refine((word) => word.end >= word.start, { error: "must not be before the start of the word", path: ["end"] })
export type WordSpan = z.infer<typeof wordSpan>

/** A word without a speaker, with times in seconds from the start of the audio. */
export type TimedWord = { readonly word: string; readonly start: number; readonly end: number }

export const MAX_WORDS = 500_000
