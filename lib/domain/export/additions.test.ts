import { describe, expect, it } from "vitest"
import type { Note } from "../notes.ts"
import type { ClipSummary, SummaryLine } from "../summaries.ts"
import { listAdditions } from "./additions.ts"
import type { ExportableClip } from "./clip-text.ts"

const line = (changes: Partial<SummaryLine>) =>
  ({ section: null, text: "Send it", detail: null, start_s: 65, owner: null, due: null, ...changes }) as SummaryLine
const summary = (changes: Partial<ClipSummary>) =>
  ({ name: "Action items", kind: "action_items", provider: "builtin", lines: [line({})], ...changes }) as ClipSummary
const note = (changes: Partial<Note>) =>
  ({ quote: null, text: "", start_s: null, speaker: null, created_at: "2026-01-01T00:00:00.000Z", ...changes }) as Note
const list = (clip: Partial<ExportableClip>) => listAdditions(clip as ExportableClip)

describe("the additions to a document", () => {
  it("are the summaries with lines and the notes, in order of time", () => {
    expect(list({})).toEqual([])
    const notes = [
      note({ quote: "a boat", start_s: 9, speaker: "Ada", text: "Which\nboat?" }),
      note({ text: "About all of it" }),
    ]
    const summaries = [summary({ lines: [line({ owner: "Ada", due: "by Friday" })] }), summary({ lines: [] })]
    expect(list({ summaries, notes })).toEqual([
      {
        title: "Action items",
        depth: 1,
        origin: "Found by cue words, not by a model.",
        lines: [{ text: "Send it", detail: "Ada, by Friday", start_s: 65 }],
      },
      {
        title: "Highlights and notes",
        depth: 1,
        origin: "",
        lines: [
          { text: "About all of it", detail: null, start_s: null },
          { text: "“a boat” — Ada", detail: "Which boat?", start_s: 9 },
        ],
      },
    ])
  })
  it("have a section of their own for each heading of a summary", () => {
    const lines = [line({ section: "Boat" }), line({ section: "Bees", text: "Honey" })]
    const sections = list({ summaries: [summary({ name: "Minutes", kind: "minutes", lines })] })
    expect(sections.map(({ title, depth, lines }) => [title, depth, lines.length])).toEqual([
      ["Minutes", 1, 0],
      ["Boat", 2, 1],
      ["Bees", 2, 1],
    ])
  })
})
