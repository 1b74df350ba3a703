import { basename } from "node:path"
import { matchesFormat } from "../../documents/formats.ts"
import type { Format } from "../../domain/document-formats.ts"
import { formatOf, KNOWN_EXTENSIONS } from "../../domain/document-formats.ts"
import type { DocumentEntry } from "../../domain/documents.ts"
import { AppError, messageOf } from "../../domain/errors.ts"
import { uuid5 } from "../../domain/ids.ts"
import type { RecordFile } from "../../platform/files/record-file.ts"
import { documentKey } from "../../storage/blobs/keys.ts"
import type { IncomingBlob } from "../../storage/blobs/types.ts"
import type { Deps } from "../deps.ts"
import { removeIfUnused } from "../uploads/unused-uploads.ts"
import { withUploadLock } from "../uploads/upload-lock.ts"
import { describeDocument, readBlob } from "./documents.ts"
import { contentMismatch, prepareFile, removeChunkFiles } from "./prepare-file.ts"

/** Returns the format of a document by its extension. @throws AppError `unsupported_media` */
const requireFormat = (name: string): Format => {
  const format = formatOf(name)
  if (format !== null) return format
  throw new AppError("unsupported_media", `Couldn't add ${name}: unsupported format. Supported: ${KNOWN_EXTENSIONS}.`)
}

/** Checks the name and the first bytes of an uploaded document. @throws AppError `unsupported_media` */
export const checkDocumentHead = (name: string, head: Uint8Array): void => {
  if (!matchesFormat(requireFormat(name), head)) throw contentMismatch(name)
}

/**
 * Stores and indexes an uploaded document. If it cannot be read, its file is deleted again, unless it was there before.
 * @throws AppError with the reason why it cannot be read
 */
export const addDocument = async (
  deps: Deps,
  { incoming, name }: { readonly incoming: IncomingBlob; readonly name: string },
  signal: AbortSignal,
): Promise<DocumentEntry> => {
  const key = documentKey(incoming.sha256, name)
  const discard = async (error: unknown): Promise<never> => {
    await incoming.discard()
    throw error
  }
  try {
    requireFormat(name)
  } catch (error) {
    return discard(error)
  }
  const path = deps.blobs.addressOf(key)
  await withUploadLock(deps.store, key, async () => {
    const isNew = await incoming.keep(key).catch(discard)
    try {
      await indexUpload(deps, key, path, signal)
    } catch (error) {
      if (isNew) await removeIfUnused(deps, key).catch((err: unknown) => logFailedRemoval(deps, path, err))
      throw withFileName(error, path)
    }
  })
  const found = await deps.index.getFile(uuid5(`file:${path}`))
  if (!found)
    throw new AppError("unavailable", `Couldn't add ${name}: it was deleted during indexing. Upload it again.`)
  return describeDocument(deps, found.document)
}

const indexUpload = async (deps: Deps, key: string, path: string, signal: AbortSignal): Promise<void> => {
  const read = () => readBlob(deps.blobs, key)
  const files = new Set<RecordFile>()
  const work = { deps, embedder: await deps.engines.getEmbedder(), read, signal, files }
  try {
    const prepared = await prepareFile(work, { path }, Promise.resolve())
    if ("error" in prepared) throw prepared.error
    if ("document" in prepared) await deps.index.put(prepared.document)
  } finally {
    await removeChunkFiles(files)
  }
}

const logFailedRemoval = ({ log }: Pick<Deps, "log">, path: string, error: unknown): void =>
  log.warn({ path, detail: messageOf(error) }, "failed to delete an uploaded document")

/** Replaces the storage path in an error message by the file name, because the client does not know the path. */
const withFileName = (error: unknown, path: string): unknown =>
  AppError.is(error)
    ? new AppError(error.code, error.message.replaceAll(path, basename(path)), { cause: error })
    : error
