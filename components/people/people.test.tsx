// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react"
import { describe, expect, it } from "vitest"
import { renderPage, stubApi } from "../testing/render-page.tsx"
import { formatMinutes } from "./minutes.ts"
import { PeoplePage } from "./PeoplePage.tsx"
import { PersonPage } from "./PersonPage.tsx"

const ada = {
  id: "p1",
  name: "Ada",
  created_at: "2026-01-01T00:00:00.000Z",
  clips: 2,
  speaking_s: 600,
  embeddings: 1,
}
const bo = { ...ada, id: "p2", name: "Bo", clips: 1, speaking_s: 60 }
const topic = { title: "Sails", level: 2, number: "1.1", summary: "", start_s: 30, duration_s: 60 }
const clip = {
  clip_id: "c1",
  clip_title: "Harbor talk",
  created_at: "2026-01-01T00:00:00.000Z",
  duration_s: 900,
  speakers: [{ speaker: "0", state: "automatic", score: 0.95, speaking_s: 300 }],
  topics: [topic],
}
const responses = {
  "/people": { people: [ada, bo], total: 2 },
  "/people/p1": ada,
  "/people/p2/merge": bo,
  "/people/p1/clips": { clips: [clip] },
  "/people/p1/split": { ...bo, id: "p3", name: "Cy" },
  "/people/p1/suggestions": { speakers: [{ clip_id: "c2", speaker: "1", clip_title: "Regatta", score: 0.85 }] },
  "/people/p1/words": {
    words: [
      { clip_id: "c1", clip_title: "Harbor talk", text: "old sails", marks: [[4, 9]], start_s: 42, speaker: "0" },
    ],
  },
  "/clips/c2/speakers/1": { speakers: [] },
}

describe("PeoplePage", () => {
  it("lists people with recordings and minutes, and renames one", async () => {
    const requests = stubApi(responses)
    const { user } = renderPage(<PeoplePage />)
    expect((await screen.findByRole("link", { name: "Ada" })).getAttribute("href")).toBe("/library/people/p1")
    expect(screen.getByText("2 recordings · 10 min")).toBeDefined()
    await user.click(screen.getByRole("button", { name: "Actions for Ada" }))
    await user.click(await screen.findByRole("menuitem", { name: "Rename…" }, { timeout: 10_000 }))
    const name = await screen.findByLabelText("Name", {}, { timeout: 10_000 })
    await user.clear(name)
    await user.type(name, "Ada L")
    await user.click(screen.getByRole("button", { name: "Rename" }))
    await waitFor(() => expect(requests).toContain('PATCH /people/p1 {"name":"Ada L"}'))
  })
  it("hides a deleted person without deleting before the time to undo has passed", async () => {
    const requests = stubApi(responses)
    const { user } = renderPage(<PeoplePage />)
    await user.click(await screen.findByRole("button", { name: "Actions for Bo" }))
    await user.click(await screen.findByRole("menuitem", { name: "Delete…" }, { timeout: 10_000 }))
    expect(await screen.findByText(/removes the name Bo from all recordings/)).toBeDefined()
    await user.click(screen.getByRole("button", { name: "Delete person" }))
    await waitFor(() => expect(screen.queryByRole("link", { name: "Bo" })).toBeNull())
    expect(requests.some((request) => request.startsWith("DELETE"))).toBe(false)
  })
})

describe("PersonPage", () => {
  it("shows recordings with minutes and topics that link to their second", async () => {
    stubApi(responses)
    renderPage(<PersonPage id="p1" />)
    expect((await screen.findByRole("link", { name: "Harbor talk" })).getAttribute("href")).toBe("/library/c1")
    expect(screen.getByRole("link", { name: "Sails" }).getAttribute("href")).toBe("/library/c1?t=30")
    expect(screen.getByText("5 min")).toBeDefined()
    expect(screen.getByText("Recognized")).toBeDefined()
  })
  it("finds what the person says and links to the second", async () => {
    stubApi(responses)
    const { user } = renderPage(<PersonPage id="p1" />)
    await user.type(await screen.findByLabelText("What Ada says about…"), "sails")
    const hit = await screen.findByRole("link", { name: /old sails/ })
    expect(hit.getAttribute("href")).toBe("/library/c1?t=42")
  })
  it("confirms and declines suggestions", async () => {
    const requests = stubApi(responses)
    const { user } = renderPage(<PersonPage id="p1" />)
    await user.click(await screen.findByRole("button", { name: "Use the name" }))
    await waitFor(() => expect(requests).toContain('PATCH /clips/c2/speakers/1 {"person_id":"p1"}'))
    await user.click(await screen.findByRole("button", { name: "Not Ada" }))
    await waitFor(() => expect(requests).toContain('PATCH /clips/c2/speakers/1 {"rejected_person_id":"p1"}'))
  })
  it("splits a recording off and merges the person into another", async () => {
    const api: Record<string, unknown> = { ...responses }
    const requests = stubApi(api)
    const { user, navigations } = renderPage(<PersonPage id="p1" />)
    await user.click(await screen.findByRole("button", { name: "Split off Harbor talk" }))
    await user.type(await screen.findByLabelText("Name of the new person", {}, { timeout: 10_000 }), "Cy{Enter}")
    const body = JSON.stringify({ name: "Cy", speakers: [{ clip_id: "c1", speaker: "0" }] })
    await waitFor(() => expect(requests).toContain(`POST /people/p1/split ${body}`))
    await waitFor(() => expect(screen.queryByLabelText("Name of the new person")).toBeNull())
    await user.click(screen.getByRole("button", { name: "Actions for Ada" }))
    await user.click(await screen.findByRole("menuitem", { name: /^Merge into/ }, { timeout: 10_000 }))
    const into = await screen.findByRole("button", { name: /^Bo/ }, { timeout: 10_000 })
    delete api["/people/p1"]
    await user.click(into)
    await waitFor(() => expect(requests).toContain('POST /people/p2/merge {"from":["p1"]}'))
    await waitFor(() => expect(navigations).toEqual(["/library/people/p2"]))
    const countLoads = () => requests.filter((request) => request === "GET /people/p1").length
    await waitFor(() => expect(countLoads()).toBeGreaterThan(2))
    await new Promise(setImmediate)
    expect(screen.queryByText("Person not found")).toBeNull()
  })
  it("says that an unknown person does not exist", async () => {
    stubApi({})
    renderPage(<PersonPage id="nobody" />)
    expect(await screen.findByRole("heading", { name: "Person not found" })).toBeDefined()
  })
})

describe("formatMinutes", () => {
  it("rounds to minutes and marks less than half a minute", () => {
    expect([0, 10, 30, 90, 3_600_000].map(formatMinutes)).toEqual(["0 min", "< 1 min", "1 min", "2 min", "60,000 min"])
  })
})
