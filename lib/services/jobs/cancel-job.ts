import type { JobRecord } from "../../domain/jobs/jobs.ts"
import type { Deps } from "../deps.ts"
import { requireStore } from "../installation/require.ts"
import { type JobRef, unknownJob } from "./get-job.ts"

/** @throws AppError `not_found`, or `conflict` when the job has ended */
export const cancelJob = async (deps: Deps, { job_id }: JobRef): Promise<JobRecord> => {
  const record = await requireStore(deps).jobs.cancel(job_id)
  if (record === null) throw unknownJob(job_id)
  return record
}
