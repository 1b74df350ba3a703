// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { cleanup, render, screen } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { SearchResult, VizData } from "#lib/domain/map.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { toModel } from "../state/model.ts"
import { INITIAL_STATE, NONE, useMap } from "../state/store.ts"
import { Legend } from "./Legend.tsx"
import { Search } from "./Search.tsx"

const titles = ["Bees", "Honey", "Boats"]
const data: VizData = {
  points: titles.map((topic_title, i) => ({
    topic_title,
    clip_id: `clip-${i}`,
    clip_title: `Recording ${i}`,
    level: 2,
    start_s: 0,
    duration_s: 60,
    number: "1.1",
    summary: "",
    x: i,
    y: 0,
    z: 0,
    cluster_id: i,
    region_id: null,
    speaker: null,
    speaker_name: null,
  })),
  clip_ids: ["clip-0", "clip-1", "clip-2"],
  clip_titles: { "clip-0": "Recording 0", "clip-1": "Recording 1", "clip-2": "Recording 2" },
  clip_dates: {},
  total_topics: 3,
  total_clips: 3,
  edges: [],
  total_clusters: 3,
  distance_threshold: 0.35,
  regions: [],
  labels: [],
  layout_version: 1,
  embed_model: "builtin",
}
const model = toModel(data)

beforeEach(() => useMap.setState({ ...INITIAL_STATE, model }, true))
afterEach(cleanup)

describe("Legend", () => {
  it("shows only a group and flies to it on click, and all groups after another click", async () => {
    const user = userEvent.setup()
    useMap.setState({ coloring: "cluster" })
    render(<Legend model={model} />)
    const bees = screen.getByRole("button", { name: "Bees" })
    const honey = screen.getByRole("button", { name: "Honey" })
    const pressed = () => [bees, honey].map((button) => button.getAttribute("aria-pressed"))
    await user.click(honey)
    expect(useMap.getState()).toMatchObject({ soloGroup: 1, view: { to: "group", index: 1 } })
    expect(pressed()).toEqual(["false", "true"])
    await user.click(honey)
    expect(useMap.getState()).toMatchObject({ soloGroup: NONE, view: { to: "all" } })
    expect(pressed()).toEqual(["true", "true"])
  })

  it("dims a group with Shift-click and restores it with the next", async () => {
    const user = userEvent.setup()
    useMap.setState({ coloring: "cluster" })
    render(<Legend model={model} />)
    await user.keyboard("{Shift>}")
    await user.click(screen.getByRole("button", { name: "Bees" }))
    expect([...useMap.getState().dimmedGroups]).toEqual([0])
    await user.click(screen.getByRole("button", { name: "Bees" }))
    expect([...useMap.getState().dimmedGroups]).toEqual([])
  })
})

describe("Search", () => {
  const hit = (point_index: number, similarity: number): SearchResult => {
    const { topic_title, clip_id, clip_title, summary } = data.points[point_index]!
    return { point_index, topic_title, clip_id, clip_title, summary, similarity, score: similarity, passage: null }
  }
  const renderSearch = (query: string, results: SearchResult[]) => {
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
    client.setQueryData(queryKeys.mapSearch(query), results)
    useMap.setState({ query })
    return render(
      <QueryClientProvider client={client}>
        <Search model={model} before={null} after={null} />
      </QueryClientProvider>,
    )
  }

  it("highlights close hits on the map and lists all of them", async () => {
    renderSearch("honey", [hit(1, 0.9), hit(0, 0.6), hit(2, 0.1)])
    expect(screen.getAllByRole("option")).toHaveLength(3)
    expect(useMap.getState().hits).toEqual([1, 0])
  })

  it("shows the sentence with the words of the query and plays from there", async () => {
    const user = userEvent.setup()
    const passage = { text: "Something else entirely was said . Then the bees found honeys .", start_s: 83, end_s: 90 }
    renderSearch("honey", [{ ...hit(1, 0.9), passage }])
    const row = screen.getByRole("option")
    expect(row.querySelector("mark")?.textContent).toBe("honeys")
    expect(row.textContent).toContain("1:23")
    await user.click(screen.getByRole("button", { name: "Play Honey from 1:23" }))
    expect(useMap.getState()).toMatchObject({ selected: 1, playFrom: { start_s: 83 }, view: { to: "point", index: 1 } })
  })

  it("leaves out hits that the filters dim and says how many", () => {
    useMap.setState({ clip: 1 })
    renderSearch("honey", [hit(0, 0.9), hit(1, 0.6), hit(2, 0.5)])
    expect(screen.getAllByRole("option").map((row) => row.textContent)).toEqual([expect.stringContaining("Honey")])
    expect(useMap.getState().hits).toEqual([1])
    expect(screen.getByRole("status").textContent).toContain("2 more hits outside")
  })

  it("marks hits with the arrow keys and opens the marked one with Enter", async () => {
    const user = userEvent.setup()
    renderSearch("honey", [hit(1, 0.9), hit(0, 0.6)])
    await user.click(screen.getByRole("combobox"))
    await user.keyboard("{ArrowDown}{ArrowDown}")
    expect(useMap.getState().hover).toBe(0)
    await user.keyboard("{Enter}")
    expect(useMap.getState().selected).toBe(0)
  })

  it("clears the search and the highlighted hits with Escape", async () => {
    const user = userEvent.setup()
    renderSearch("honey", [hit(1, 0.9)])
    await user.click(screen.getByRole("combobox"))
    await user.keyboard("{Escape}")
    expect(useMap.getState()).toMatchObject({ query: "", hits: null, selected: NONE })
  })

  it("suggests groups if nothing matches", () => {
    renderSearch("zebra", [])
    expect(screen.getByRole("status").textContent).toContain("No matching topics")
    expect(screen.getByRole("button", { name: "Bees" })).toBeTruthy()
  })
})
