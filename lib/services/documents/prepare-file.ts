import { extname } from "node:path"
import { formatOf, matchesFormat } from "../../documents/formats.ts"
import { LIMITS } from "../../documents/limits.ts"
import type { ChunkDraft } from "../../documents/split.ts"
import type { FoundFile } from "../../documents/walk.ts"
import { AppError } from "../../domain/errors.ts"
import { sha256, uuid5 } from "../../domain/ids.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { NewDocument } from "../../storage/stores/ports/documents.ts"
import type { Deps } from "../deps.ts"

/** Part of the fingerprint. Increment it when loaders or the splitter change, so that files are read again. */
const EXTRACTION_VERSION = 1

/** The number of chunks that are embedded in one call. */
const EMBED_BATCH_SIZE = 256

export type Work = {
  readonly deps: Deps
  readonly embedder: Embedder
  /** Returns the bytes of a file. Awaits `admit` with its size before reading. */
  readonly read: (path: string, admit: (size: number) => Promise<void>) => Promise<Uint8Array>
  readonly signal: AbortSignal
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

/** Returns null if the file is already indexed with the same contents and settings. */
const prepareDocument = async (work: Work, path: string, turn: Promise<void>): Promise<NewDocument | null> => {
  const { deps, embedder, read, signal } = work
  const { config, index, parser } = deps
  // Large files are read one at a time, in order, because they need much memory and time.
  const bytes = await read(path, (size) => (size > LIMITS.smallFileBytes ? turn : Promise.resolve()))
  const { chunkSize, chunkOverlap } = config.documents
  const fingerprint = [sha256(bytes), embedder.name, chunkSize, chunkOverlap, EXTRACTION_VERSION].join(" ")
  const indexed = (await index.findBySource("file", [path])).get(path)
  if (indexed?.fingerprint === fingerprint) return null
  const format = formatOf(path)
  if (format === null || !matchesFormat(format, bytes)) throw contentMismatch(path)
  const split = { chunkSize, chunkOverlap }
  const chunks = await parser.parse({ path, format, bytes, split, requester: work }, signal)
  if (chunks.length === 0) throw new AppError("invalid", `Couldn't read ${path}: it contains no text.`)
  const vectors = await embedChunks(embedder, chunks, signal)
  return {
    id: uuid5(`file:${path}`),
    kind: "file",
    source: path,
    fingerprint,
    embedModel: embedder.name,
    chunks: chunks.map((chunk, i) => ({ ...chunk, vector: vectors[i]! })),
  }
}

const embedChunks = async (
  embedder: Embedder,
  chunks: readonly ChunkDraft[],
  signal: AbortSignal,
): Promise<Float32Array[]> => {
  const vectors: Float32Array[] = []
  for (let from = 0; from < chunks.length; from += EMBED_BATCH_SIZE) {
    const texts = chunks.slice(from, from + EMBED_BATCH_SIZE).map(chunkEmbeddingText)
    vectors.push(...(await embedder.embed(texts, "document", signal)))
  }
  return vectors
}

/** Prepends the title and heading to the text of a chunk if the text does not contain them. */
const chunkEmbeddingText = ({ text, context }: ChunkDraft): string => {
  const missing = context.split("\n").filter((part) => part && !text.includes(part))
  return [...missing, text].join("\n")
}

/** Returns the error for a document whose first bytes are not those of the format of its extension. */
export const contentMismatch = (path: string): AppError =>
  new AppError(
    "unsupported_media",
    `Couldn't read ${path}: its contents do not match the extension '${extname(path)}'. Save it again (text as UTF-8) or correct the extension.`,
  )
