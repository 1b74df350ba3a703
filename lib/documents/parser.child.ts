import { AppError, messageOf } from "../domain/errors.ts"
import { parseDocument } from "./parse.ts"
import type { Extracted, Format } from "./types.ts"

export type ParseTask = { readonly format: Format; readonly extension: string; readonly bytes: Uint8Array }
/** `started` comes first. The timeout of the file begins with it. */
export type ParseReply = { readonly started: true } | { readonly extracted: Extracted } | { readonly detail: string }

/** More than any real document contains. */
const MAX_CHARACTERS = 50_000_000

const runTask = async ({ format, extension, bytes }: ParseTask): Promise<ParseReply> => {
  try {
    const extracted = await parseDocument(format, bytes, extension)
    const characters = extracted.sections.reduce((sum, { text }) => sum + text.length, 0)
    return characters > MAX_CHARACTERS
      ? { detail: `it contains more than ${MAX_CHARACTERS / 1_000_000} million characters` }
      : { extracted }
  } catch (error) {
    return { detail: AppError.is(error) ? error.message : `it is damaged (${messageOf(error)})` }
  }
}

const send = (reply: ParseReply): Promise<unknown> =>
  new Promise((sent) => process.send?.(reply, undefined, undefined, sent))

process.on("message", async (task: ParseTask) => {
  await send({ started: true })
  await send(await runTask(task))
})
process.on("disconnect", () => process.exit(0))
