import type { Format } from "../domain/document-formats.ts"

/** A PDF header may follow up to this many bytes. */
const MAX_PDF_HEADER_OFFSET = 1024

/** Returns true if the first bytes match the format. */
export const matchesFormat = (format: Format, bytes: Uint8Array): boolean => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, MAX_PDF_HEADER_OFFSET)).toString(
    "latin1",
  )
  if (format === "pdf") return head.includes("%PDF-")
  if (["docx", "pptx", "xlsx", "epub"].includes(format)) return head.startsWith("PK\x03\x04")
  return /^(?:\xff\xfe|\xfe\xff)/.test(head) || !head.includes("\0")
}
