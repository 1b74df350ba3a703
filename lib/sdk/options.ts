import type { z } from "zod"
import { AppError } from "../domain/errors.ts"
import { type JobOptions, type JobProgress, jobOptions } from "../domain/jobs/jobs.ts"
import { transcript, type WordSpan } from "../domain/transcript/words.ts"

/** The options and defaults of POST /jobs/audio, and options that exist only in process. */
export type RunOptions = z.input<typeof jobOptions> & {
  /** Store the result; default true. If false, the database is neither read nor written. */
  readonly persist?: boolean
  readonly onProgress?: (progress: JobProgress) => void
  readonly signal?: AbortSignal
}

export type TopicOptions = RunOptions & {
  /** The caller's own words. They replace the transcript of the clip, and no recording is opened. */
  readonly transcription?: readonly WordSpan[]
}

/** Parses input from the caller. @throws AppError `invalid` with the name of the first invalid field */
export const parseInput = <T extends z.ZodType>(schema: T, value: unknown, name?: string): z.output<T> => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const path = [...(name === undefined ? [] : [name]), ...(issue?.path.map(String) ?? [])].join(".")
  throw new AppError("invalid", `${path}: ${issue?.message ?? "not valid"}`, { cause: parsed.error })
}

export const parseJobOptions = (options: RunOptions): JobOptions => parseInput(jobOptions, options)

export const parseWords = (words: readonly WordSpan[]): WordSpan[] => parseInput(transcript, words, "transcription")
