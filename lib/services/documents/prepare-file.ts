import { createHash } from "node:crypto"
import { extname } from "node:path"
import { setImmediate as immediate } from "node:timers/promises"
import { serialize } from "node:v8"
import type { ParsedChunks } from "../../documents/chunk-collector.ts"
import { matchesFormat } from "../../documents/formats.ts"
import { LIMITS } from "../../documents/limits.ts"
import { chunkEmbeddingText, type ParsedChunk } from "../../documents/split.ts"
import type { FoundFile } from "../../documents/walk.ts"
import { formatOf } from "../../domain/document-formats.ts"
import { AppError } from "../../domain/errors.ts"
import { uuid5 } from "../../domain/ids.ts"
import { HASHING_MODEL } from "../../domain/text/hash-embedding.ts"
import type { Embedder } from "../../engines/language/types.ts"
import { createRecordFile, type RecordFile, readRecords } from "../../platform/files/record-file.ts"
import type { NewChunk, NewDocument } from "../../storage/stores/ports/documents.ts"
import type { Deps } from "../deps.ts"
import { createFingerprint } from "./fingerprint.ts"

/** The number of chunks that are embedded in one call. */
const EMBED_BATCH_SIZE = 256

export type Work = {
  readonly deps: Deps
  readonly embedder: Embedder
  /** Returns the bytes of a file. Awaits `admit` with its size before reading. */
  readonly read: (path: string, admit: (size: number) => Promise<void>) => Promise<Uint8Array>
  readonly signal: AbortSignal
  /** The files of the chunks of large documents, until they are removed. */
  readonly files: Set<RecordFile>
}

export type Prepared = { readonly path: string } & (
  | { readonly error: unknown }
  | { readonly unchanged: true }
  | { readonly document: NewDocument }
)

/**
 * Reads, splits and embeds one file without writing anything. Errors become part of the result.
 * @param turn resolves when all earlier files are finished
 */
export const prepareFile = async (work: Work, found: FoundFile, turn: Promise<void>): Promise<Prepared> => {
  const { path } = found
  if ("error" in found) return found
  try {
    work.signal.throwIfAborted()
    const document = await prepareDocument(work, path, turn)
    return document === null ? { path, unchanged: true } : { path, document }
  } catch (error) {
    return { path, error }
  }
}

const HASH_SLICE_BYTES = 2 ** 22

/** Returns the SHA-256 of a file as `sha256` does. Other requests are handled between two slices of a large one. */
export const hashInTurns = async (bytes: Uint8Array): Promise<string> => {
  const hash = createHash("sha256")
  for (let from = 0; from < bytes.byteLength; from += HASH_SLICE_BYTES) {
    if (from > 0) await immediate()
    hash.update(bytes.subarray(from, from + HASH_SLICE_BYTES))
  }
  return hash.digest("hex")
}

/** Returns null if the file is already indexed with the same contents and settings. */
const prepareDocument = async (work: Work, path: string, turn: Promise<void>): Promise<NewDocument | null> => {
  const { deps, embedder, read, signal } = work
  const { config, index, parser } = deps
  // Large files are read one at a time, in order, because they need much memory and time.
  const bytes = await read(path, (size) => (size > LIMITS.smallFileBytes ? turn : Promise.resolve()))
  const { chunkSize, chunkOverlap } = config.documents
  const fingerprint = createFingerprint(await hashInTurns(bytes), embedder.name, { chunkSize, chunkOverlap })
  const indexed = (await index.findBySource("file", [path])).get(path)
  if (indexed?.fingerprint === fingerprint) return null
  const format = formatOf(path)
  if (format === null || !matchesFormat(format, bytes)) throw contentMismatch(path)
  const split = { chunkSize, chunkOverlap }
  const embeds = embedder.name === HASHING_MODEL
  const parsed = await parser.parse({ path, format, bytes, split, embeds, requester: work }, signal)
  if (parsed.count === 0) throw new AppError("invalid", `Couldn't read ${path}: it contains no text.`)
  return {
    id: uuid5(`file:${path}`),
    kind: "file",
    source: path,
    fingerprint,
    embedModel: embedder.name,
    chunks: await embedChunks(work, parsed),
  }
}

/** Adds the vectors that chunks lack. */
const embedList = async (
  embedder: Embedder,
  chunks: readonly ParsedChunk[],
  signal: AbortSignal,
): Promise<NewChunk[]> => {
  const embedded: NewChunk[] = []
  for (let from = 0; from < chunks.length; from += EMBED_BATCH_SIZE) {
    const batch = chunks.slice(from, from + EMBED_BATCH_SIZE)
    const vectors = batch.every((chunk) => chunk.vector)
      ? batch.map((chunk) => chunk.vector!)
      : await embedder.embed(batch.map(chunkEmbeddingText), "document", signal)
    batch.forEach((chunk, i) => {
      embedded.push({ ...chunk, vector: vectors[i]! })
    })
  }
  return embedded
}

/** Adds the vectors that chunks lack. Chunks in a file are embedded into another file, a few at a time. */
const embedChunks = async (
  { deps, embedder, signal, files }: Work,
  parsed: ParsedChunks,
): Promise<NewDocument["chunks"]> => {
  if ("list" in parsed) return embedList(embedder, parsed.list, signal)
  const { count, file } = parsed
  files.add(file)
  if (embedder.name === HASHING_MODEL) return { path: file.path, count }
  const embedded = await createRecordFile(deps.config.data.tempDir)
  files.add(embedded)
  for (const chunks of readRecords(file.path) as Generator<readonly ParsedChunk[]>)
    await embedded.append(serialize(await embedList(embedder, chunks, signal)))
  return { path: embedded.path, count }
}

/** Removes the files of chunks that have been written or are no longer needed. */
export const removeChunkFiles = async (files: Work["files"], chunks?: NewDocument["chunks"]): Promise<void> => {
  for (const file of files) {
    if (chunks && !("path" in chunks && chunks.path === file.path)) continue
    files.delete(file)
    await file.remove()
  }
}

/** Returns the error for a document whose first bytes are not those of the format of its extension. */
export const contentMismatch = (path: string): AppError =>
  new AppError(
    "unsupported_media",
    `Couldn't read ${path}: its contents do not match the extension '${extname(path)}'. Save it again (text as UTF-8) or correct the extension.`,
  )
