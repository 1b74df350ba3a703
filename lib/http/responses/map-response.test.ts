import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type MapFixture, openMapFixture } from "../../services/map/testing/map-fixture.ts"
import type { HttpDeps } from "../container.ts"
import { mapResponse } from "./map-response.ts"

let f: MapFixture
beforeAll(async () => {
  f = await openMapFixture()
  const topics = ["Show", "Bees", "Comets"].map((title) => ({ title, summary: "" }))
  await f.addClip("a", topics, ["hello and welcome", "bees make honey", "comets melt slowly"])
})
afterAll(() => f.close())

const get = (ifNoneMatch: string | null, query: { distance_threshold?: number } = {}, fields?: string[]) => {
  const headers = ifNoneMatch === null ? {} : { "if-none-match": ifNoneMatch }
  const request = new Request("http://localhost/viz/data", { headers })
  return mapResponse(f.deps as HttpDeps, { request, query, fields })
}

describe("the map over HTTP", () => {
  it("is sent with its ETag, whole or with some fields", async () => {
    const response = await get(null)
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"])
    expect(await response.json()).toMatchObject({ total_clips: 1, total_topics: 3 })
    expect(await (await get(null, {}, ["total_clips"])).json()).toEqual({ total_clips: 1 })
    expect(await (await get('"of another version"')).json()).toMatchObject({ total_topics: 3 })
  })

  it("is not computed for a client that has it", async () => {
    const etag = (await get(null)).headers.get("etag")!
    const compose = vi.spyOn(f.deps.engines, "getEmbedder")
    const known = await get(etag)
    expect([known.status, await known.text(), known.headers.get("etag")]).toEqual([304, "", etag])
    // Once for the ETag, and not again for the map.
    expect(compose).toHaveBeenCalledOnce()
    const other = await get(etag, { distance_threshold: 0.3 })
    expect([other.status, other.headers.get("etag") === etag]).toEqual([200, false])
  })
})
