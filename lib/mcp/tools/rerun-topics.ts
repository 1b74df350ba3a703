import * as z from "zod"
import { topicSettings } from "../../domain/jobs/jobs.ts"
import { defineTool } from "../tool.ts"
import { describeSubmission, submittedJob } from "./add-recording.ts"
import { clipId } from "./clip-id.ts"

export const rerunTopics = defineTool({
  name: "rerun_topics",
  title: "Find topics again",
  description:
    "Finds the topics of a recording again in the background, for example with more or fewer topics. Edits of topics are kept, and the previous topics stay available as a topic run. Returns a job_id for get_job.",
  input: z.object({
    clip_id: clipId,
    topic_detail: topicSettings.shape.topic_detail,
    provider: topicSettings.shape.provider,
  }),
  output: submittedJob,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  run: async (api, { clip_id, ...settings }, signal) =>
    describeSubmission(
      api,
      await api.rerunTopics(clip_id, settings, { signal }),
      signal,
      "The topics are being found again",
    ),
})
