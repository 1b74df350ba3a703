import type { Format } from "../domain/document-formats.ts"
import { loadMarkdown } from "./loaders/markdown.ts"
import { loadText } from "./loaders/text.ts"
import type { Extracted, Loader } from "./types.ts"

/** Loaders are imported on first use, because some have large dependencies. */
const LOADERS: Readonly<Record<Format, () => Loader | Promise<Loader>>> = {
  text: () => loadText,
  markdown: () => loadMarkdown,
  html: async () => (await import("./loaders/html.ts")).loadHtml,
  pdf: async () => (await import("./loaders/pdf.ts")).loadPdf,
  docx: async () => (await import("./loaders/docx.ts")).loadDocx,
  pptx: async () => (await import("./loaders/pptx.ts")).loadPptx,
  xlsx: async () => (await import("./loaders/xlsx.ts")).loadXlsx,
  epub: async () => (await import("./loaders/epub.ts")).loadEpub,
  csv: async () => (await import("./loaders/csv.ts")).loadCsv,
  json: async () => (await import("./loaders/json.ts")).loadJson,
  subtitles: async () => (await import("./loaders/subtitles.ts")).loadSubtitles,
}

/** Extracts the text of a file in this process. */
export const parseDocument = async (format: Format, bytes: Uint8Array, extension: string): Promise<Extracted> =>
  (await LOADERS[format]())(bytes, { extension })
