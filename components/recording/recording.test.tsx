// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react"
import type { ReactNode } from "react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { Clip } from "#lib/domain/clips.ts"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { renderPage, stubApi } from "../testing/render-page.tsx"
import { usePlayer } from "./player/player.ts"
import { RecordingProvider } from "./recording-context.ts"
import { SpeakersDialog } from "./speakers/SpeakersDialog.tsx"
import { listSpeakers } from "./speakers/speakers.ts"
import { closeSpeakersDialog, openSpeakersDialog, useSpeakersDialog } from "./speakers/speakers-dialog-store.ts"
import { Outline } from "./topics/Outline.tsx"
import { listTopics } from "./topics/topic-list.ts"
import { FindBar } from "./transcript/FindBar.tsx"
import { Paragraph } from "./transcript/Paragraph.tsx"
import { splitIntoParagraphs } from "./transcript/paragraphs.ts"
import { useFind } from "./transcript/use-find.ts"

const words: WordSpan[] = "We repair an old boat . The bees keep honey by winter".split(" ").map((word, i) => ({
  word,
  start: i,
  end: i + 0.5,
  speaker: i < 6 ? "0" : "1",
}))
const node = (title: string, start_s: number, end_s: number) => ({ title, summary: "", start_s, end_s, children: [] })
const clip: Clip = {
  id: "c1",
  title: "Talk",
  source_url: null,
  file_path: null,
  channel: null,
  published_at: null,
  diarized: true,
  estimated_times: null,
  transcript_notes: [],
  created_at: "2026-01-01T00:00:00.000Z",
  duration_s: 12,
  language: "en",
  transcription: words,
  topics: [],
  tree: { topics: [{ ...node("All", 0, 12), children: [node("Boat", 0, 6), node("Bees", 6, 12)] }] },
  speakers: { "0": "Ada" },
  voices: 2,
  tags: [],
  favorite: false,
  speech_engine: null,
  whisper_model: null,
  provider: "builtin",
  llm_model: null,
  embed_model: null,
}
const renderRecording = (element: ReactNode, recording: Clip = clip) =>
  renderPage(
    <RecordingProvider value={{ clip: recording, speakers: listSpeakers(recording), areSpeakersKnown: true }}>
      {element}
    </RecordingProvider>,
  )

afterEach(cleanup)
beforeEach(() => {
  stubApi({ "/clips/c1/topics": { can_undo: false, can_redo: false } })
  Element.prototype.scrollIntoView = () => undefined
})

describe("Outline", () => {
  it("seeks to the topic that is clicked and marks it as current", async () => {
    const { user } = renderRecording(<Outline tree={clip.tree} topics={listTopics(clip.tree)} />)
    const bees = screen.getByRole("button", { name: /^Bees/ })
    expect(bees.getAttribute("aria-current")).toBeNull()
    await user.click(bees)
    expect(usePlayer.getState().second).toBe(6)
    await waitFor(() => expect(bees.getAttribute("aria-current")).toBe("true"))
    expect(screen.getByRole("button", { name: "Edit topic Bees" })).toBeDefined()
  })
  it("merges a topic, offers to undo it, and names the version that it has seen", async () => {
    const tree = { topics: [node("All", 0, 12)] }
    const sent: unknown[] = []
    vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
      sent.push([init?.method ?? "GET", String(input).replace(/^.*\/\/[^/]*/, ""), init?.body ?? null])
      return Response.json({ clip_id: "c1", tree, edits: [], can_undo: true, can_redo: false })
    })
    const { user } = renderRecording(<Outline tree={clip.tree} topics={listTopics(clip.tree)} />)
    await user.click(screen.getByRole("button", { name: /^Change topic Bees/ }))
    await user.click(await screen.findByRole("menuitem", { name: /^Merge with previous/ }, { timeout: 10_000 }))
    const body = JSON.stringify({ action: "merge", topic: "1.2", with: "previous" })
    await waitFor(() => expect(sent).toContainEqual(["POST", "/clips/c1/topic-edits", body]))
    await user.click(await screen.findByRole("button", { name: "Undo change of topics" }))
    await waitFor(() => expect(sent).toContainEqual(["POST", "/clips/c1/topic-edits/undo", null]))
  })
  it("says why there are no topics", () => {
    const { rerender } = renderRecording(<Outline tree={{ topics: [] }} topics={[]} />)
    expect(screen.getByText("No topics found in this recording.")).toBeDefined()
    rerender(
      <RecordingProvider value={{ clip: { ...clip, provider: null }, speakers: [], areSpeakersKnown: false }}>
        <Outline tree={{ topics: [] }} topics={[]} />
      </RecordingProvider>,
    )
    expect(screen.getByText("Topics aren't ready yet.")).toBeDefined()
  })
})

