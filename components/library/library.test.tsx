// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { JobRecord } from "#lib/domain/jobs/jobs.ts"
import { STAGE_NAMES } from "#lib/domain/jobs/stage-table.ts"
import type { StageName, StageState } from "#lib/domain/jobs/stages.ts"
import { renderPage, stubApi } from "../testing/render-page.tsx"
import { ClipCard } from "./list/ClipCard.tsx"
import type { ClipRow } from "./list/library-params.ts"
import { SearchResults } from "./list/SearchResults.tsx"
import { JobCard } from "./queue/JobCard.tsx"
import { StageProgress } from "./queue/StageProgress.tsx"

const clip = (patch: Partial<ClipRow>): ClipRow => ({
  id: "c1",
  title: "Talk",
  diarized: true,
  created_at: new Date().toISOString(),
  duration_s: 60,
  language: "en",
  speakers: {},
  voices: 2,
  tags: [],
  favorite: false,
  gist: "",
  strip: [],
  provider: "builtin",
  ...patch,
})

const actions = {
  isSelected: () => false,
  onSelect: () => undefined,
  onRename: () => undefined,
  onTag: () => undefined,
}

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
    const strip = titles.map((title, i) => ({ title, start_s: 10 * i, duration_s: 10, region: i === 0 ? null : i }))
    renderPage(<ClipCard clip={clip({ strip })} {...actions} />)
    expect(screen.getByRole("link", { name: "Talk" }).getAttribute("href")).toBe("/library/c1")
    expect(screen.getByText("Hives")).toBeDefined()
    expect(screen.queryByText("Honey")).toBeNull()
    expect(screen.getByText("and 2 more topics")).toBeDefined()
    expect(screen.getByRole("article").textContent).toContain("2 speakers")
  })
  it("says why a recording has no topics", () => {
    const { rerender } = renderPage(<ClipCard clip={clip({ provider: null })} {...actions} />)
    expect(screen.getByText("Transcribed. Topics aren't ready yet.")).toBeDefined()
    rerender(<ClipCard clip={clip({ voices: 0 })} {...actions} />)
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
  it("groups results by recording, and links each to its time", async () => {
    stubApi({
      "/search": {
        titles: [{ clip_id: "c1", clip_title: "Bees", text: "Bees", marks: [[0, 4]] }],
        topics: [],
        words: [{ clip_id: "c2", clip_title: "Talk", text: "honey bees", marks: [[6, 10]], start_s: 83 }],
        notes: [],
      },
      "/clips": { clips: [clip({ id: "c2" })], total: 1 },
    })
    renderPage(<SearchResults query="bees" params={{}} />)
    expect(screen.getByRole("status").textContent).toBe("Searching…")
    const hit = await screen.findByRole("link", { name: /honey bees/ })
    expect(hit.getAttribute("href")).toBe("/library/c2?t=83")
    expect(hit.querySelector("mark")?.textContent).toBe("bees")
    expect(screen.getByRole("button", { name: "Play Talk from 1:23" })).toBeDefined()
    expect(screen.getByRole("status").textContent).toBe("2 recordings, 1 hit")
  })
  it("announces that nothing was found and offers a search of the map", async () => {
    stubApi({ "/search": { titles: [], topics: [], words: [], notes: [] }, "/clips": { clips: [], total: 0 } })
    renderPage(<SearchResults query="bees & honey" params={{}} />)
    const link = await screen.findByRole("link", { name: "Search the map" })
    expect(link.getAttribute("href")).toBe("/viz?q=bees%20%26%20honey")
    expect(screen.getByRole("status").textContent).toContain("No results for “bees & honey”")
  })
})
