import * as z from "zod"
import { boundedList } from "../bounded.ts"
import { cleanName, isoTime } from "../schemas.ts"

const seconds = z.number().min(0).max(2_592_000)
const speaker = z.string().overwrite(cleanName).min(1).max(100)
/** A word is in the span if its midpoint is. */
const span = {
  start_s: seconds.describe("The start of the span in seconds"),
  end_s: seconds.describe("The end of the span in seconds"),
  of: speaker.optional().describe("Only the words of this speaker, unless the speaker has none in the span"),
}
const isOrdered = <T extends { start_s: number; end_s: number }>({ start_s, end_s }: T): boolean => end_s >= start_s
const ORDER = { error: "is before start_s", path: ["end_s"] }

/** A correction of a transcript. It is anchored by time, so that it also applies after re-transcription. */
export const wordEdit = z.discriminatedUnion("kind", [
  z
    .object({
      kind: z.literal("text").describe("Replace words"),
      ...span,
      words: boundedList(z.string().overwrite(cleanName).min(1).max(200), { max: 2000 }).describe(
        "The words that replace those of the span. An empty list deletes them",
      ),
    })
    .refine(isOrdered, ORDER)
    .describe("Replaces the words of the span"),
  z
    .object({
      kind: z.literal("speaker").describe("Assign words to a speaker"),
      ...span,
      speaker: speaker.describe("The speaker to whom the words are assigned"),
    })
    .refine(isOrdered, ORDER)
    .describe("Assigns the words of the span to a speaker"),
  z
    .object({
      kind: z.literal("merge").describe("Merge two speakers"),
      from: speaker.describe("The speaker who disappears"),
      into: speaker.describe("The speaker who gets the words"),
    })
    .refine(({ from, into }) => from !== into, { error: "must be a different speaker than 'from'", path: ["into"] })
    .describe("Merges two speakers of the current transcript. Re-transcription numbers speakers again"),
])
export type WordEdit = z.infer<typeof wordEdit>

export const storedWordEdit = z.object({
  id: z.int().describe("The ID of the edit"),
  at: isoTime.describe("When the edit was made"),
  edit: wordEdit.describe("The edit"),
})
export type StoredWordEdit = z.infer<typeof storedWordEdit>
