import { extname } from "node:path"
import type { Format } from "./types.ts"

const EXTENSIONS: Readonly<Record<Format, readonly string[]>> = {
  text: [".txt", ".text", ".log", ".rst", ".adoc", ".org", ".tex"],
  markdown: [".md", ".markdown", ".mdx"],
  html: [".html", ".htm", ".xhtml"],
  pdf: [".pdf"],
  docx: [".docx", ".docm"],
  pptx: [".pptx", ".pptm"],
  xlsx: [".xlsx", ".xlsm"],
  epub: [".epub"],
  csv: [".csv", ".tsv"],
  json: [".json", ".jsonl", ".ndjson"],
  subtitles: [".srt", ".vtt"],
}

const formatByExtension = new Map(
  Object.entries(EXTENSIONS).flatMap(([format, list]) => list.map((e) => [e, format as Format] as const)),
)

/** Returns the format by file extension, or null if it is not supported. */
export const formatOf = (path: string): Format | null => formatByExtension.get(extname(path).toLowerCase()) ?? null

export const KNOWN_EXTENSIONS = [...formatByExtension.keys()].map((e) => e.slice(1)).join(", ")

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
