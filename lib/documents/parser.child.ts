import { AppError, messageOf } from "../domain/errors.ts"
import { parse } from "./parse.ts"
import type { Extracted, Format } from "./types.ts"

export type ParseTask = { readonly format: Format; readonly extension: string; readonly bytes: Uint8Array }
/** `begun` comes first: from then on the time of a file counts. */
export type ParseAnswer = { readonly begun: true } | { readonly extracted: Extracted } | { readonly detail: string }

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

const tell = (answer: ParseAnswer): Promise<unknown> =>
  new Promise((told) => process.send?.(answer, undefined, undefined, told))

process.on("message", async (task: ParseTask) => {
  await tell({ begun: true })
  await tell(await answerTo(task))
})
process.on("disconnect", () => process.exit(0))
