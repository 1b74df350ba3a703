import * as z from "zod"
import { type JobProgress, jobOptions, type StoredJobOptions } from "../domain/jobs/jobs.ts"
import { parseInput } from "../domain/parse-input.ts"
import {
  type GivenTranscript,
  givenTranscript,
  type TranscriptInput,
} from "../domain/transcript/given/read-transcript.ts"

/** The options and defaults of POST /jobs/audio, and options that exist only in process. */
export type RunOptions = z.input<typeof jobOptions> & {
  /** Store the result; default true. If false, the database is neither read nor written. */
  readonly persist?: boolean
  readonly onProgress?: (progress: JobProgress) => void
  readonly signal?: AbortSignal
}

export type TopicOptions = RunOptions & {
  /**
   * The caller's own transcript: word spans, the JSON of Whisper, OpenAI, Deepgram or AssemblyAI, or the text of an SRT,
   * WebVTT or JSON file. It replaces the transcript of the clip, and no recording is opened.
   */
  readonly transcription?: TranscriptInput
}

const transcriptOptions = z.object({ transcription: givenTranscript })

export const parseJobOptions = (options: RunOptions): StoredJobOptions => ({
  ...parseInput(jobOptions, options, "options"),
  is_language_given: options.language !== undefined,
})

export const parseTranscript = (transcription: TranscriptInput): GivenTranscript =>
  parseInput(transcriptOptions, { transcription }, "options").transcription
