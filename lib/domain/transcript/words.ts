import * as z from "zod"
import { boundedList } from "../bounded.ts"
import { removeNul } from "../schemas.ts"

/** Thirty days, more than any recording lasts. */
const MAX_SECONDS = 30 * 24 * 3600

/**
 * One word of a transcript. Times are in seconds from the start of the recording. Speakers are "0", "1" … in order of first
 * appearance.
 */
export const wordSpan = z
  .object({
    word: z.string().overwrite(removeNul).min(1).max(200),
    start: z.number().min(0).max(MAX_SECONDS),
    end: z.number().min(0).max(MAX_SECONDS),
    speaker: z.string().overwrite(removeNul).max(100).default("0"),
  })
  .refine((word) => word.end >= word.start, { error: "must not be before the start of the word", path: ["end"] })
export type WordSpan = z.infer<typeof wordSpan>

export const MAX_WORDS = 500_000

/** A whole transcript, ordered by start time. */
export const transcript = boundedList(wordSpan, { max: MAX_WORDS }).superRefine((words, ctx) => {
  const at = words.findIndex((word, i) => i > 0 && word.start < words[i - 1]!.start)
  if (at > 0)
    ctx.addIssue({
      code: "custom",
      path: [at, "start"],
      message: "must not be before the start of the previous word",
    })
})
