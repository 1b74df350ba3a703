import type { DocumentEntry } from "../../domain/documents.ts"
import { AppError } from "../../domain/errors.ts"
import { addDocument } from "../../services/documents/add-document.ts"
import { mediaType } from "../body.ts"
import type { HttpDeps } from "../container.ts"
import { receiveFile } from "./upload.ts"

/** Takes a document that is sent as a form, keeps it under its own name, and reads it. @throws AppError */
export const receiveDocument = async (deps: HttpDeps, request: Request): Promise<DocumentEntry> => {
  if (mediaType(request.headers) !== "multipart/form-data")
    throw new AppError("unsupported_media", "A document is sent as a form, in the field 'file'.")
  return addDocument(deps, await receiveFile(request, deps), request.signal)
}
