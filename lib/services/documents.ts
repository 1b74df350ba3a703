import { rm, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import type { DocumentEntry, DocumentList, DocumentText } from "../contracts/documents.ts"
import { AppError } from "../errors.ts"
import { uuid5 } from "../ids.ts"
import { isInside } from "../sources/roots.ts"
import type { KeptDocument } from "../store/search/types.ts"
import type { Deps } from "./deps.ts"
import { ingest } from "./ingest.ts"

/** Where documents lie that were sent: a folder a content, the file under its own name in it. */
export const documentsDir = ({ data }: Pick<Deps["config"], "data">): string => join(data.uploadsDir, "documents")

const entryOf = async ({ config }: Deps, kept: KeptDocument): Promise<DocumentEntry> => {
  const found = await stat(kept.source).catch(() => null)
  return {
    id: kept.id,
    source: kept.source,
    name: basename(kept.source),
    title: kept.title,
    chunks: kept.chunks,
    ingested_at: new Date(kept.writtenAt).toISOString(),
    state: !found ? "gone" : found.mtimeMs > kept.writtenAt ? "changed" : "kept",
    uploaded: isInside([documentsDir(config)], kept.source),
  }
}

/** The files that questions are answered from, by path, each with what has become of it since. */
export const listDocuments = async (deps: Deps): Promise<DocumentList> => ({
  documents: await Promise.all((await deps.index.files()).map((kept) => entryOf(deps, kept))),
})

const unknownDocument = (id: string): AppError => new AppError("not_found", `unknown document '${id}'`)

/** A document with the text that is kept of it. @throws AppError `not_found` */
export const getDocument = async (deps: Deps, { id }: { id: string }): Promise<DocumentText> => {
  const found = await deps.index.file(id)
  if (!found) throw unknownDocument(id)
  const parts = found.chunks.map(({ documentId, ordinal, text, metadata }) => ({
    id: `${documentId}:${ordinal}`,
    doc_id: documentId,
    text,
    metadata,
  }))
  return { ...(await entryOf(deps, found.document)), parts }
}

const removeUpload = async ({ config, log }: Deps, path: string): Promise<void> => {
  if (!isInside([documentsDir(config)], path)) return
  await rm(dirname(path), { recursive: true, force: true }).catch((err: unknown) => {
    log.warn({ err, path }, "an uploaded document could not be removed")
  })
}

/** Forgets a document; its file goes only if it was sent here. @throws AppError `not_found` */
export const removeDocument = async (deps: Deps, { id }: { id: string }): Promise<void> => {
  const found = await deps.index.file(id)
  if (!found || (await deps.index.remove([id])) === 0) throw unknownDocument(id)
  await removeUpload(deps, found.document.source)
}

/** Reads a file that was sent. One that cannot be read is not kept. @throws AppError what is wrong with it */
export const addDocument = async (deps: Deps, path: string, signal: AbortSignal): Promise<DocumentEntry> => {
  const here = { ...deps, config: { ...deps.config, roots: [documentsDir(deps.config)] } }
  try {
    await ingest(here, { paths: [path], prune: false }, { signal })
  } catch (error) {
    await removeUpload(deps, path)
    throw named(error, path)
  }
  const found = await deps.index.file(uuid5(`file:${path}`))
  if (!found) throw new AppError("unavailable", `'${basename(path)}' was taken away while it was read: send it again`)
  return entryOf(deps, found.document)
}

/** Whoever sent a file knows its name, not where it lies here. */
const named = (error: unknown, path: string): unknown =>
  AppError.is(error)
    ? new AppError(error.code, error.message.replaceAll(path, basename(path)), { cause: error })
    : error
