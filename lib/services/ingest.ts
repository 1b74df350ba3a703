import { extname } from "node:path"
import type { IngestRequest, IngestResult } from "../contracts/documents.ts"
import { fits, formatOf } from "../documents/formats.ts"
import { readInside } from "../documents/read.ts"
import { type Split, split } from "../documents/split.ts"
import { documentsAt, realRoots } from "../documents/walk.ts"
import { AppError, messageOf } from "../errors.ts"
import { bytesHash, uuid5 } from "../ids.ts"
import type { Embedder } from "../models/types.ts"
import type { Deps } from "./deps.ts"
import { prune } from "./prune.ts"

/** Rises when loaders or the splitter change what they make of a file, so that files are read anew. */
const EXTRACTION = 1

export type IngestProgress = { readonly path: string; readonly files: number; readonly result: IngestResult }
export type IngestOptions = {
  readonly signal: AbortSignal
  /** Folder against which relative paths are taken. */
  readonly cwd?: string
  readonly onProgress?: (progress: IngestProgress) => void
}
type Work = {
  readonly deps: Deps
  readonly embedder: Embedder
  readonly roots: readonly string[]
  readonly signal: AbortSignal
}

const chunkOverlapOf = ({ documents }: Deps["config"]): number =>
  Math.min(documents.chunkOverlap, Math.floor(documents.chunkSize / 2))

/** What a chunk's vector stands for: the text, after what it is about where the text itself does not say it. */
const embeddedText = ({ text, context }: Split): string => {
  const missing = context.split("\n").filter((part) => part && !text.includes(part))
  return [...missing, text].join("\n")
}

/** Failures of one file; what is wrong with the service itself ends the request. */
const isOfTheFile = (error: unknown): boolean =>
  AppError.is(error) && !["unavailable", "storage_full", "capability_missing", "internal"].includes(error.code)

/** Reads, splits, embeds and writes one file. @returns its chunks, or null when it is kept as it is */
const ingestFile = async ({ deps, embedder, roots, signal }: Work, path: string): Promise<number | null> => {
  const { config, index, parser } = deps
  const bytes = await readInside(path, roots)
  const { chunkSize } = config.documents
  const chunkOverlap = chunkOverlapOf(config)
  const fingerprint = [bytesHash(bytes), embedder.name, chunkSize, chunkOverlap, EXTRACTION].join(" ")
  const known = (await index.known("file", [path])).get(path)
  if (known?.fingerprint === fingerprint) return null
  const format = formatOf(path)
  if (format === null || !fits(format, bytes))
    throw new AppError("unsupported_media", `'${path}' does not hold what its ending '${extname(path)}' says`)
  const chunks = split(await parser.parse(path, format, bytes, signal), { chunkSize, chunkOverlap })
  if (chunks.length === 0) throw new AppError("invalid", `'${path}' holds no text`)
  const vectors = await embedder.embed(chunks.map(embeddedText), "document", signal)
  await index.put({
    id: uuid5(`file:${path}`),
    kind: "file",
    source: path,
    fingerprint,
    embedModel: embedder.name,
    chunks: chunks.map((chunk, i) => ({ ...chunk, vector: vectors[i]! })),
  })
  return chunks.length
}

/**
 * Takes files and folders: new and changed ones are read, split, embedded and written, each in one transaction; the rest
 * costs a look. What fails is reported and stops nothing, unless all that was named fails: then its error is thrown.
 * @throws AppError the first failure when nothing was taken; `unavailable` when the embedding model cannot be reached
 */
export const ingest = async (
  deps: Deps,
  { paths, prune: pruning }: IngestRequest,
  { signal, cwd = process.cwd(), onProgress }: IngestOptions,
): Promise<IngestResult> => {
  const embedder = await deps.engines.embedder()
  const work = { deps, embedder, roots: await realRoots(deps.config.roots), signal }
  const result = { ingested: 0, chunks: 0, unchanged: 0, pruned: 0, failed: [] as { path: string; detail: string }[] }
  let firstError: unknown
  let files = 0
  const failed = (path: string, error: unknown) => {
    if (!isOfTheFile(error)) throw error
    firstError ??= error
    result.failed.push({ path, detail: messageOf(error) })
  }
  const seen = new Set<string>()
  for (const given of paths)
    for await (const found of documentsAt(given, cwd, deps.config.roots, seen)) {
      signal.throwIfAborted()
      if ("error" in found) failed(found.path, found.error)
      else
        try {
          const chunks = await ingestFile(work, found.path)
          if (chunks === null) result.unchanged++
          else {
            result.ingested++
            result.chunks += chunks
          }
        } catch (error) {
          failed(found.path, error)
        }
      onProgress?.({ path: found.path, files: ++files, result })
    }
  if (pruning) result.pruned = await prune(deps, paths, cwd)
  if (firstError !== undefined && result.ingested + result.unchanged + result.pruned === 0) throw firstError
  return result
}
