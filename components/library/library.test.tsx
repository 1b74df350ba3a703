// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { ClipEntry } from "#lib/domain/clips.ts"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stage-table.ts"
import type { StageName, StageState } from "#lib/domain/jobs/stages.ts"
import { renderPage, stubApi } from "../testing/render-page.tsx"
import { ClipCard } from "./list/ClipCard.tsx"
import { SearchResults } from "./list/SearchResults.tsx"
import { JobCard } from "./queue/JobCard.tsx"
import { StageProgress } from "./queue/StageProgress.tsx"

const topic = (number: string, level: 1 | 2, title: string) => ({
  number,
  level,
  title,
  summary: `About ${title}`,
  start_s: 0,
  duration_s: 60,
})
const clip = (patch: Partial<ClipEntry>): ClipEntry => ({
  id: "c1",
  title: "Talk",
  source_url: null,
  file_path: null,
  channel: null,
  published_at: null,
  diarized: true,
  estimated_times: null,
  transcript_notes: [],
  created_at: new Date().toISOString(),
  duration_s: 60,
  language: "en",
  topics: [],
  speakers: {},
  voices: 2,
  tags: [],
  favorite: false,
  speech_engine: null,
  whisper_model: null,
  provider: "builtin",
  llm_model: null,
  embed_model: null,
  ...patch,
})

const stages = (state: StageState, patch: Partial<Record<StageName, StageState>> = {}) => ({
  ...(Object.fromEntries(STAGE_NAMES.map((name) => [name, state])) as Record<StageName, StageState>),
  ...patch,
})
const job = (patch: Partial<JobRecord>): JobRecord => ({
  job_id: "j1",
  session_id: "c1",
  title: "Talk",
  status: "running",
  stages: stages("pending", { whisper: "running" }),
  stage_seconds: {},
  stage_attempts: Object.fromEntries(STAGE_NAMES.map((name) => [name, 1])) as Record<StageName, number>,
  progress: { stage: "whisper", done: 30, total: 120, eta_s: 90 },
  attempts: 1,
  created_at: new Date().toISOString(),
  ...patch,
})

afterEach(cleanup)
beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined
})

describe("ClipCard", () => {
  it("links to the recording, names four topics and counts the others", () => {
    const titles = ["Boat", "Bees", "Comets", "Hives", "Honey", "Sails"]
    const topics = titles.map((title, i) => topic(`1.${i + 1}`, 2, title))
    renderPage(<ClipCard clip={clip({ topics })} onRename={() => undefined} />)
    expect(screen.getByRole("link", { name: "Talk" }).getAttribute("href")).toBe("/library/c1")
    expect(screen.getByText("Hives")).toBeDefined()
    expect(screen.queryByText("Honey")).toBeNull()
    expect(screen.getByText("and 2 more topics")).toBeDefined()
    expect(screen.getByRole("article").textContent).toContain("2 speakers")
  })
  it("says why a recording has no topics", () => {
    const { rerender } = renderPage(<ClipCard clip={clip({ provider: null })} onRename={() => undefined} />)
    expect(screen.getByText("Transcribed. Topics aren't ready yet.")).toBeDefined()
    rerender(<ClipCard clip={clip({ voices: 0 })} onRename={() => undefined} />)
    expect(screen.getByText("No speech found.")).toBeDefined()
  })
})

describe("JobCard", () => {
  const card = (record: JobRecord, isOpen = false) => {
    const onToggle = vi.fn()
    const onDismiss = vi.fn()
    const view = renderPage(
      <JobCard job={record} isOpen={isOpen} isStreamed={false} onToggle={onToggle} onDismiss={onDismiss} />,
    )
    return { ...view, onToggle, onDismiss }
  }
  it("shows the progress of an active job, and cancels it", async () => {
    const requests = stubApi({ "/jobs/j1": job({ status: "cancelled" }) })
    const { user, onToggle } = card(job({}))
    expect(screen.getByRole("progressbar", { name: "Progress of Talk" }).getAttribute("aria-valuenow")).toBe("15")
    const toggle = screen.getByRole("button", { name: /Transcribing · 15% · 2 min left/ })
    expect(toggle.getAttribute("aria-expanded")).toBe("false")
    await user.click(toggle)
    expect(onToggle).toHaveBeenCalledOnce()
    const cancel = screen.getByRole("button", { name: "Cancel Talk" })
    // Two clicks before the button is rendered as disabled.
    cancel.click()
    cancel.click()
    await waitFor(() => expect(requests).toContain("DELETE /jobs/j1"))
    expect(requests.filter((request) => request === "DELETE /jobs/j1")).toHaveLength(1)
  })
  it("shows the error of a failed job and resumes it", async () => {
    const requests = stubApi({ "/jobs/j1/retry": { job_id: "j1", session_id: "c1" } })
    const { user, onDismiss } = card(
      job({
        status: "error",
        stages: stages("pending", { whisper: "done", l1: "error" }),
        error: { stage: "l1", detail: "the model server stopped. Start it" },
      }),
      true,
    )
    expect(screen.getByRole("alert").textContent).toBe("The model server stopped. Start it")
    await user.click(screen.getByRole("button", { name: "Resume" }))
    expect(requests).toContain("POST /jobs/j1/retry")
    await user.click(screen.getByRole("button", { name: "Dismiss Talk" }))
    expect(onDismiss).toHaveBeenCalledOnce()
  })
})

describe("StageProgress", () => {
  it("names the state of every stage and the progress of the running one", () => {
    renderPage(<StageProgress job={job({})} />)
    const items = within(screen.getByRole("list", { name: "Stages" })).getAllByRole("listitem")
    expect(items).toHaveLength(8)
    expect(items[0]!.textContent).toContain("Transcribing, running0:30 of 2:00 · 25%")
    expect(items[1]!.textContent).toBe("Finding topics, pending")
    expect(screen.getAllByRole("progressbar")).toHaveLength(1)
  })
  it("can leave out stages that never started", () => {
    renderPage(
      <StageProgress
        hidePending
        job={job({ stages: stages("pending", { whisper: "done", l1: "error" }), progress: null })}
      />,
    )
    expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "Transcribing, done",
      "Finding topics, error",
    ])
  })
})

describe("SearchResults", () => {
  it("groups results and links each to its time", async () => {
    stubApi({
      "/search": {
        titles: [{ clip_id: "c1", text: "Bees", marks: [[0, 4]] }],
        topics: [],
        words: [{ clip_id: "c2", clip_title: "Talk", text: "honey bees", marks: [[6, 10]], start_s: 83 }],
      },
    })
    renderPage(<SearchResults query="bees" />)
    expect(screen.getByRole("status").textContent).toBe("Searching…")
    const transcripts = await screen.findByRole("region", { name: "Transcripts" })
    const link = within(transcripts).getByRole("link")
    expect(link.getAttribute("href")).toBe("/library/c2?t=83")
    expect(link.querySelector("mark")?.textContent).toBe("bees")
    expect(screen.queryByRole("region", { name: "Topics" })).toBeNull()
  })
  it("announces that nothing was found and offers a search of the map", async () => {
    stubApi({ "/search": { titles: [], topics: [], words: [] } })
    renderPage(<SearchResults query="bees & honey" />)
    const link = await screen.findByRole("link", { name: "Search the map" })
    expect(link.getAttribute("href")).toBe("/viz?q=bees%20%26%20honey")
    expect(screen.getByRole("status").textContent).toContain("No results for “bees & honey”")
  })
})
