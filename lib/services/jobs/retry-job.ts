import type { Submitted } from "../../api/jobs.ts"
import { requireGroups } from "../../platform/capabilities/registry.ts"
import type { Deps } from "../deps.ts"
import { requireStore } from "../installation/require.ts"
import { type JobRef, unknownJob } from "./get-job.ts"

/**
 * Starts a job again at the stages that did not finish: same id, one more attempt.
 * @throws AppError `not_found`, or `conflict` unless the job ended in error or was cancelled
 */
export const retryJob = async (deps: Deps, { job_id }: JobRef): Promise<Submitted> => {
  requireGroups(deps.groups, ["rag", "broker"])
  const record = await requireStore(deps).jobs.retry(job_id, deps.telemetry.current())
  if (record === null) throw unknownJob(job_id)
  return { job_id: record.job_id, session_id: record.session_id }
}