describe("Paragraph", () => {
  const paragraph = splitIntoParagraphs(words)[1]!
  const speakers = new Map(listSpeakers(clip).map((s) => [s.id, s]))
  const props = {
    paragraph,
    words,
    speakers,
    isNewTurn: true,
    matches: [],
    currentMatchWord: -1,
    highlights: [],
    hidesFillers: false,
  }
  it("seeks to its start, starts a correction, and renders words as elements when the pointer enters", async () => {
    const onSeek = vi.fn()
    const onCorrect = vi.fn()
    const { user, container } = renderRecording(
      <Paragraph {...props} isSpoken={false} onSeek={onSeek} onCorrect={onCorrect} />,
    )
    expect(container.textContent).toContain("The bees keep honey by winter")
    expect(container.querySelectorAll("[data-w]")).toHaveLength(0)
    fireEvent.pointerEnter(container.firstElementChild!)
    expect([...container.querySelectorAll("[data-w]")].map((word) => word.textContent)).toContain("honey")
    await user.click(screen.getAllByRole("button", { name: "Go to 0:06" })[0]!)
    expect(onSeek).toHaveBeenCalledWith(6)
    await user.click(screen.getByRole("button", { name: "Correct text at 0:06" }))
    expect(onCorrect).toHaveBeenCalledWith(paragraph)
    expect(screen.getByRole("button", { name: "Speaker: Speaker 2" })).toBeDefined()
  })
  it("highlights search matches and the current match", () => {
    const matches = [
      { first: 7, end: 8 },
      { first: 9, end: 10 },
    ]
    const { container } = renderRecording(
      <Paragraph
        {...props}
        matches={matches}
        currentMatchWord={9}
        highlights={[]}
        isSpoken={false}
        onSeek={() => undefined}
        onCorrect={() => undefined}
      />,
    )
    const marks = [...container.querySelectorAll("[data-found]")]
    expect(marks.map((mark) => [mark.textContent, mark.getAttribute("data-found")])).toEqual([
      ["bees", ""],
      ["honey", "now"],
    ])
  })
})

const FindExample = ({ reveal }: { reveal: (time: number) => void }) => <FindBar find={useFind(words, reveal)} />

describe("FindBar", () => {
  it("takes the focus on /, steps through matches with Enter and announces the position", async () => {
    const reveal = vi.fn()
    const { user } = renderRecording(<FindExample reveal={reveal} />)
    const status = screen.getByRole("status")
    await user.keyboard("/")
    expect(document.activeElement).toBe(screen.getByLabelText("Search in this recording"))
    await user.keyboard("b")
    await waitFor(() => expect(status.textContent).toBe("1 of 3"))
    expect(reveal).toHaveBeenLastCalledWith(4)
    await user.keyboard("{Enter}")
    expect(status.textContent).toBe("2 of 3")
    expect(reveal).toHaveBeenLastCalledWith(7)
    await user.keyboard("{Shift>}{Enter}{/Shift}")
    expect(status.textContent).toBe("1 of 3")
    await user.click(screen.getByRole("button", { name: "Next match" }))
    expect(status.textContent).toBe("2 of 3")
    await user.type(screen.getByLabelText("Search in this recording"), "xyz")
    await waitFor(() => expect(status.textContent).toBe("No matches"))
    await user.keyboard("{Escape}")
    expect(status.textContent).toBe("")
  })
})

