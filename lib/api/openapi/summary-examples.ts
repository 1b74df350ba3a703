import type { ClipSummary } from "../../domain/summaries.ts"
import type { Template } from "../../domain/summary-templates.ts"

const builtin: Template = {
  id: "action-items",
  name: "Action items",
  kind: "action_items",
  description: "Tasks with who does them and until when.",
  prompt: null,
  is_own: false,
  needs_model: false,
  after_jobs: true,
  created_at: null,
}
const own: Template = {
  id: "01a1f2c6-0d2b-7b1a-9c3e-6a5f4e3d2c1b",
  name: "Open questions",
  kind: "prompt",
  description: "",
  prompt: "List the questions that stayed open, each as one sentence.",
  is_own: true,
  needs_model: true,
  after_jobs: false,
  created_at: "2026-11-23T10:00:00.000Z",
}
const made: ClipSummary = {
  clip_id: "fa678091-b771-53c5-bb5c-b97259498be6",
  template_id: "action-items",
  name: "Action items",
  kind: "action_items",
  state: "done",
  error: null,
  progress: null,
  lines: [
    {
      section: null,
      text: "I'll send the minutes by Friday.",
      detail: null,
      start_s: 312.4,
      end_s: 315.1,
      speaker: "Ada",
      owner: "Ada",
      due: "by Friday",
    },
  ],
  dropped: 0,
  provider: "builtin",
  model: null,
  outdated: [],
  queued_at: "2026-11-23T10:00:00.000Z",
  finished_at: "2026-11-23T10:00:01.000Z",
}
const queued: ClipSummary = { ...made, state: "queued", lines: [], provider: null, finished_at: null }

export const summaryExamples: Readonly<{
  listTemplates: { templates: Template[] }
  createTemplate: Template
  editTemplate: Template
  listSummaries: { summaries: ClipSummary[] }
  requestSummary: ClipSummary
  getSummary: ClipSummary
}> = {
  listTemplates: { templates: [builtin, own] },
  createTemplate: own,
  editTemplate: builtin,
  listSummaries: { summaries: [made] },
  requestSummary: queued,
  getSummary: made,
}
