import { trimEndOf } from "../../../domain/text/trim-end.ts"
import type { CallContext, RegionRequest } from "../types.ts"
import { regionPrompt } from "./prompts.ts"
import type { StructuredChat } from "./structured-chat.ts"

const MAX_WORDS = 6
const MAX_CHARACTERS = 60
/** The expressions below are slow on long answers. */
const MAX_ANSWER_CHARACTERS = 200

/** Names what topics have in common. Returns null for topics without titles. */
export const nameRegion = async (
  chat: StructuredChat,
  { titles, phrases }: RegionRequest,
  ctx: CallContext,
): Promise<string | null> => {
  if (titles.length === 0) return null
  return chat(
    {
      what: "a name",
      priority: "background",
      messages: regionPrompt(titles, phrases),
      kind: "region",
      parse: ({ name }) => {
        const tidy = trimEndOf(name.slice(0, MAX_ANSWER_CHARACTERS), /["”'.\s]/)
          .replace(/^["“'\s]+/, "")
          .replace(/\s+/g, " ")
        const isUsable = tidy !== "" && tidy.length <= MAX_CHARACTERS && tidy.split(" ").length <= MAX_WORDS
        return isUsable ? { value: tidy } : { problem: "The name must have 1 to 4 words." }
      },
    },
    ctx,
  )
}
