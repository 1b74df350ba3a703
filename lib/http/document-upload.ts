import { mkdir, rename } from "node:fs/promises"
import { join } from "node:path"
import type { DocumentEntry } from "../contracts/documents.ts"
import { AppError } from "../errors.ts"
import { addDocument, documentsDir } from "../services/documents.ts"
import { mediaType } from "./body.ts"
import type { HttpDeps } from "./container.ts"
import { receiveFile } from "./upload.ts"
import { discard } from "./upload-file.ts"

/** Takes a document that is sent as a form, keeps its file under its own name, and reads it. @throws AppError */
export const receiveDocument = async (deps: HttpDeps, request: Request): Promise<DocumentEntry> => {
  if (mediaType(request.headers) !== "multipart/form-data")
    throw new AppError("unsupported_media", "A document is sent as a form, in the field 'file'.")
  const { incoming, name } = await receiveFile(request, deps.config)
  const folder = join(documentsDir(deps.config), incoming.sha256)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await rename(incoming.temp, join(folder, name))
  } catch (error) {
    await discard(incoming)
    throw error
  }
  return addDocument(deps, join(folder, name), request.signal)
}
