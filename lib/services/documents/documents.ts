import { stat } from "node:fs/promises"
import { basename } from "node:path"
import type { DocumentList, DocumentText } from "../../api/documents.ts"
import type { DocumentEntry } from "../../domain/documents.ts"
import { AppError } from "../../domain/errors.ts"
import { blobKey, DOCUMENTS } from "../../storage/blobs/keys.ts"
import type { FileEntry } from "../../storage/stores/ports/documents.ts"
import type { Deps } from "../deps.ts"
import { requireBlobs } from "../installation/require.ts"

/** The key of a document that was sent; null for one of its owner's folders. */
export const uploadKey = ({ blobs }: Pick<Deps, "blobs">, source: string): string | null => {
  const key = blobKey(blobs, source)
  return key?.startsWith(DOCUMENTS) ? key : null
}

const stateOf = async (source: string, writtenAt: number): Promise<DocumentEntry["state"]> => {
  const found = await stat(source).catch(() => null)
  return !found ? "gone" : found.mtimeMs > writtenAt ? "changed" : "kept"
}

/** What is sent here lies under the hash of what it holds: it is there as it was, or it is gone. */
export const describeDocument = async (
  deps: Deps,
  kept: FileEntry,
  isThere: (key: string) => Promise<boolean> = async (key) => (await deps.blobs.stat(key)) !== null,
): Promise<DocumentEntry> => {
  const key = uploadKey(deps, kept.source)
  const state = key === null ? await stateOf(kept.source, kept.writtenAt) : (await isThere(key)) ? "kept" : "gone"
  return {
    id: kept.id,
    source: kept.source,
    name: basename(kept.source),
    title: kept.title,
    chunks: kept.chunks,
    ingested_at: new Date(kept.writtenAt).toISOString(),
    state,
    uploaded: key !== null,
  }
}

/** The files that questions are answered from, by path, each with what has become of it since. */
export const listDocuments = async (deps: Deps): Promise<DocumentList> => {
  const files = await deps.index.listFiles()
  const keys = new Set<string>()
  // One listing instead of a question for each.
  if (files.some(({ source }) => uploadKey(deps, source) !== null))
    for await (const { key } of deps.blobs.list(DOCUMENTS)) keys.add(key)
  return {
    documents: await Promise.all(files.map((kept) => describeDocument(deps, kept, async (key) => keys.has(key)))),
  }
}

const unknownDocument = (id: string): AppError => new AppError("not_found", `unknown document '${id}'`)

/** A document with the text that is kept of it. @throws AppError `not_found` */
export const getDocument = async (deps: Deps, { id }: { id: string }): Promise<DocumentText> => {
  const found = await deps.index.getFile(id)
  if (!found) throw unknownDocument(id)
  const parts = found.chunks.map(({ documentId, ordinal, text, metadata }) => ({
    id: `${documentId}:${ordinal}`,
    doc_id: documentId,
    text,
    metadata,
  }))
  return { ...(await describeDocument(deps, found.document)), parts }
}

/** Removes the file of a document that was sent; one of its owner's stays. */
export const removeUpload = async ({ blobs, log }: Pick<Deps, "blobs" | "log">, path: string): Promise<void> => {
  const key = uploadKey({ blobs }, path)
  if (key === null) return
  await blobs.remove(key).catch((err: unknown) => {
    log.warn({ err, path }, "an uploaded document could not be removed")
  })
}

/**
 * Forgets a document; its file goes only if it was sent here, and nothing goes while the place of that is away.
 * @throws AppError `not_found`, `unavailable`
 */
export const removeDocument = async (deps: Deps, { id }: { id: string }): Promise<void> => {
  const found = await deps.index.getFile(id)
  if (!found) throw unknownDocument(id)
  if (uploadKey(deps, found.document.source) !== null) await requireBlobs(deps)
  if ((await deps.index.remove([id])) === 0) throw unknownDocument(id)
  await removeUpload(deps, found.document.source)
}
