import { openAsBlob } from "node:fs"
import { basename } from "node:path"
import type { EarmarkClient } from "#lib/api/client/index.ts"
import { EarmarkError } from "#lib/api/client/index.ts"
import type { IngestResponse } from "#lib/api/documents.ts"
import { walkDocuments } from "#lib/documents/walk.ts"
import { AppError, messageOf } from "#lib/domain/errors.ts"

/** The statuses of errors that concern one document only. */
const FILE_STATUSES = [400, 413, 415, 422]

const isFileError = (error: unknown): boolean =>
  error instanceof EarmarkError ? FILE_STATUSES.includes(error.status) : AppError.is(error)

/** Returns the IDs of the documents that were uploaded. */
const listUploads = async (client: EarmarkClient): Promise<Set<string>> => {
  const { documents } = await client.documents()
  return new Set(documents.filter(({ uploaded }) => uploaded).map(({ id }) => id))
}

/**
 * Uploads the documents of files and folders of this machine, one after the other. The same bytes under the same name are
 * the same document. A file that fails is reported in the result.
 * @throws the error of the first file if none succeeded, or an error that concerns more than one file
 */
export const uploadDocuments = async (
  client: EarmarkClient,
  paths: readonly string[],
  onProgress: (files: number, path: string) => void,
): Promise<IngestResponse> => {
  const uploaded = await listUploads(client)
  const failed: IngestResponse["failed"] = []
  const result = { ingested: 0, chunks: 0, unchanged: 0, skipped: 0, pruned: 0, failed }
  let firstError: unknown
  const upload = async (path: string): Promise<void> => {
    const { id, chunks } = await client.addDocument(await openAsBlob(path), { filename: basename(path) })
    if (uploaded.has(id)) result.unchanged++
    else {
      result.ingested++
      result.chunks += chunks
    }
    uploaded.add(id)
  }
  const seen = new Set<string>()
  let files = 0
  for (const given of paths)
    for await (const found of walkDocuments(given, process.cwd(), ["/"], seen)) {
      if ("skipped" in found) {
        result.skipped++
        continue
      }
      try {
        if ("error" in found) throw found.error
        await upload(found.path)
      } catch (error) {
        if (!isFileError(error)) throw error
        firstError ??= error
        failed.push({ path: found.path, detail: messageOf(error) })
      }
      onProgress(++files, found.path)
    }
  if (firstError !== undefined && result.ingested + result.unchanged === 0) throw firstError
  return result
}
