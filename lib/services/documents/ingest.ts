import type { IngestRequest, IngestResult } from "../../api/documents.ts"
import { readInside } from "../../documents/read.ts"
import { documentsAt, type Found, realRoots } from "../../documents/walk.ts"
import { AppError, messageOf } from "../../domain/errors.ts"
import { mapInOrder } from "../../platform/concurrency.ts"
import type { Deps } from "../deps.ts"
import { type Prepared, prepareFile, type Work } from "../jobs/prepare-file.ts"
import { prune } from "./prune.ts"

export type IngestProgress = { readonly path: string; readonly files: number; readonly result: IngestResult }
export type IngestOptions = {
  readonly signal: AbortSignal
  /** Folder against which relative paths are taken. */
  readonly cwd?: string
  readonly onProgress?: (progress: IngestProgress) => void
}
/** Failures of one file; what is wrong with the service itself ends the request. */
const isOfTheFile = (error: unknown): boolean =>
  AppError.is(error) && !["unavailable", "storage_full", "capability_missing", "internal"].includes(error.code)

/** Files that are read and embedded while those before them are written. */
const AT_ONCE = 4

/** What all the paths name, each file once; what is no document is only counted. */
async function* documentsOf(
  { paths, cwd, roots }: { readonly paths: readonly string[]; readonly cwd: string; readonly roots: readonly string[] },
  onSkipped: () => void,
): AsyncGenerator<Found> {
  const seen = new Set<string>()
  for (const given of paths)
    for await (const item of documentsAt(given, cwd, roots, seen))
      if ("skipped" in item) onSkipped()
      else yield item
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
  const gone = new AbortController()
  const both = AbortSignal.any([signal, gone.signal])
  const roots = await realRoots(deps.config.roots)
  const read: Work["read"] = (path, admit) => readInside(path, roots, admit)
  const work = { deps, embedder, read, signal: both }
  const failed: { path: string; detail: string }[] = []
  const result = { ingested: 0, chunks: 0, unchanged: 0, skipped: 0, pruned: 0, failed }
  let firstError: unknown
  let files = 0
  const take = async (item: Prepared): Promise<void> => {
    if ("document" in item) {
      await deps.index.put(item.document)
      result.ingested++
      result.chunks += item.document.chunks.length
    } else if ("unchanged" in item) result.unchanged++
    else {
      if (!isOfTheFile(item.error)) throw item.error
      firstError ??= item.error
      failed.push({ path: item.path, detail: messageOf(item.error) })
    }
  }
  const found = documentsOf({ paths, cwd, roots: deps.config.roots }, () => {
    result.skipped++
  })
  for await (const item of mapInOrder(found, AT_ONCE, (next, turn) => prepareFile(work, next, turn)))
    try {
      signal.throwIfAborted()
      await take(item)
      onProgress?.({ path: item.path, files: ++files, result })
    } catch (error) {
      // The loop is left only when what was begun ahead has ended.
      gone.abort(error)
      throw error
    }
  if (pruning) result.pruned = await prune(deps, paths, cwd)
  if (firstError !== undefined && result.ingested + result.unchanged + result.pruned === 0) throw firstError
  return result
}
