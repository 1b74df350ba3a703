import { access } from "node:fs/promises"
import { resolve } from "node:path"
import type { IngestRequest, IngestResponse } from "../../api/documents.ts"
import { codeOf, readFileInside } from "../../documents/read.ts"
import { type FoundFile, resolveRoots, walkDocuments } from "../../documents/walk.ts"
import { AppError, messageOf } from "../../domain/errors.ts"
import { mapInOrder } from "../../platform/concurrency.ts"
import type { RecordFile } from "../../platform/files/record-file.ts"
import { findBlobKey } from "../../storage/blobs/keys.ts"
import { countChunks } from "../../storage/stores/ports/chunk-batches.ts"
import type { Deps } from "../deps.ts"
import { type Prepared, prepareFile, removeChunkFiles, type Work } from "./prepare-file.ts"

export type IngestProgress = { readonly path: string; readonly files: number; readonly result: IngestResponse }
export type IngestOptions = {
  readonly signal: AbortSignal
  /** The folder that relative paths refer to. */
  readonly cwd?: string
  readonly onProgress?: (progress: IngestProgress) => void
}

/** The number of files that are read and embedded while earlier files are written. */
const CONCURRENCY = 4

/**
 * Ingests files and folders. New and changed files are read, split, embedded and written, each in one transaction;
 * unchanged files are only read and hashed. A file that fails is reported in the result. If no file succeeds, the first
 * error is thrown.
 * @throws AppError the error of the first file if none succeeded, `unavailable` if the embedding model is unreachable
 */
export const ingest = async (
  deps: Deps,
  { paths, prune }: IngestRequest,
  { signal, cwd = process.cwd(), onProgress }: IngestOptions,
): Promise<IngestResponse> => {
  const embedder = await deps.engines.getEmbedder()
  const failure = new AbortController()
  const roots = await resolveRoots(deps.config.roots)
  const read: Work["read"] = (path, admit) => readFileInside(path, roots, admit)
  const work = { deps, embedder, read, signal: AbortSignal.any([signal, failure.signal]), files: new Set<RecordFile>() }
  const failed: { path: string; detail: string }[] = []
  const result = { ingested: 0, chunks: 0, unchanged: 0, skipped: 0, pruned: 0, failed }
  let firstError: unknown
  let files = 0
  const write = async (prepared: Prepared): Promise<void> => {
    if ("document" in prepared) {
      await deps.index.put(prepared.document)
      await removeChunkFiles(work.files, prepared.document.chunks)
      result.ingested++
      result.chunks += countChunks(prepared.document.chunks)
    } else if ("unchanged" in prepared) result.unchanged++
    else {
      if (!isFileError(prepared.error)) throw prepared.error
      firstError ??= prepared.error
      failed.push({ path: prepared.path, detail: messageOf(prepared.error) })
    }
  }
  const found = findDocuments({ paths, cwd, roots: deps.config.roots }, () => {
    result.skipped++
  })
  try {
    for await (const prepared of mapInOrder(found, CONCURRENCY, (file, turn) => prepareFile(work, file, turn)))
      try {
        signal.throwIfAborted()
        await write(prepared)
        onProgress?.({ path: prepared.path, files: ++files, result })
      } catch (error) {
        // Leaving the loop waits for the files that are being prepared, so abort them.
        failure.abort(error)
        throw error
      }
  } finally {
    await removeChunkFiles(work.files)
  }
  if (prune) result.pruned = await pruneDocuments(deps, paths, cwd)
  if (firstError !== undefined && result.ingested + result.unchanged + result.pruned === 0) throw firstError
  return result
}

/** Returns true if only one file is affected. Any other error ends the request. */
const isFileError = (error: unknown): boolean =>
  AppError.is(error) && !["unavailable", "storage_full", "capability_missing", "internal"].includes(error.code)

/** Yields the documents at the given paths, each once. Calls `onSkipped` for every file with an unsupported format. */
async function* findDocuments(
  { paths, cwd, roots }: { readonly paths: readonly string[]; readonly cwd: string; readonly roots: readonly string[] },
  onSkipped: () => void,
): AsyncGenerator<FoundFile> {
  const seen = new Set<string>()
  for (const path of paths)
    for await (const item of walkDocuments(path, cwd, roots, seen))
      if ("skipped" in item) onSkipped()
      else yield item
}

/** Removes documents at or below the paths whose files no longer exist. Returns the number of removed documents. */
const pruneDocuments = async (
  { index, blobs }: Pick<Deps, "index" | "blobs">,
  paths: readonly string[],
  cwd: string,
): Promise<number> => {
  const missing = new Set<string>()
  for (const path of paths)
    for (const { id, source } of await index.listUnderPath(resolve(cwd, path)))
      if (await isMissing(blobs, source)) missing.add(id)
  return missing.size > 0 ? index.remove([...missing]) : 0
}

const isMissing = async (blobs: Deps["blobs"], path: string): Promise<boolean> => {
  try {
    await access(path)
    return false
  } catch (error) {
    if (!["ENOENT", "ENOTDIR"].includes(codeOf(error))) return false
    // Uploads may have moved to another blob storage.
    const key = findBlobKey(blobs, path)
    return key === null || (await blobs.stat(key)) === null
  }
}
