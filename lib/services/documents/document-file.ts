import { realpath } from "node:fs/promises"
import { basename, resolve } from "node:path"
import { cannotRead, readInside } from "../../documents/read.ts"
import { AppError } from "../../domain/errors.ts"
import type { Deps } from "../deps.ts"
import { readBlob } from "./add-document.ts"
import { uploadKey } from "./documents.ts"

export type DocumentFile = { readonly bytes: Uint8Array; readonly name: string }

/**
 * The file of a document as it lies there now, wherever that is. Of an owner's own file that is checked anew: the folders
 * that may be read can be others by now, and so can what the path leads to.
 * @throws AppError `not_found` for an unknown document or a file that is gone, `forbidden` outside the folders
 */
export const readDocumentFile = async (deps: Deps, { id }: { id: string }): Promise<DocumentFile> => {
  const found = await deps.index.getFile(id)
  if (!found) throw new AppError("not_found", `unknown document '${id}'`)
  const { source } = found.document
  const name = basename(source)
  const key = uploadKey(deps, source)
  if (key !== null) return { bytes: await readBlob(deps.blobs, key), name }
  const roots = await Promise.all(deps.config.roots.map((folder) => realpath(folder).catch(() => resolve(folder))))
  const path = await realpath(source).catch((error: unknown) => {
    throw cannotRead(error, source)
  })
  return { bytes: await readInside(path, roots), name }
}
