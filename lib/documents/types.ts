/** Formats by what reads them; each has one loader. */
export const FORMATS = [
  "text",
  "markdown",
  "html",
  "pdf",
  "docx",
  "pptx",
  "xlsx",
  "epub",
  "csv",
  "json",
  "subtitles",
] as const
export type Format = (typeof FORMATS)[number]

/** A stretch of a document that belongs together. Pages, slides and sheets count from 1; times in seconds. */
export type Section = {
  readonly text: string
  readonly heading?: string
  readonly page?: number
  readonly start_s?: number
  readonly end_s?: number
  /** Each line stands for itself (a row, a cue) and is cut only when it is too long. */
  readonly lines?: boolean
}

export type Extracted = { readonly title?: string; readonly sections: readonly Section[] }

/** What a format gives as text. @throws AppError `invalid` for a file that is damaged or too large unpacked. */
export type Loader = (bytes: Uint8Array, options: { readonly extension: string }) => Extracted | Promise<Extracted>
