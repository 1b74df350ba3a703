// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { act, cleanup, renderHook, waitFor } from "@testing-library/react"
import { AppRouterContext } from "next/dist/shared/lib/app-router-context.shared-runtime.js"
import type { ReactNode } from "react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createRouter } from "../testing/render-page.tsx"
import { takeToasts, UNDO_TIMEOUT_MS } from "../ui/toast-queue.ts"
import { useRename } from "./clips.ts"
import { useDeleteRecording, useHiddenRecordings } from "./delete-recording.ts"
import { useVizData } from "./map.ts"
import { MAP_ADDRESS } from "./map-fields.ts"
import { queryKeys } from "./query-keys.ts"

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const renderWithQueries = <T,>(useHook: () => T) => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <AppRouterContext.Provider value={createRouter([])}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </AppRouterContext.Provider>
  )
  return { queryClient, ...renderHook(useHook, { wrapper }) }
}

describe("renaming a recording", () => {
  it("reloads everything that shows its title", async () => {
    vi.stubGlobal("fetch", async () => Response.json({ id: "c1", title: "New" }))
    const { queryClient, result } = renderWithQueries(useRename)
    const showing = [
      queryKeys.clip("c1"),
      queryKeys.topicRuns("c1"),
      queryKeys.librarySearch("talk", 12),
      queryKeys.map,
      queryKeys.mapSearch("talk"),
    ]
    for (const key of [...showing, queryKeys.clip("c2")]) queryClient.setQueryData(key, {})
    await act(() => result.current.mutateAsync({ id: "c1", title: "New" }))
    const isStale = (key: readonly unknown[]) => queryClient.getQueryState(key)?.isInvalidated
    expect(showing.map(isStale)).toEqual(showing.map(() => true))
    expect(isStale(queryKeys.clip("c2"))).toBe(false)
  })
})

describe("deleting a recording", () => {
  // Other files share the process and leave messages.
  beforeEach(() => void takeToasts())

  const render = (respond: () => Response) => {
    vi.useFakeTimers()
    const requests: RequestInit[] = []
    vi.stubGlobal("fetch", async (_url: unknown, init: RequestInit = {}) => {
      requests.push(init)
      return respond()
    })
    const view = renderWithQueries(() => ({ remove: useDeleteRecording(), hidden: useHiddenRecordings() }))
    act(() => view.result.current.remove({ id: "c1", title: "Talk" }))
    return { ...view, requests }
  }

  it("hides the recording, and deletes it when it can no longer be undone, also after the page is closed", async () => {
    const { result, requests } = render(() => new Response(null, { status: 204 }))
    expect(result.current.hidden.has("c1")).toBe(true)
    await act(() => vi.advanceTimersByTimeAsync(UNDO_TIMEOUT_MS - 1))
    expect(requests).toEqual([])
    await act(() => vi.advanceTimersByTimeAsync(1))
    expect(requests).toMatchObject([{ method: "DELETE", keepalive: true }])
    expect(takeToasts()).toMatchObject([{ title: "Deleted “Talk”" }])
  })

  it("deletes at once when the page is closed", async () => {
    const { requests } = render(() => new Response(null, { status: 204 }))
    window.dispatchEvent(new Event("pagehide"))
    expect(requests).toHaveLength(1)
    await act(() => vi.advanceTimersByTimeAsync(UNDO_TIMEOUT_MS))
    expect(requests).toHaveLength(1)
    takeToasts()
  })

  it("shows the recording again if it is undone or fails", async () => {
    const { result, requests } = render(() => Response.json({ detail: "the recording is in use" }, { status: 409 }))
    act(() => takeToasts()[0]!.action!.run())
    expect(result.current.hidden.has("c1")).toBe(false)
    act(() => result.current.remove({ id: "c1", title: "Talk" }))
    await act(() => vi.advanceTimersByTimeAsync(UNDO_TIMEOUT_MS))
    expect(requests).toHaveLength(1)
    expect(result.current.hidden.has("c1")).toBe(false)
    expect(takeToasts().at(-1)).toEqual({ title: "the recording is in use", isError: true })
  })
})

describe("the data of the map", () => {
  it("is polled, so that an open map shows new recordings", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let version = 0
    const etags: (string | null)[] = []
    const point = { clip: [0], level: [2], start_s: [0], duration_s: [1], number: ["1.1"], summary: [""] }
    const place = { per_unit: 2, x: [4], y: [0], z: [-1], cluster_id: [0], region_id: [null] }
    const speech = { speaker: ["0"], speaker_name: [null] }
    vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
      // Only the same address uses what the HTML of the page has requested.
      expect(url).toBe(MAP_ADDRESS)
      etags.push(new Headers(init.headers).get("if-none-match"))
      const point_columns = { topic_title: [`Bees ${++version}`], ...point, ...place, ...speech }
      const edge_columns = { a: [0], b: [1], similarity: [500] }
      const body = { clip_ids: ["c1"], clip_titles: { c1: "Talk" }, point_columns, edge_columns }
      return Response.json(body, { headers: { etag: `"${version}"` } })
    })
    const { result } = renderWithQueries(useVizData)
    await waitFor(() => expect(result.current.data).toMatchObject({ etag: '"1"' }))
    expect(result.current.data?.data).toMatchObject({
      points: [{ topic_title: "Bees 1", clip_id: "c1", clip_title: "Talk", x: 2, y: 0, z: -0.5, cluster_id: 0 }],
      edges: [{ a: 0, b: 1, similarity: 0.5 }],
    })
    await act(() => vi.advanceTimersByTimeAsync(5000))
    await waitFor(() => expect(result.current.data).toMatchObject({ etag: '"2"' }))
    expect(etags).toEqual([null, '"1"'])
  })
})
