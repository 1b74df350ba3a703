/** The formats of documents, with their file extensions. Each has one loader. */
const EXTENSIONS = {
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
} as const satisfies Readonly<Record<string, readonly string[]>>

export type Format = keyof typeof EXTENSIONS
export const FORMATS = Object.keys(EXTENSIONS) as [Format, ...Format[]]

const formatByExtension = new Map(
  FORMATS.flatMap((format) => EXTENSIONS[format].map((extension) => [extension as string, format] as const)),
)

/** Returns the format by file extension, or null if it is not supported. */
export const formatOf = (path: string): Format | null =>
  formatByExtension.get(/[^./\\](\.[^./\\]*)$/.exec(path.slice(-20).toLowerCase())?.[1] ?? "") ?? null

export const extensionsOf = (format: Format): readonly string[] => EXTENSIONS[format]

export const KNOWN_EXTENSIONS = [...formatByExtension.keys()].map((e) => e.slice(1)).join(", ")
