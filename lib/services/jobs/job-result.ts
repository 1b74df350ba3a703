import type { JobResult } from "../../api/jobs.ts"
import { AppError } from "../../domain/errors.ts"
import { getClip } from "../clips/get-clip.ts"
import type { Deps } from "../deps.ts"
import { getJob, type JobRef } from "./get-job.ts"

/**
 * A finished job with its clip. The clip is that of the recording which the source turned out to be; `session_id`
 * stays the one given at submission.
 * @throws AppError `not_found`, or `conflict` while the job is not done
 */
export const jobResult = async (deps: Deps, { job_id }: JobRef): Promise<JobResult> => {
  const job = await getJob(deps, { job_id })
  if (job.status !== "done") throw new AppError("conflict", `job '${job_id}' is ${job.status}, not done`)
  const clip = await getClip(deps, { id: job.result_session_id ?? job.session_id })
  return { job_id, session_id: job.session_id, status: "done", clip }
}
