import * as z from "zod"
import { clip } from "../domain/clips.ts"
import { audioJobRequest, jobList, jobRecord, jobsQuery } from "../domain/jobs/jobs.ts"
import { liveWordsQuery, liveWordsResponse } from "../domain/jobs/live-words.ts"
import { type Endpoints, requestWarnings } from "./endpoint.ts"

const jobParams = z.object({ job_id: z.string().min(1).describe("The ID of the job") })

export const jobQuery = z.object({
  wait: z.coerce
    .number()
    .int()
    .min(0)
    .max(60)
    .default(0)
    .describe("Seconds to wait for the end of the job. The response is its state then, ended or not"),
})

const jobSubmitResponse = z.object({
  job_id: z.string().describe("The ID of the job"),
  session_id: z.string().describe("The ID that the clip of this recording has or gets"),
  webhook_secret: z
    .string()
    .optional()
    .describe(
      "The secret that signs the requests to `webhook_url`, if the request had none. Only this response has it",
    ),
  warnings: requestWarnings,
})
export type JobSubmitResponse = z.infer<typeof jobSubmitResponse>

const jobResultResponse = z.object({
  job_id: z.string().describe("The ID of the job"),
  session_id: z.string().describe("The ID under which the recording was submitted"),
  status: z.literal("done").describe("The status of the job"),
  clip: clip.describe("The clip"),
})
export type JobResultResponse = z.infer<typeof jobResultResponse>

const jobEvent = z.object({
  event: z.enum(["progress", "end"]).describe("`progress` at each change, then one `end`"),
  data: jobRecord.describe("The job"),
})

const jobResponse = { name: "JobRecord", schema: jobRecord } as const

/** Response of every endpoint that creates or restarts a job. */
export const submittedResponse = {
  name: "JobSubmitResponse",
  schema: jobSubmitResponse,
} as const

export const jobEndpoints = {
  listJobs: {
    method: "GET",
    path: "/jobs",
    scope: "read",
    summary: "Lists jobs, newest first",
    call: "jobs",
    needs: ["rag"],
    query: jobsQuery,
    response: { name: "JobList", schema: jobList },
    fieldsOf: "jobs",
  },
  submitJob: {
    method: "POST",
    path: "/jobs/audio",
    scope: "write",
    summary:
      "Creates a job for a recording. Send JSON with a URL or a path, or a form with a file and the same fields as text",
    call: "submit",
    needs: ["rag", "broker"],
    body: {
      name: "AudioJobRequest",
      schema: audioJobRequest,
      example: { source: "~/talks/keynote.mp3", language: null },
    },
    upload: { file: "The recording", replaces: "source" },
    status: 202,
    response: submittedResponse,
    location: "/jobs/{job_id}",
    errors: [507],
  },
  getJob: {
    method: "GET",
    path: "/jobs/{job_id}",
    scope: "read",
    summary: "Returns a job. With `wait`, responds when the job ends, but at the latest after that many seconds",
    call: "job",
    needs: ["rag"],
    params: jobParams,
    query: jobQuery,
    response: jobResponse,
  },
  cancelJob: {
    method: "DELETE",
    path: "/jobs/{job_id}",
    scope: "write",
    summary: "Cancels a job that has not finished",
    call: "cancel",
    needs: ["rag"],
    params: jobParams,
    response: jobResponse,
    errors: [409],
  },
  jobResult: {
    method: "GET",
    path: "/jobs/{job_id}/result",
    scope: "read",
    summary: "Returns the clip of a finished job",
    call: "result",
    needs: ["rag"],
    params: jobParams,
    response: { name: "JobResultResponse", schema: jobResultResponse },
    fieldsOf: "clip",
    errors: [409],
    isVersioned: true,
  },
  jobWords: {
    method: "GET",
    path: "/jobs/{job_id}/words",
    scope: "read",
    summary:
      "Returns the words that a running transcription has recognized so far. They have no speakers, and none remain when the transcript is stored with the clip",
    call: "liveWords",
    needs: ["rag"],
    params: jobParams,
    query: liveWordsQuery,
    response: { name: "LiveWords", schema: liveWordsResponse },
  },
  retryJob: {
    method: "POST",
    path: "/jobs/{job_id}/retry",
    scope: "write",
    summary: "Retries a failed or cancelled job, starting at its unfinished stages",
    call: "retry",
    needs: ["rag", "broker"],
    params: jobParams,
    status: 202,
    response: submittedResponse,
    location: "/jobs/{job_id}",
    errors: [409],
  },
  jobEvents: {
    method: "GET",
    path: "/jobs/{job_id}/events",
    scope: "read",
    summary:
      "Streams a job as server-sent events: `progress` with a JobRecord at each change, then one `end`. Send the last `id` in `Last-Event-ID` to resume",
    call: "events",
    needs: ["rag"],
    params: jobParams,
    otherStatuses: { 204: { description: "The client has received `end` already. An EventSource does not reconnect" } },
    events: { name: "JobEvent", schema: jobEvent },
  },
} as const satisfies Endpoints
