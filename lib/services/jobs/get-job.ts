import { AppError } from "../../domain/errors.ts"
import type { JobRecord } from "../../domain/jobs/jobs.ts"
import type { Deps } from "../deps.ts"
import { requireStore } from "../installation/require.ts"

export type JobRef = { readonly job_id: string }

export const unknownJob = (jobId: string): AppError => new AppError("not_found", `unknown job '${jobId}'`)

/** @throws AppError `not_found` */
export const getJob = async (deps: Deps, { job_id }: JobRef): Promise<JobRecord> => {
  const record = await requireStore(deps).jobs.get(job_id)
  if (record === null) throw unknownJob(job_id)
  return record
}
