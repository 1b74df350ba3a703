import type { DocumentEntry } from "#lib/domain/documents.ts"

type Format = NonNullable<DocumentEntry["format"]>

/** The formats of documents, as people call them. */
export const FORMAT_NAMES: Readonly<Record<Format, string>> = {
  pdf: "PDF",
  markdown: "Markdown",
  docx: "Word",
  pptx: "Slides",
  xlsx: "Spreadsheet",
  csv: "Table",
  html: "Web page",
  epub: "E-book",
  json: "JSON",
  subtitles: "Subtitles",
  text: "Text",
}

export const formatName = (format: DocumentEntry["format"]): string => (format === null ? "File" : FORMAT_NAMES[format])
