import { serialize } from "node:v8"
import { AppError, messageOf } from "../domain/errors.ts"
import { embedByHashing } from "../domain/text/hash-embedding.ts"
import type { ContentSummary } from "./content/content-collector.ts"
import { placeChunks } from "./content/place-chunks.ts"
import { divideContent } from "./content/portions.ts"
import { readContent } from "./content/read-content.ts"
import { LIMITS } from "./limits.ts"
import { parseDocument } from "./parse.ts"
import type { ChunkRecord, ParseReply, ParseRequest, ParseTask } from "./parser-messages.ts"
import { type ChunkDraft, chunkEmbeddingText, type ParsedChunk, splitDocument } from "./split.ts"

/** A batch is small, so that receiving it does not block the parent process. */
const MAX_BATCH_CHARACTERS = 100_000
/** A vector of 3 kB takes at least as much time as this number of characters. */
const VECTOR_CHARACTERS = 1000

const send = (reply: ParseReply): Promise<unknown> =>
  new Promise((sent) => process.send?.(reply, undefined, undefined, sent))

/** Sends all batches but the last one, which it returns. */
const sendChunks = async (chunks: Iterable<ChunkDraft>, embeds: boolean): Promise<ChunkRecord> => {
  let batch: ParsedChunk[] = []
  let characters = 0
  let count = 0
  const encode = (): ChunkRecord => ({ record: serialize(batch), count: batch.length })
  for (const chunk of chunks) {
    if (++count > LIMITS.chunks)
      throw new AppError(
        "too_large",
        `it has more than ${LIMITS.chunks} chunks, the limit of one document. Split it into smaller files.`,
      )
    if (characters >= MAX_BATCH_CHARACTERS) {
      await send(encode())
      batch = []
      characters = 0
    }
    batch.push(embeds ? { ...chunk, vector: embedByHashing(chunkEmbeddingText(chunk)) } : chunk)
    characters += chunk.text.length + 2 * chunk.context.length + VECTOR_CHARACTERS
  }
  return encode()
}

const toRecord = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

/** Sends the portions of a file's content, and returns its summary. */
const sendContent = async ({ format, extension, bytes, split }: ParseTask): Promise<ChunkRecord> => {
  const blocks = await readContent(format, bytes, extension)
  const chunks = [...splitDocument(await parseDocument(format, bytes, extension), split)].map(({ text }) => text)
  const { portions, outline } = divideContent(blocks, placeChunks(blocks, chunks, split.chunkOverlap))
  for (const { entry: _, ...portion } of portions) await send({ record: toRecord(portion), count: 1 })
  const summary: ContentSummary = { portions: portions.map(({ entry }) => entry), outline, chunks: chunks.length }
  return { record: toRecord(summary), count: 0 }
}

const runTask = async (task: ParseTask): Promise<ParseReply> => {
  const { format, extension, bytes, split, embeds } = task
  try {
    if (task.purpose === "content") return { done: true, ...(await sendContent(task)) }
    const extracted = await parseDocument(format, bytes, extension)
    return { done: true, ...(await sendChunks(splitDocument(extracted, split), embeds)) }
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
