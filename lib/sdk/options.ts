import type { z } from "zod"
import { AppError } from "../domain/errors.ts"
import { type JobOptions, type JobProgress, jobOptions } from "../domain/jobs/jobs.ts"
import type { WordSpan } from "../domain/transcript/words.ts"
import { transcript } from "../domain/transcript/words.ts"

/** The options of a job with the defaults of POST /jobs/audio, and what only a call in process can have. */
export type RunOptions = z.input<typeof jobOptions> & {
  /** Keep the result in the store; default true. With false the database is not opened, and nothing kept is read. */
  readonly persist?: boolean
  readonly onProgress?: (progress: JobProgress) => void
  readonly signal?: AbortSignal
}

export type TopicOptions = RunOptions & {
  /** The caller's own words: no recording is opened, and they replace the clip's transcript. */
  readonly transcription?: readonly WordSpan[]
}

/** @throws AppError `invalid` naming the first field that is wrong */
export const checked = <T extends z.ZodType>(schema: T, value: unknown, what: string): z.output<T> => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const where = [...(what ? [what] : []), ...(issue?.path.map(String) ?? [])].join(".")
  throw new AppError("invalid", `${where}: ${issue?.message ?? "not valid"}`, { cause: parsed.error })
}

/** @throws AppError `invalid` naming the first option that is wrong */
export const optionsOf = (given: RunOptions): JobOptions => checked(jobOptions, given, "")

/** @throws AppError `invalid` naming the first word that is wrong */
export const wordsOf = (given: readonly WordSpan[]): WordSpan[] => checked(transcript, given, "transcription")
