import * as z from "zod"
import { boundedList } from "../bounded.ts"
import { cleanName, isoTime } from "../schemas.ts"

const seconds = z.number().min(0).max(2_592_000)
const speaker = z.string().overwrite(cleanName).min(1).max(100)
/**
 * A word is in the span if its midpoint is. With `of`, the edit applies only to the words of that speaker, unless the
 * speaker has none in the span.
 */
const span = { start_s: seconds, end_s: seconds, of: speaker.optional() }
const isOrdered = <T extends { start_s: number; end_s: number }>({ start_s, end_s }: T): boolean => end_s >= start_s
const ORDER = { error: "is before start_s", path: ["end_s"] }

/** A correction of a transcript. It is anchored by time, so that it also applies after re-transcription. */
export const wordEdit = z.discriminatedUnion("kind", [
  /** Replaces the words of the span. An empty list deletes them. */
  z
    .object({
      kind: z.literal("text"),
      ...span,
      words: boundedList(z.string().overwrite(cleanName).min(1).max(200), { max: 2000 }),
    })
    .refine(isOrdered, ORDER),
  /** Assigns the words of the span to a speaker. */
  z.object({ kind: z.literal("speaker"), ...span, speaker }).refine(isOrdered, ORDER),
  /** Merges two speakers. Applies to the current transcript only, because re-transcription numbers speakers again. */
  z
    .object({ kind: z.literal("merge"), from: speaker, into: speaker })
    .refine(({ from, into }) => from !== into, { error: "must be a different speaker than 'from'", path: ["into"] }),
])
export type WordEdit = z.infer<typeof wordEdit>

export const storedWordEdit = z.object({ id: z.int(), at: isoTime, edit: wordEdit })
export type StoredWordEdit = z.infer<typeof storedWordEdit>
