import * as z from "zod"
import { jobOptions, providerName } from "./jobs/jobs.ts"
import { isoTime } from "./schemas.ts"
import { summaryKind, templateId } from "./summary-templates.ts"

export const SUMMARY_STATES = ["queued", "running", "done", "error"] as const

/** A line of a summary, linked to where it is said. */
export const summaryLine = z.object({
  section: z.string().nullable().describe("The heading that the line belongs to; null without headings"),
  text: z.string().describe("The line"),
  detail: z.string().nullable().describe("A sentence below the line, such as the summary of a chapter"),
  start_s: z.number().describe("Where it is said, in seconds"),
  end_s: z.number().describe("Where that ends, in seconds"),
  speaker: z.string().nullable().describe("The name of who says it; null if unknown"),
  owner: z.string().nullable().describe("For a task: the name of who does it; null if open or unknown"),
  due: z.string().nullable().describe("For a task: until when, as it was said"),
})
export type SummaryLine = z.infer<typeof summaryLine>

/** A summary of a clip, made from a template. */
export const clipSummary = z.object({
  clip_id: z.string().describe("The clip"),
  template_id: templateId.describe("The template, which may have been deleted since"),
  name: z.string().describe("The name of the template when the summary was made"),
  kind: summaryKind.describe("What the template produces"),
  state: z.enum(SUMMARY_STATES).describe("`done` and `error` are final until it is run again"),
  error: z.string().nullable().describe("Why it failed, and what to do. Lines of an earlier run stay"),
  progress: z
    .object({
      done: z.int().min(0).describe("Finished parts of the recording"),
      total: z.int().min(0).describe("All parts"),
    })
    .nullable()
    .describe("How far a running summary is; null if it is not running"),
  lines: z.array(summaryLine).describe("The lines. While it runs again, those of the last run"),
  dropped: z
    .int()
    .min(0)
    .describe("How many lines of the language model were left out, because they name nothing that was said"),
  provider: providerName.nullable().describe("What made the lines: `builtin` finds them by cue words. Null before"),
  model: z.string().nullable().describe("The language model that wrote them; null without one"),
  outdated: z
    .array(z.enum(["transcript", "topics", "template"]))
    .describe("What has changed since the lines were made. Run it again to bring it up to date"),
  queued_at: isoTime.describe("When it was last requested"),
  finished_at: isoTime.nullable().describe("When the lines were made; null if there are none yet"),
})
export type ClipSummary = z.infer<typeof clipSummary>

export const summaryRequest = z.object({
  template_id: templateId.describe("The template, as listed by `GET /templates`"),
  provider: jobOptions.shape.provider.describe("What writes it. `auto` uses the choice of the installation"),
  llm_model: jobOptions.shape.llm_model.describe("The language model. The default is that of the installation"),
})
export type SummaryRequest = z.infer<typeof summaryRequest>

/** How a summary is made: the options of its request. */
export type SummaryOptions = Pick<SummaryRequest, "provider" | "llm_model">

/** A line as it is stored and as engines return it. Speakers are IDs, because their names may change. */
export type StoredLine = Omit<SummaryLine, "speaker" | "owner"> & {
  readonly speaker: string | null
  /** The ID of the speaker who has to act. */
  readonly ownerSpeaker: string | null
  /** The name of somebody else who has to act, as it was said. */
  readonly owner: string | null
}
