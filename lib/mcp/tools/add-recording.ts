import * as z from "zod"
import type { JobSubmitResponse } from "../../api/jobs.ts"
import { audioJobRequest, jobOptions } from "../../domain/jobs/jobs.ts"
import type { Api } from "../../services/local-api.ts"
import { defineTool, type ToolResult } from "../tool.ts"

const NO_WORKER =
  "No worker is running, so the job waits. Ask the user to start the service with `earmark serve`; the job then begins."

/** The output of a tool that submits a job. */
export const submittedJob = z.object({ job_id: z.string(), clip_id: z.string(), note: z.string().optional() })

/** Returns true if it is certain that no worker is running. */
const lacksWorkers = async (api: Api, signal: AbortSignal): Promise<boolean> => {
  const workers = await api.installation({ signal }).then(
    (installation) => installation.workers,
    () => null,
  )
  return workers?.length === 0
}

/** Returns what a tool answers that submitted a job. */
export const describeSubmission = async (
  api: Api,
  { job_id, session_id }: JobSubmitResponse,
  signal: AbortSignal,
  what: string,
): Promise<ToolResult<z.input<typeof submittedJob>>> => {
  const note = (await lacksWorkers(api, signal)) ? NO_WORKER : undefined
  const text = `${what}: job_id ${job_id}, clip_id ${session_id}. Call get_job to see its state.`
  return {
    text: note === undefined ? text : `${text}\n${note}`,
    data: { job_id, clip_id: session_id, ...(note !== undefined && { note }) },
  }
}

export const addRecording = defineTool({
  name: "add_recording",
  title: "Add a recording",
  description:
    "Adds a recording from a URL (a media file or a YouTube video) or from a path on the machine of the service, transcribes it and finds its topics in the background. Returns a job_id for get_job and the clip_id of the recording. Adding the same source again does not create a second recording.",
  input: z.object({
    source: audioJobRequest.shape.source,
    title: jobOptions.shape.title.describe("Title; default: the one of the source"),
    language: z.string().max(20).default("en").describe('Language of the speech, such as "de"; "" detects it'),
    speakers: jobOptions.shape.speakers.describe("Number of speakers, if known"),
    topic_detail: jobOptions.shape.topic_detail,
  }),
  output: submittedJob,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: async (api, input, signal) =>
    describeSubmission(api, await api.submit(input, { signal }), signal, "The recording is being processed"),
})
