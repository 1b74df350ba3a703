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

const byExtension = new Map(
  Object.entries(EXTENSIONS).flatMap(([format, list]) => list.map((e) => [e, format as Format] as const)),
)

/** Formats whose files can be made to cost far more than their size. */
const RISKY: ReadonlySet<Format> = new Set(["html", "pdf", "docx", "pptx", "xlsx", "epub"])
/** Formats whose rows and cues cost a multiple of their size, and from which size on that matters. */
const ROWS: ReadonlySet<Format> = new Set(["csv", "json", "subtitles"])
const MANY_ROWS = 2 ** 20

/** Whether a file of so many bytes is to be read in a process of its own. */
export const isRisky = (format: Format, bytes: number): boolean =>
  RISKY.has(format) || (ROWS.has(format) && bytes > MANY_ROWS)

/** The format of a file by its name, null when it is none that can be read. */
export const formatOf = (path: string): Format | null => byExtension.get(extname(path).toLowerCase()) ?? null

export const KNOWN_EXTENSIONS = [...byExtension.keys()].map((e) => e.slice(1)).join(", ")

const PDF_HEADER_WITHIN = 1024

/** Whether the first bytes fit the format that the name promises. */
export const fits = (format: Format, bytes: Uint8Array): boolean => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, PDF_HEADER_WITHIN)).toString(
    "latin1",
  )
  if (format === "pdf") return head.includes("%PDF-")
  if (["docx", "pptx", "xlsx", "epub"].includes(format)) return head.startsWith("PK\x03\x04")
  return /^(?:\xff\xfe|\xfe\xff)/.test(head) || !head.includes("\0")
}
