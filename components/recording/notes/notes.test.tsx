// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react"
import type { ReactNode } from "react"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Clip, ClipSummary, Note } from "#lib/api/client/types.ts"
import { renderPage, stubApi } from "../../testing/render-page.tsx"
import { RecordingProvider } from "../recording-context.ts"
import { showView, useRecordingView } from "../recording-view.ts"
import { SummariesPanel } from "../summaries/SummariesPanel.tsx"
import { Words } from "../transcript/Words.tsx"
import { NoteDialog } from "./NoteDialog.tsx"
import { NotesPanel } from "./NotesPanel.tsx"
import { closeNoteDialog, useNoteDialog } from "./note-dialog-store.ts"
import { SelectionNotes } from "./SelectionNotes.tsx"

const words = "We repair an old boat".split(" ").map((word, i) => ({ word, start: i, end: i + 0.5, speaker: "0" }))
const clip = { id: "c1", title: "Talk", transcription: words, speakers: {} } as unknown as Clip
const note: Note = {
  id: "n1",
  clip_id: "c1",
  clip_title: "Talk",
  start_s: 1,
  end_s: 3,
  quote: "repair an",
  speaker: "Ada",
  color: "pink",
  text: "Which boat?",
  sources: [],
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  etag: '"a-0"',
}
const render = (element: ReactNode) =>
  renderPage(<RecordingProvider value={{ clip, speakers: [], areSpeakersKnown: true }}>{element}</RecordingProvider>)
const created = { ...note, id: "n2" }

beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  closeNoteDialog()
  showView("transcript")
})

describe("highlights in the text", () => {
  it("color their words and the spaces between them, and open their note", async () => {
    const { user, container } = render(
      <Words
        words={words}
        runs={[{ interjection: null, sentence: 0, words: [0, 1, 2, 3, 4] }]}
        speakers={new Map()}
        matches={[]}
        currentMatchWord={-1}
        highlights={[{ id: "n1", color: "pink", first: 1, end: 3, text: "Which boat?" }]}
        asElements
      />,
    )
    const marked = [...container.querySelectorAll('.word[data-highlight="pink"]')].map((word) => word.textContent)
    expect(marked).toEqual(["repair", " an"])
    expect(container.textContent).toBe("We repair an old boat")
    await user.click(screen.getByRole("button", { name: "Note: Which boat?" }))
    expect(useRecordingView.getState()).toEqual({ view: "notes", noteId: "n1" })
  })
  it("are made of selected words, changed where there is one, and noted on", async () => {
    const requests = stubApi({ "/notes": { ...created, notes: [note] }, "/notes/n1": note })
    let done = 0
    const { user } = render(
      <>
        <SelectionNotes range={{ first: 3, end: 5 }} onDone={() => done++} />
        <NoteDialog />
      </>,
    )
    await user.click(screen.getByRole("button", { name: "Highlight in blue" }))
    const sent = JSON.stringify({ clip_id: "c1", start_s: 3, end_s: 4.5, color: "blue" })
    await waitFor(() => expect(requests).toContain(`POST /notes ${sent}`))
    await user.click(screen.getByRole("button", { name: "Add a note" }))
    expect(useNoteDialog.getState().draft?.quote).toBe("old boat")
    await user.type(await screen.findByRole("textbox", { name: "Note" }), "Ask Ada")
    await user.click(screen.getByRole("button", { name: "Save" }))
    const text = JSON.stringify({ clip_id: "c1", start_s: 3, end_s: 4.5, text: "Ask Ada" })
    await waitFor(() => expect(requests).toContain(`POST /notes ${text}`))
    await waitFor(() => expect(useNoteDialog.getState().draft).toBeNull())
    expect(done).toBe(2)
  })
  it("of selected words that have a highlight change it", async () => {
    const requests = stubApi({ "/notes": { notes: [note] }, "/notes/n1": note })
    const { user } = render(<SelectionNotes range={{ first: 2, end: 5 }} onDone={() => undefined} />)
    await screen.findByRole("button", { name: "Delete the note" })
    await user.click(screen.getByRole("button", { name: "Highlight in green" }))
    await waitFor(() => expect(requests).toContain('PATCH /notes/n1 {"color":"green"}'))
  })
})

describe("the notes of a recording", () => {
  it("are listed with words, speaker and text, and lead to their second", async () => {
    stubApi({ "/notes": { notes: [note] } })
    showView("notes")
    const { user } = render(<NotesPanel />)
    expect(await screen.findByText("repair an")).toBeDefined()
    expect(screen.getByText("— Ada")).toBeDefined()
    await user.click(screen.getByRole("button", { name: "Go to 0:01" }))
    expect(useRecordingView.getState().view).toBe("transcript")
  })
})

describe("the summaries of a recording", () => {
  const template = (id: string, name: string) => ({ id, name, kind: "decisions", description: "", is_own: false })
  const summary: ClipSummary = {
    clip_id: "c1",
    template_id: "action-items",
    name: "Action items",
    kind: "action_items",
    state: "done",
    error: null,
    progress: null,
    lines: [
      {
        section: null,
        text: "I'll repair it.",
        detail: null,
        start_s: 65,
        end_s: 66,
        speaker: "Ada",
        owner: "Ada",
        due: "by Friday",
      },
    ],
    dropped: 2,
    provider: "builtin",
    model: null,
    outdated: ["transcript"],
    queued_at: "2026-01-01T00:00:00.000Z",
    finished_at: "2026-01-01T00:00:00.000Z",
  }
  it("say what found them, what was left out and what has changed, and run again", async () => {
    const requests = stubApi({
      "/templates": { templates: [template("action-items", "Action items"), template("decisions", "Decisions")] },
      "/clips/c1/summaries": { summaries: [summary] },
    })
    const { user } = render(<SummariesPanel />)
    expect(await screen.findByText(/^Found by cue words, not by a model\. 2 lines left out/)).toBeDefined()
    expect(screen.getByText("I'll repair it.")).toBeDefined()
    expect([screen.getByText("Ada"), screen.getByText("by Friday")]).toHaveLength(2)
    expect(screen.getByText(/^Out of date: the transcript changed/)).toBeDefined()
    await user.click(screen.getByRole("button", { name: "Run again" }))
    await waitFor(() => expect(requests).toContain('POST /clips/c1/summaries {"template_id":"action-items"}'))
    await user.click(screen.getByRole("radio", { name: "Decisions" }))
    await user.click(screen.getByRole("button", { name: "Make decisions" }))
    await waitFor(() => expect(requests).toContain('POST /clips/c1/summaries {"template_id":"decisions"}'))
  })
})
