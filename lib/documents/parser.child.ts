import { AppError, messageOf } from "../domain/errors.ts"
import { LIMITS } from "./limits.ts"
import { parseDocument } from "./parse.ts"
import type { ParseReply, ParseRequest, ParseTask } from "./parser-messages.ts"
import { type ChunkDraft, splitDocument } from "./split.ts"

/** A batch is small, so that reading it does not block the parent process. */
const MAX_BATCH_CHARACTERS = 100_000

const send = (reply: ParseReply): Promise<unknown> =>
  new Promise((sent) => process.send?.(reply, undefined, undefined, sent))

/** Sends all batches but the last one, which it returns. */
const sendChunks = async (chunks: Iterable<ChunkDraft>): Promise<ChunkDraft[]> => {
  let batch: ChunkDraft[] = []
  let characters = 0
  let count = 0
  for (const chunk of chunks) {
    if (++count > LIMITS.chunks)
      throw new AppError(
        "too_large",
        `it has more than ${LIMITS.chunks} chunks, the limit of one document. Split it into smaller files.`,
      )
    batch.push(chunk)
    characters += chunk.text.length + 2 * chunk.context.length
    if (characters < MAX_BATCH_CHARACTERS) continue
    await send({ chunks: batch })
    batch = []
    characters = 0
  }
  return batch
}

const runTask = async ({ format, extension, bytes, split }: ParseTask): Promise<ParseReply> => {
  try {
    const extracted = await parseDocument(format, bytes, extension)
    return { done: true, chunks: await sendChunks(splitDocument(extracted, split)) }
  } catch (error) {
    return AppError.is(error)
      ? { code: error.code, detail: error.message }
      : { code: "invalid", detail: `it is damaged (${messageOf(error)})` }
  }
}

let slices: Uint8Array[] = []
process.on("message", async (request: ParseRequest) => {
  if ("slice" in request) {
    slices.push(request.slice)
    return
  }
  const bytes = slices.length > 0 ? Buffer.concat([...slices, request.bytes]) : request.bytes
  slices = []
  void send({ started: true })
  await send(await runTask({ ...request, bytes }))
})
process.on("disconnect", () => process.exit(0))
