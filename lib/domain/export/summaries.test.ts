import { describe, expect, it } from "vitest"
import type { ClipSummary, SummaryLine } from "../summaries.ts"
import { toSummaryMarkdown, toSummaryText } from "./summaries.ts"

const line = (changes: Partial<SummaryLine>): SummaryLine => ({
  section: null,
  text: "Send it",
  detail: null,
  start_s: 65,
  end_s: 70,
  speaker: null,
  owner: null,
  due: null,
  ...changes,
})
const summary = (changes: Partial<ClipSummary>): ClipSummary => ({
  clip_id: "a",
  template_id: "action-items",
  name: "Action items",
  kind: "action_items",
  state: "done",
  error: null,
  progress: null,
  lines: [],
  dropped: 0,
  provider: "builtin",
  model: null,
  outdated: [],
  queued_at: "2026-01-01T00:00:00.000Z",
  finished_at: null,
  ...changes,
})

describe("a summary as text", () => {
  it("lists tasks with owner and deadline, and says what found them", () => {
    const lines = [line({ owner: "Ada", due: "by Friday" }), line({ text: "Check *this*", start_s: 3700 })]
    expect(toSummaryMarkdown(summary({ lines }))).toBe(
      "# Action items\n\n*Found by cue words, not by a model.*\n\n- [ ] Send it *(Ada, by Friday)* \\[1:05\\]\n- [ ] Check \\*this\\* \\[1:01:40\\]\n",
    )
    expect(toSummaryText(summary({ lines }))).toBe(
      "Action items\n\n- Send it (Ada, by Friday) [1:05]\n- Check *this* [1:01:40]\n",
    )
    expect(toSummaryMarkdown(summary({ provider: "ollama", model: "gemma4" }))).toBe(
      "# Action items\n\n*Written by gemma4.*\n\nNothing was found.\n",
    )
  })
  it("has a heading per section, and chapters as show notes", () => {
    const lines = [line({ section: "Boat" }), line({ section: "Boat", text: "Paint" }), line({ section: "Bees" })]
    const minutes = summary({ kind: "minutes", name: "Minutes", provider: "openai", model: "m", lines })
    expect(toSummaryMarkdown(minutes, 2)).toBe(
      "## Minutes\n\n*Written by m.*\n\n### Boat\n\n- Send it \\[1:05\\]\n- Paint \\[1:05\\]\n\n### Bees\n\n- Send it \\[1:05\\]\n",
    )
    expect(toSummaryText(minutes)).toBe("Minutes\n\nBoat\n- Send it [1:05]\n- Paint [1:05]\n\nBees\n- Send it [1:05]\n")
    const chapters = summary({ kind: "chapters", lines: [line({ text: "Boat", detail: "About it.", start_s: 0 })] })
    expect(toSummaryText(chapters)).toBe("0:00 Boat\n")
    expect(toSummaryMarkdown(chapters)).toBe("# Action items\n\n- Boat \\[0:00\\]\n  About it.\n")
  })
})
