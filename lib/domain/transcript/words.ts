import * as z from "zod"
import { withoutNul } from "../schemas.ts"

/** Longer than any recording: thirty days, in seconds. */
const MAX_SECONDS = 30 * 24 * 3600

/** One spoken word. Times in seconds from the start of the recording; speakers are "0", "1"… by first appearance. */
export const wordSpan = z
  .object({
    word: z.string().overwrite(withoutNul).min(1).max(200),
    start: z.number().min(0).max(MAX_SECONDS),
    end: z.number().min(0).max(MAX_SECONDS),
    speaker: z.string().overwrite(withoutNul).max(100).default("0"),
  })
  .refine((w) => w.end >= w.start, { error: "a word ends before it starts", path: ["end"] })
export type WordSpan = z.infer<typeof wordSpan>

export const MAX_WORDS = 500_000

/** A whole transcript: at most 500 000 spans whose starts do not fall. */
export const transcript = z
  .array(wordSpan)
  .max(MAX_WORDS)
  .superRefine((words, ctx) => {
    const at = words.findIndex((w, i) => i > 0 && w.start < words[i - 1]!.start)
    if (at > 0)
      ctx.addIssue({
        code: "custom",
        path: [at, "start"],
        message: `the start of word ${at} lies before that of the word before it`,
      })
  })
