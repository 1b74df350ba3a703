import { attachment } from "../../domain/export/file-name.ts"
import type { ExportedFile } from "../../domain/export/index.ts"

/** A text to be saved as a file: never shown as a page of this origin. */
export const download = ({ text, type, name }: ExportedFile): Response =>
  new Response(text, {
    headers: { "content-type": type, "content-disposition": attachment(name), "cache-control": "no-store" },
  })
