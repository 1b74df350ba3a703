import { basename } from "node:path"
import { buffer } from "node:stream/consumers"
import { formatOf, KNOWN_EXTENSIONS } from "../../documents/formats.ts"
import { MAX_FILE_BYTES } from "../../documents/read.ts"
import type { DocumentEntry } from "../../domain/documents.ts"
import { AppError } from "../../domain/errors.ts"
import { uuid5 } from "../../domain/ids.ts"
import { documentKey } from "../../storage/blobs/keys.ts"
import type { BlobStore, IncomingBlob } from "../../storage/blobs/types.ts"
import type { Deps } from "../deps.ts"
import { prepareFile } from "../jobs/prepare-file.ts"
import { describeDocument, removeUpload } from "./documents.ts"

export const readBlob = async (blobs: BlobStore, key: string): Promise<Uint8Array> => {
  const blob = await blobs.open(key)
  if (!blob) throw new AppError("not_found", `no such file: ${blobs.addressOf(key)}`)
  if (blob.bytes > 0 && blob.bytes <= MAX_FILE_BYTES) return buffer(blob.read({ start: 0, end: blob.bytes - 1 }))
  await blob.close()
  if (blob.bytes === 0) return new Uint8Array()
  throw new AppError(
    "too_large",
    `'${basename(key)}' is larger than ${MAX_FILE_BYTES / 2 ** 20} MB: split it into smaller files`,
  )
}

/** Whoever sent a file knows its name, not where it lies here. */
const named = (error: unknown, path: string): unknown =>
  AppError.is(error)
    ? new AppError(error.code, error.message.replaceAll(path, basename(path)), { cause: error })
    : error

/**
 * Keeps a document that was sent under its own name, and reads it. One that cannot be read is not kept.
 * @throws AppError what is wrong with it
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
      throw new AppError("unsupported_media", `'${name}' is of no format that can be read: ${KNOWN_EXTENSIONS}`)
    await incoming.keep(key)
  } catch (error) {
    await incoming.discard()
    throw error
  }
  const work = { deps, embedder: await deps.engines.embedder(), read: () => readBlob(blobs, key), signal }
  const prepared = await prepareFile(work, { path }, Promise.resolve())
  if ("error" in prepared) {
    await removeUpload(deps, path)
    throw named(prepared.error, path)
  }
  if ("document" in prepared) await index.put(prepared.document)
  const found = await index.getFile(uuid5(`file:${path}`))
  if (!found) throw new AppError("unavailable", `'${name}' was taken away while it was read: send it again`)
  return describeDocument(deps, found.document)
}
