import { setTimeout as sleep } from "node:timers/promises"
import * as z from "zod"
import { AppError } from "../../domain/errors.ts"
import { toSummaryMarkdown } from "../../domain/export/summaries.ts"
import { type ClipSummary, clipSummary } from "../../domain/summaries.ts"
import { templateId } from "../../domain/summary-templates.ts"
import type { Api } from "../../services/local-api.ts"
import { defineTool } from "../tool.ts"
import { clipId } from "./clip-id.ts"

/** Less than the 60 s after which MCP clients give up a call by default. */
const MAX_WAIT_MS = 45_000
const POLL_MS = 500

const isCurrent = ({ state, outdated }: ClipSummary): boolean => state === "done" && outdated.length === 0

/** Returns the stored summary if it is up to date, and otherwise requests it and waits. */
const loadSummary = async (api: Api, clip: string, template: string, signal: AbortSignal): Promise<ClipSummary> => {
  const { summaries } = await api.summaries(clip, { signal })
  const stored = summaries.find(({ template_id }) => template_id === template)
  if (stored && isCurrent(stored)) return stored
  let summary: ClipSummary = await api.summarize(clip, { template_id: template }, { signal })
  const until = Date.now() + MAX_WAIT_MS
  while ((summary.state === "queued" || summary.state === "running") && Date.now() < until) {
    await sleep(POLL_MS, undefined, { signal })
    summary = await api.summary(clip, template, { signal })
  }
  return summary
}

export const summarizeRecording = defineTool({
  name: "summarize_recording",
  title: "Summary of a recording",
  description:
    "Returns a summary of a recording by a template: action-items (with owner and deadline), decisions, minutes, chapters, or the ID of a template of the user. Each line has the time at which it is said. It is made if it does not exist or is out of date.",
  input: z.object({
    clip_id: clipId,
    template: templateId
      .default("minutes")
      .describe("action-items, decisions, minutes, chapters, or the ID of an own template"),
  }),
  output: clipSummary,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: async (api, { clip_id, template }, signal) => {
    const summary = await loadSummary(api, clip_id, template, signal)
    if (summary.state === "error") throw new AppError("unavailable", summary.error ?? "The summary could not be made.")
    const isMade = summary.state === "done"
    return {
      text: isMade ? toSummaryMarkdown(summary) : "The summary is still being made. Call the tool again in a minute.",
      data: summary,
    }
  },
})
