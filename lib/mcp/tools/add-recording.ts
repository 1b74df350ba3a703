import * as z from "zod"
import { audioJobRequest, jobOptions } from "../../domain/jobs/jobs.ts"
import type { Api } from "../../services/local-api.ts"
import { defineTool } from "../tool.ts"

const NO_WORKER =
  "No worker is running, so the job waits. Ask the user to start the service with `earmark serve`; the job then begins."

/** Returns true if it is certain that no worker is running. */
const lacksWorkers = async (api: Api, signal: AbortSignal): Promise<boolean> => {
  const workers = await api.installation({ signal }).then(
    (installation) => installation.workers,
    () => null,
  )
  return workers?.length === 0
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
  }),
  output: z.object({ job_id: z.string(), clip_id: z.string(), note: z.string().optional() }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run: async (api, { source, title, language, speakers }, signal) => {
    const { job_id, session_id } = await api.submit({ source, title, language, speakers }, { signal })
    const note = (await lacksWorkers(api, signal)) ? NO_WORKER : undefined
    const text = `The recording is being processed: job_id ${job_id}, clip_id ${session_id}. Call get_job to see its state.`
    return {
      text: note === undefined ? text : `${text}\n${note}`,
      data: { job_id, clip_id: session_id, ...(note !== undefined && { note }) },
    }
  },
})
