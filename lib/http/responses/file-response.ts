import { fits } from "../../documents/formats.ts"
import { attachment } from "../../domain/export/file-name.ts"
import type { DocumentFile } from "../../services/documents/document-file.ts"

/**
 * A file of somebody's, under its name. A PDF may be opened in the browser's own reader, which runs nothing of it in
 * this origin; anything else, a page with scripts perhaps, can only be saved.
 */
export const fileAnswer = ({ bytes, name }: DocumentFile): Response => {
  const pdf = fits("pdf", bytes)
  const saved = attachment(name)
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      "content-type": pdf ? "application/pdf" : "application/octet-stream",
      "content-disposition": pdf ? saved.replace(/^attachment/, "inline") : saved,
      "content-length": String(bytes.length),
      "cache-control": "private, no-cache",
    },
  })
}
