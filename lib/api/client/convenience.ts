import type { Clip, ClipEntry, ClipList } from "../../domain/clips.ts"
import type { AudioJobInput, JobList, JobRecord } from "../../domain/jobs/jobs.ts"
import type { JobResultResponse, JobSubmitResponse } from "../jobs.ts"
import type { Signal } from "./call-options.ts"
import { EarmarkError } from "./errors.ts"
import type { QueryParametersOf } from "./transport.ts"
import type { UploadFields, UploadOptions } from "./upload.ts"

type ClipsQuery = QueryParametersOf<"listClips">
type JobsQuery = QueryParametersOf<"listJobs">

const WAIT_S = 30
/** How often the state is read for a caller who wants to see the progress. */
const PROGRESS_WAIT_S = 2

export type WaitOptions = {
  /** Called with each state of the job, about every two seconds. */
  readonly onProgress?: (job: JobRecord) => void
  readonly signal?: AbortSignal
}

export type TranscribeOptions = Omit<AudioJobInput, "source"> &
  WaitOptions & {
    /** Name of the file if the recording is a Blob without one. */
    readonly filename?: string
  }

/** The calls that these methods combine. */
type Base = {
  clips(query: ClipsQuery, options: Signal): Promise<ClipList>
  job(jobId: string, options: Signal & { wait: number }): Promise<JobRecord>
  jobs(query: JobsQuery, options: Signal): Promise<JobList>
  result(jobId: string, options: Signal): Promise<JobResultResponse>
  submit(job: AudioJobInput, options: Signal): Promise<JobSubmitResponse>
  upload(file: Blob, fields: UploadFields, options: UploadOptions): Promise<JobSubmitResponse>
}

export interface ConvenienceMethods {
  /** Waits until a job has ended, however long that takes, and returns it: done, failed or cancelled. */
  wait(jobId: string, options?: WaitOptions): Promise<JobRecord>
  /**
   * Transcribes a recording and finds its topics. Takes the file, or a source: a URL, or a path on the machine of the
   * service. Waits for the end and returns the clip. Throws EarmarkError with the code `job_failed` or `job_cancelled`.
   */
  transcribe(recording: Blob | string, options?: TranscribeOptions): Promise<Clip>
  /** Yields every clip, newest first. Reads the next page when it is needed. */
  allClips(query?: ClipsQuery, options?: Signal): AsyncGenerator<ClipEntry>
  /** Yields every job, newest first. Reads the next page when it is needed. */
  allJobs(query?: JobsQuery, options?: Signal): AsyncGenerator<JobRecord>
}

const hasEnded = ({ status }: JobRecord): boolean => status !== "queued" && status !== "running"

/** @throws EarmarkError unless the job is done */
export const requireDone = (job: JobRecord): void => {
  if (job.status === "done") return
  const reason = job.error ? `${job.error.stage}: ${job.error.detail}` : `The job '${job.job_id}' was cancelled.`
  throw new EarmarkError(200, reason, { code: job.status === "error" ? "job_failed" : "job_cancelled" })
}

/** Returns the calls that combine several requests. */
export const createConvenienceMethods = (client: Base): ConvenienceMethods => {
  const wait: ConvenienceMethods["wait"] = async (jobId, { onProgress, signal } = {}) => {
    for (;;) {
      const job = await client.job(jobId, { wait: onProgress ? PROGRESS_WAIT_S : WAIT_S, ...(signal && { signal }) })
      onProgress?.(job)
      if (hasEnded(job)) return job
      signal?.throwIfAborted()
    }
  }
  async function* paginate<T, Q extends { cursor?: string | undefined }>(
    query: Q,
    read: (query: Q) => Promise<{ readonly items: readonly T[]; readonly next: string | undefined }>,
  ): AsyncGenerator<T> {
    for (let cursor = query.cursor; ; ) {
      const { items, next } = await read({ ...query, ...(cursor !== undefined && { cursor }) })
      yield* items
      if (next === undefined) return
      cursor = next
    }
  }
  return {
    wait,
    transcribe: async (recording, { onProgress, signal, filename, ...fields } = {}) => {
      const options: UploadOptions = { ...(signal && { signal }), ...(filename !== undefined && { filename }) }
      const { job_id } =
        typeof recording === "string"
          ? await client.submit({ ...fields, source: recording }, options)
          : await client.upload(recording, fields, options)
      requireDone(await wait(job_id, { ...(onProgress && { onProgress }), ...(signal && { signal }) }))
      return (await client.result(job_id, options)).clip
    },
    allClips: (query = {}, options = {}) =>
      paginate(query, async (page) => {
        const { clips, next_cursor } = await client.clips(page, options)
        return { items: clips, next: next_cursor }
      }),
    allJobs: (query = {}, options = {}) =>
      paginate(query, async (page) => {
        const { jobs, next_cursor } = await client.jobs(page, options)
        return { items: jobs, next: next_cursor }
      }),
  }
}