describe("SpeakersDialog", () => {
  beforeEach(closeSpeakersDialog)
  it("focuses the requested speaker and saves only changed names", async () => {
    const requests = stubApi({ "/clips/c1": clip })
    openSpeakersDialog("1")
    const { user } = renderRecording(<SpeakersDialog />)
    const name = await screen.findByLabelText("Name of Speaker 2")
    await waitFor(() => expect(document.activeElement).toBe(name))
    await user.type(name, "Grace")
    await user.click(screen.getByRole("button", { name: "Save names" }))
    await waitFor(() => expect(useSpeakersDialog.getState().open).toBe(false))
    expect(requests.filter((request) => !request.startsWith("GET"))).toEqual([
      'PATCH /clips/c1 {"speakers":{"1":"Grace"}}',
    ])
  })
  it("stays open with the entered name and the error if saving fails", async () => {
    stubApi({})
    openSpeakersDialog()
    const { user } = renderRecording(<SpeakersDialog />)
    const name = await screen.findByLabelText<HTMLInputElement>("Name of Speaker 2")
    await user.type(name, "Grace")
    await user.keyboard("{Enter}")
    expect((await screen.findByRole("alert")).textContent).toContain("Couldn't save the speakers.")
    expect(name.value).toBe("Grace")
    expect(useSpeakersDialog.getState().open).toBe(true)
  })
  const known = { created_at: "2026-01-01T00:00:00.000Z", clips: 1, speaking_s: 60, embeddings: 1 }
  const people = [
    { id: "p1", name: "Ada", ...known },
    { id: "p2", name: "Grace", ...known },
  ]
  const ada = { id: "p1", name: "Ada" }
  const grace = { id: "p2", name: "Grace" }
  const nobody = { name: null, person: null, suggestions: [], has_embedding: true }
  const automatic = {
    ...nobody,
    speaker: "0",
    name: "Ada",
    person: { ...ada, state: "automatic", score: 0.95 },
  }
  const suggested = { ...nobody, speaker: "1", suggestions: [{ ...grace, score: 0.85 }] }
  it("marks a name that was applied automatically and removes it with one click", async () => {
    const requests = stubApi({
      "/clips/c1/speakers": { speakers: [automatic, suggested] },
      "/clips/c1/speakers/0": { speakers: [{ ...nobody, speaker: "0" }, suggested] },
    })
    openSpeakersDialog()
    const { user } = renderRecording(<SpeakersDialog />)
    expect(await screen.findByText("Recognized")).toBeDefined()
    const name = screen.getByLabelText<HTMLInputElement>("Name of Ada")
    await user.type(screen.getByLabelText("Name of Speaker 2"), "Bo")
    await user.click(screen.getByRole("button", { name: "Not Ada" }))
    await waitFor(() => expect(name.value).toBe(""))
    expect(screen.getByLabelText<HTMLInputElement>("Name of Speaker 2").value).toBe("Bo")
    expect(requests).toContain('PATCH /clips/c1/speakers/0 {"person_id":null}')
  })
  it("uses a suggested name with one click", async () => {
    const requests = stubApi({
      "/clips/c1/speakers": { speakers: [automatic, suggested] },
      "/clips/c1/speakers/1": {
        speakers: [
          automatic,
          { ...suggested, name: "Grace", person: { ...grace, state: "confirmed", score: null }, suggestions: [] },
        ],
      },
    })
    openSpeakersDialog()
    const { user } = renderRecording(<SpeakersDialog />)
    expect(await screen.findByText("Sounds like Grace")).toBeDefined()
    await user.click(screen.getByRole("button", { name: "Use the name" }))
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("Name of Speaker 2").value).toBe("Grace"))
    expect(requests).toContain('PATCH /clips/c1/speakers/1 {"person_id":"p2"}')
  })
  it("declines a suggested name and keeps the name that is being typed", async () => {
    const requests = stubApi({
      "/clips/c1/speakers": { speakers: [automatic, suggested] },
      "/clips/c1/speakers/1": { speakers: [automatic, { ...suggested, suggestions: [] }] },
    })
    openSpeakersDialog()
    const { user } = renderRecording(<SpeakersDialog />)
    const name = await screen.findByLabelText<HTMLInputElement>("Name of Speaker 2")
    await user.type(name, "Bo")
    await user.click(await screen.findByRole("button", { name: "Not Grace" }))
    await waitFor(() => expect(requests).toContain('PATCH /clips/c1/speakers/1 {"rejected_person_id":"p2"}'))
    expect(name.value).toBe("Bo")
  })
  it("offers the names of known people", async () => {
    stubApi({ "/people": { people } })
    openSpeakersDialog()
    renderRecording(<SpeakersDialog />)
    const name = await screen.findByLabelText<HTMLInputElement>("Name of Speaker 2")
    await waitFor(() => expect([...(name.list?.options ?? [])].map((option) => option.value)).toEqual(["Ada", "Grace"]))
  })
  it("explains missing speaker labels", async () => {
    const single = { ...clip, diarized: false, speakers: {}, transcription: words.map((w) => ({ ...w, speaker: "0" })) }
    openSpeakersDialog()
    renderRecording(<SpeakersDialog />, single)
    expect((await screen.findByRole("status")).textContent).toContain("No speaker labels")
    expect(screen.getByRole("link", { name: "Models page" }).getAttribute("href")).toBe("/settings/models")
  })
})
