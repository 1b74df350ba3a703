import { AppError } from "../../errors.ts"

/** A word as another tool writes it. A missing time is estimated. */
export type GivenWord = {
  readonly word: string
  readonly start: number | null
  readonly end: number | null
  readonly speaker: string | null
}

/** A part of a transcript, with times in seconds. Without `words`, their times are estimated from the text. */
export type Segment = {
  readonly text: string
  readonly start: number | null
  readonly end: number | null
  readonly speaker: string | null
  readonly words?: readonly GivenWord[]
  /** True if the start or end is an estimate. */
  readonly isEstimated?: boolean
}

/** The segments of a transcript, and the length of the recording in seconds if the tool reports it. */
export type Segments = { readonly segments: readonly Segment[]; readonly duration_s: number | null }

/** A transcript that cannot be read. `path` leads to the part that is wrong; `reason` follows the name of that part. */
export class TranscriptError extends AppError {
  readonly path: readonly PropertyKey[]
  readonly reason: string

  constructor(reason: string, path: readonly PropertyKey[] = []) {
    super("invalid", `${["transcription", ...path.map(String)].join(".")}: ${reason}`)
    this.path = path
    this.reason = reason
  }
}

export const SHAPES =
  "must be a list of words {word, start, end, speaker}, the JSON of Whisper, OpenAI, Deepgram or AssemblyAI, or the text of an SRT or WebVTT file"
