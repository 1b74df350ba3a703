import * as z from "zod"
import { type JobRecord, jobProgress } from "../../domain/jobs/jobs.ts"
import { STAGE_TABLE } from "../../domain/jobs/stage-table.ts"
import { jobStatus, stageName } from "../../domain/jobs/stages.ts"
import { defineTool, READ_ONLY } from "../tool.ts"

/** Less than the 60 s after which MCP clients give up a call by default. */
const MAX_WAIT_S = 45

const progressOf = ({ progress }: JobRecord): string => {
  if (progress === null) return ""
  const { stage, done, total, eta_s, waiting } = progress
  if (waiting) return `, waiting: ${waiting.reason}`
  const share = total > 0 ? ` ${Math.round((100 * done) / total)} %` : ""
  return `: ${STAGE_TABLE[stage].label}${share}${eta_s === undefined ? "" : `, about ${Math.ceil(eta_s)} s left`}`
}

const describe = (job: JobRecord, clipId: string): string => {
  const name = `The job of "${job.title}"`
  switch (job.status) {
    case "done":
      return `${name} is done. Read the recording with get_outline or get_transcript [clip_id ${clipId}].`
    case "error":
      return `${name} failed${job.error ? ` in stage ${job.error.stage}: ${job.error.detail}` : "."}`
    default:
      return `${name} is ${job.status}${progressOf(job)}.`
  }
}

export const getJob = defineTool({
  name: "get_job",
  title: "State of a job",
  description:
    "Returns the state of a job that add_recording created: queued, running, done, error or cancelled, with its progress. With wait_s, waits for the end of the job.",
  input: z.object({
    job_id: z.string().min(1).max(200),
    wait_s: z
      .int()
      .min(0)
      .max(MAX_WAIT_S)
      .default(0)
      .describe("Maximum time to wait for the end of the job, in seconds"),
  }),
  output: z.object({
    job_id: z.string(),
    clip_id: z.string(),
    title: z.string(),
    status: jobStatus,
    progress: jobProgress.nullable(),
    error: z.object({ stage: stageName, detail: z.string() }).optional(),
  }),
  annotations: READ_ONLY,
  run: async (api, { job_id, wait_s }, signal) => {
    const job = await api.job(job_id, { wait: wait_s, signal })
    const { title, status, progress, error } = job
    const clip_id = job.result_session_id ?? job.session_id
    return {
      text: describe(job, clip_id),
      data: { job_id, clip_id, title, status, progress, ...(error && { error }) },
    }
  },
})
