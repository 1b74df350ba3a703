import type { JobResultResponse, JobSubmitResponse } from "../../api/jobs.ts"
import { AppError } from "../../domain/errors.ts"
import type { JobList, JobRecord, JobsQuery } from "../../domain/jobs/jobs.ts"
import type { LiveWords, LiveWordsQuery } from "../../domain/jobs/live-words.ts"
import { requireGroups } from "../../platform/capabilities/registry.ts"
import { getClip, getClipEtag } from "../clips/clips.ts"
import { type Deps, requireStore } from "../deps.ts"

export type JobRef = { readonly job_id: string }

const unknownJob = (jobId: string): AppError => new AppError("not_found", `unknown job '${jobId}'`)

/** @throws AppError `not_found` */
export const getJob = async (deps: Deps, { job_id }: JobRef): Promise<JobRecord> => {
  const record = await requireStore(deps).jobs.get(job_id)
  if (record === null) throw unknownJob(job_id)
  return record
}

/** Returns the words that the transcription of a job has recognized so far. @throws AppError `not_found` */
export const listLiveWords = async (deps: Deps, { job_id, after }: JobRef & LiveWordsQuery): Promise<LiveWords> => {
  const store = requireStore(deps)
  const found = await store.stages.listLiveWords(job_id, after)
  if (found.words.length === 0 && (await store.jobs.get(job_id)) === null) throw unknownJob(job_id)
  return found
}

/** Returns a page of jobs, newest first. */
export const listJobs = (deps: Deps, query: JobsQuery): Promise<JobList> => requireStore(deps).jobs.list(query)

/**
 * Returns a finished job with its clip. If the source turned out to be another recording than `session_id` says, the clip
 * is that of `result_session_id`.
 * @throws AppError `not_found`, or `conflict` if the job is not done
 */
export const getJobResult = async (deps: Deps, { job_id }: JobRef): Promise<JobResultResponse> => {
  const job = await getFinishedJob(deps, { job_id })
  const clip = await getClip(deps, { id: clipIdOf(job) })
  return { job_id, session_id: job.session_id, status: "done", clip }
}

/** Returns the ETag of the result of a job. @throws AppError as `getJobResult` */
export const getJobResultEtag = async (deps: Deps, ref: JobRef): Promise<string> =>
  getClipEtag(deps, { id: clipIdOf(await getFinishedJob(deps, ref)) })

const getFinishedJob = async (deps: Deps, { job_id }: JobRef): Promise<JobRecord> => {
  const job = await getJob(deps, { job_id })
  if (job.status !== "done") throw new AppError("conflict", `job '${job_id}' is ${job.status}, not done`)
  return job
}

const clipIdOf = ({ result_session_id, session_id }: JobRecord): string => result_session_id ?? session_id

/** Cancels a job and returns it. @throws AppError `not_found`, or `conflict` if the job has ended */
export const cancelJob = async (deps: Deps, { job_id }: JobRef): Promise<JobRecord> => {
  const record = await requireStore(deps).jobs.cancel(job_id)
  if (record === null) throw unknownJob(job_id)
  return record
}

/**
 * Resumes a job at its unfinished stages, with the same ID.
 * @throws AppError `not_found`, or `conflict` unless the job failed or was cancelled
 */
export const retryJob = async (deps: Deps, { job_id }: JobRef): Promise<JobSubmitResponse> => {
  requireGroups(deps.groups, ["rag", "broker"])
  const record = await requireStore(deps).jobs.retry(job_id, deps.telemetry.current())
  if (record === null) throw unknownJob(job_id)
  return { job_id: record.job_id, session_id: record.session_id }
}
