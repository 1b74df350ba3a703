import type { JobRecord } from "../contracts/jobs.ts"
import { AppError } from "../errors.ts"
import type { Deps } from "./deps.ts"
import { requireStore } from "./require.ts"

export type JobRef = { readonly job_id: string }

export const unknownJob = (jobId: string): AppError => new AppError("not_found", `unknown job '${jobId}'`)

/** @throws AppError `not_found` */
export const getJob = async (deps: Deps, { job_id }: JobRef): Promise<JobRecord> => {
  const record = await requireStore(deps).getJob(job_id)
  if (record === null) throw unknownJob(job_id)
  return record
}
