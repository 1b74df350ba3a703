import { AppError, messageOf } from "../errors.ts"
import { parse } from "./parse.ts"
import type { Extracted, Format } from "./types.ts"

export type ParseTask = { readonly format: Format; readonly extension: string; readonly bytes: Uint8Array }
export type ParseAnswer = { readonly extracted: Extracted } | { readonly detail: string }

/** Text of this many characters is more than a book shelf; a file that gives more was made to. */
const MAX_CHARACTERS = 50_000_000

const answerTo = async ({ format, extension, bytes }: ParseTask): Promise<ParseAnswer> => {
  try {
    const extracted = await parse(format, bytes, extension)
    const characters = extracted.sections.reduce((sum, { text }) => sum + text.length, 0)
    return characters > MAX_CHARACTERS ? { detail: "it holds more text than can be taken" } : { extracted }
  } catch (error) {
    return { detail: AppError.is(error) ? error.message : `it is damaged (${messageOf(error)})` }
  }
}

process.on("message", (task: ParseTask) => void answerTo(task).then((answer) => process.send?.(answer)))
process.on("disconnect", () => process.exit(0))
