/** A coherent part of a document. Pages, slides and sheets are numbered from 1. Times are in seconds. */
export type Section = {
  readonly text: string
  readonly heading?: string
  readonly page?: number
  readonly start_s?: number
  readonly end_s?: number
  /** Each line is a unit (a row or a cue) and is divided only if it is too long. */
  readonly lines?: boolean
}

export type Extracted = { readonly title?: string; readonly sections: readonly Section[] }

/** Extracts the text of a file. @throws AppError `invalid` for a file that is damaged or unpacks to too many bytes */
export type Loader = (bytes: Uint8Array, options: { readonly extension: string }) => Extracted | Promise<Extracted>
