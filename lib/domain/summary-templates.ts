import * as z from "zod"
import { MAX_PROMPT_CHARS, SUMMARY_KINDS } from "./constants.ts"
import { cleanName, isoTime, removeNul, requireSomeField } from "./schemas.ts"

export const summaryKind = z.enum(SUMMARY_KINDS)
export type SummaryKind = z.infer<typeof summaryKind>

export const templateId = z.string().min(1).max(100)

/** Says what a summary of a recording contains. */
export const template = z.object({
  id: templateId.describe("The ID of the template"),
  name: z.string().describe("The name"),
  kind: summaryKind.describe("What it produces. `prompt` is the kind of your own templates"),
  description: z.string().describe("What it produces, in a sentence. Empty for your own templates"),
  prompt: z.string().nullable().describe("What a language model is asked to write; null for a template of Earmark"),
  is_own: z.boolean().describe("True for a template that you created and can rename, change and delete"),
  needs_model: z.boolean().describe("True if only a language model can run it"),
  after_jobs: z.boolean().describe("True if it runs after every job that finds topics"),
  created_at: isoTime.nullable().describe("When it was created; null for a template of Earmark"),
})
export type Template = z.infer<typeof template>

const name = z.string().overwrite(cleanName).min(1).max(100)
const prompt = z.string().overwrite(removeNul).trim().min(1).max(MAX_PROMPT_CHARS)

export const templateRequest = z.object({
  name: name.describe("The name"),
  prompt: prompt.describe(
    "What to write, such as `List the open questions, each as one sentence.` Each line must come from something that was said",
  ),
  after_jobs: z.boolean().default(false).describe("True to run it after every job that finds topics"),
})
export type TemplateRequest = z.infer<typeof templateRequest>

export const templatePatch = requireSomeField(
  z.object({
    name: name.optional().describe("The new name. Only of your own templates"),
    prompt: prompt.optional().describe("The new prompt. Only of your own templates"),
    after_jobs: z.boolean().optional().describe("True to run it after every job that finds topics"),
  }),
)
export type TemplatePatch = z.infer<typeof templatePatch>

type BuiltinTemplate = Pick<Template, "id" | "name" | "kind" | "description">

/** The templates that every library has. */
export const BUILTIN_TEMPLATES: readonly BuiltinTemplate[] = [
  {
    id: "action-items",
    name: "Action items",
    kind: "action_items",
    description: "Tasks with who does them and until when.",
  },
  { id: "decisions", name: "Decisions", kind: "decisions", description: "What was decided or agreed." },
  {
    id: "minutes",
    name: "Minutes",
    kind: "minutes",
    description: "What was said on each topic, with decisions and action items.",
  },
  {
    id: "chapters",
    name: "Chapters for show notes",
    kind: "chapters",
    description: "The topics with their times, to paste into show notes.",
  },
]
