import { realpath, stat } from "node:fs/promises"
import { basename, resolve } from "node:path"
import { buffer } from "node:stream/consumers"
import type { DocumentList, DocumentText } from "../../api/documents.ts"
import { MAX_FILE_BYTES, readFileInside, toReadError } from "../../documents/read.ts"
import { formatOf } from "../../domain/document-formats.ts"
import type { DocumentEntry, DocumentsQuery } from "../../domain/documents.ts"
import { AppError } from "../../domain/errors.ts"
import { DOCUMENTS_PREFIX, findBlobKey } from "../../storage/blobs/keys.ts"
import type { BlobStore } from "../../storage/blobs/types.ts"
import type { FileEntry } from "../../storage/stores/ports/documents.ts"
import { type Deps, requireBlobs } from "../deps.ts"
import { removeUnusedUploads } from "../uploads/unused-uploads.ts"

type DocumentRef = { readonly id: string }

/** Returns the blob key of an uploaded document, or null for a file in the user's folders. */
const uploadKey = ({ blobs }: Pick<Deps, "blobs">, source: string): string | null => {
  const key = findBlobKey(blobs, source)
  return key?.startsWith(DOCUMENTS_PREFIX) ? key : null
}

type FileState = Pick<DocumentEntry, "state" | "bytes">

const fileState = async (source: string, indexedAt: number): Promise<FileState> => {
  const stats = await stat(source).catch(() => null)
  if (!stats) return { state: "gone", bytes: null }
  return { state: stats.mtimeMs > indexedAt ? "changed" : "kept", bytes: stats.size }
}

/** Uploads are stored by content hash, so they cannot change. */
const uploadState = (bytes: number | null): FileState => ({ state: bytes === null ? "gone" : "kept", bytes })

/** Describes a document. @param sizeOfUpload returns the size of an uploaded file, or null if it no longer exists */
export const describeDocument = async (
  deps: Deps,
  file: FileEntry,
  sizeOfUpload: (key: string) => Promise<number | null> = async (key) => (await deps.blobs.stat(key))?.bytes ?? null,
): Promise<DocumentEntry> => {
  const key = uploadKey(deps, file.source)
  const { state, bytes } =
    key === null ? await fileState(file.source, file.writtenAt) : uploadState(await sizeOfUpload(key))
  return {
    id: file.id,
    source: file.source,
    name: basename(file.source),
    title: file.title,
    format: formatOf(file.source),
    bytes,
    chunks: file.chunks,
    ingested_at: new Date(file.writtenAt).toISOString(),
    state,
    uploaded: key !== null,
  }
}

/** Returns a page of the ingested files, each with the state of its file. */
export const listDocuments = async (deps: Deps, query: DocumentsQuery = {}): Promise<DocumentList> => {
  const { files, next_cursor } = await deps.index.findFiles(query)
  const uploads = new Map<string, number>()
  // One listing is cheaper than one request per upload.
  if (files.some(({ source }) => uploadKey(deps, source) !== null))
    for await (const { key, bytes } of deps.blobs.list(DOCUMENTS_PREFIX)) uploads.set(key, bytes)
  return {
    documents: await Promise.all(
      files.map((file) => describeDocument(deps, file, async (key) => uploads.get(key) ?? null)),
    ),
    ...(next_cursor !== undefined && { next_cursor }),
  }
}

const requireFile = async ({ index }: Deps, { id }: DocumentRef) => {
  const found = await index.getFile(id)
  if (!found) throw unknownDocument(id)
  return found
}

export const unknownDocument = (id: string): AppError => new AppError("not_found", `unknown document '${id}'`)

/** Returns the title or file name of a document, or null for an unknown ID. */
export const findDocumentName = async ({ index }: Pick<Deps, "index">, { id }: DocumentRef): Promise<string | null> => {
  const found = await index.getFile(id, { first: 0, count: 0 })
  return found && (found.document.title ?? basename(found.document.source))
}

/** Returns a document with its indexed text. @throws AppError `not_found` */
export const getDocument = async (deps: Deps, ref: DocumentRef): Promise<DocumentText> => {
  const { document, chunks } = await requireFile(deps, ref)
  const parts = chunks.map(({ documentId, ordinal, text, metadata }) => ({
    id: `${documentId}:${ordinal}`,
    doc_id: documentId,
    text,
    metadata,
  }))
  return { ...(await describeDocument(deps, document)), parts }
}

export type DocumentFile = { readonly bytes: Uint8Array; readonly name: string }

/**
 * Reads the current file of a document. The path of a user's own file is checked again, because the permitted folders or
 * the target of a symbolic link may have changed.
 * @throws AppError `not_found` for an unknown document or a missing file, `forbidden` outside the permitted folders
 */
export const readDocumentFile = async (deps: Deps, ref: DocumentRef): Promise<DocumentFile> => {
  const { source } = (await requireFile(deps, ref)).document
  const name = basename(source)
  const key = uploadKey(deps, source)
  if (key !== null) return { bytes: await readBlob(deps.blobs, key), name }
  const roots = await Promise.all(deps.config.roots.map((folder) => realpath(folder).catch(() => resolve(folder))))
  const path = await realpath(source).catch((error: unknown) => {
    throw toReadError(error, source)
  })
  return { bytes: await readFileInside(path, roots), name }
}

/** @throws AppError `not_found`, `too_large` */
export const readBlob = async (blobs: BlobStore, key: string): Promise<Uint8Array> => {
  const blob = await blobs.open(key)
  if (!blob) throw new AppError("not_found", `no such file: ${blobs.addressOf(key)}`)
  if (blob.bytes > 0 && blob.bytes <= MAX_FILE_BYTES) return buffer(blob.read({ start: 0, end: blob.bytes - 1 }))
  await blob.close()
  if (blob.bytes === 0) return new Uint8Array()
  throw new AppError(
    "too_large",
    `Couldn't read ${basename(key)}: it is larger than ${MAX_FILE_BYTES / 2 ** 20} MB. Split it into smaller files.`,
  )
}

/**
 * Removes a document from the index, and its file if it was uploaded. If the blob storage is unavailable, nothing is
 * removed.
 * @throws AppError `not_found`, `unavailable`
 */
export const removeDocument = async (deps: Deps, ref: DocumentRef): Promise<void> => {
  const { source } = (await requireFile(deps, ref)).document
  if (uploadKey(deps, source) !== null) await requireBlobs(deps)
  if ((await deps.index.remove([ref.id])) === 0) throw unknownDocument(ref.id)
  // Files in the user's folders are never deleted.
  if (uploadKey(deps, source) !== null) await removeUnusedUploads(deps, [source])
}
