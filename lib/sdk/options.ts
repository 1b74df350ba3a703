import type { z } from "zod"
import { AppError } from "../domain/errors.ts"
import { type JobProgress, jobOptions, type StoredJobOptions } from "../domain/jobs/jobs.ts"
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

/** Parses input from the caller. @throws AppError `invalid` with the name of the first invalid field */
export const parseInput = <T extends z.ZodType>(schema: T, value: unknown, name?: string): z.output<T> => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const path = [...(name === undefined ? [] : [name]), ...(issue?.path.map(String) ?? [])].join(".")
  throw new AppError("invalid", `${path}: ${issue?.message ?? "not valid"}`, { cause: parsed.error })
}

export const parseJobOptions = (options: RunOptions): StoredJobOptions => ({
  ...parseInput(jobOptions, options),
  is_language_given: options.language !== undefined,
})

export const parseTranscript = (given: TranscriptInput): GivenTranscript =>
  parseInput(givenTranscript, given, "transcription")
