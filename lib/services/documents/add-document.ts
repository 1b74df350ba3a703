import { basename } from "node:path"
import { formatOf, KNOWN_EXTENSIONS } from "../../documents/formats.ts"
import type { DocumentEntry } from "../../domain/documents.ts"
import { AppError } from "../../domain/errors.ts"
import { uuid5 } from "../../domain/ids.ts"
import { documentKey } from "../../storage/blobs/keys.ts"
import type { IncomingBlob } from "../../storage/blobs/types.ts"
import type { Deps } from "../deps.ts"
import { describeDocument, readBlob, removeUpload } from "./documents.ts"
import { prepareFile } from "./prepare-file.ts"

/**
 * Stores and indexes an uploaded document. If it cannot be read, its file is deleted again.
 * @throws AppError with the reason why it cannot be read
 */
export const addDocument = async (
  deps: Deps,
  { incoming, name }: { readonly incoming: IncomingBlob; readonly name: string },
  signal: AbortSignal,
): Promise<DocumentEntry> => {
  const { blobs, index } = deps
  const key = documentKey(incoming.sha256, name)
  const path = blobs.addressOf(key)
  try {
    if (formatOf(name) === null)
      throw new AppError(
        "unsupported_media",
        `Couldn't add ${name}: unsupported format. Supported: ${KNOWN_EXTENSIONS}.`,
      )
    await incoming.keep(key)
  } catch (error) {
    await incoming.discard()
    throw error
  }
  const work = { deps, embedder: await deps.engines.getEmbedder(), read: () => readBlob(blobs, key), signal }
  const prepared = await prepareFile(work, { path }, Promise.resolve())
  if ("error" in prepared) {
    await removeUpload(deps, path)
    throw withFileName(prepared.error, path)
  }
  if ("document" in prepared) await index.put(prepared.document)
  const found = await index.getFile(uuid5(`file:${path}`))
  if (!found)
    throw new AppError("unavailable", `Couldn't add ${name}: it was deleted during indexing. Upload it again.`)
  return describeDocument(deps, found.document)
}

/** Replaces the storage path in an error message by the file name, because the client does not know the path. */
const withFileName = (error: unknown, path: string): unknown =>
  AppError.is(error)
    ? new AppError(error.code, error.message.replaceAll(path, basename(path)), { cause: error })
    : error
