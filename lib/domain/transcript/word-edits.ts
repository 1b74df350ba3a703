import * as z from "zod"
import { isoTime, plainName } from "../schemas.ts"

const seconds = z.number().min(0).max(2_592_000)
const speaker = z.string().overwrite(plainName).min(1).max(100)
/** Words lie in a span when their middle does. `of`: only words of this voice, where the span has any of it. */
const span = { start_s: seconds, end_s: seconds, of: speaker.optional() }
const ordered = <T extends { start_s: number; end_s: number }>({ start_s, end_s }: T): boolean => end_s >= start_s
const ORDER = { error: "it ends before it starts", path: ["end_s"] }

/** What people correct in a transcript. Anchored by time, so that it holds for another engine's words too. */
export const wordEdit = z.discriminatedUnion("kind", [
  /** These words were said there; none: what was heard is to go. */
  z
    .object({
      kind: z.literal("text"),
      ...span,
      words: z.array(z.string().overwrite(plainName).min(1).max(200)).max(2000),
    })
    .refine(ordered, ORDER),
  /** This voice said what was said there. */
  z.object({ kind: z.literal("speaker"), ...span, speaker }).refine(ordered, ORDER),
  /** Two voices are one. Holds for the transcript it was said of: another run counts its voices anew. */
  z
    .object({ kind: z.literal("merge"), from: speaker, into: speaker })
    .refine(({ from, into }) => from !== into, { error: "is the voice itself: name another one", path: ["into"] }),
])
export type WordEdit = z.infer<typeof wordEdit>

export const storedEdit = z.object({ id: z.int(), at: isoTime, edit: wordEdit })
export type StoredEdit = z.infer<typeof storedEdit>
