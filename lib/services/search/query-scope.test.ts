import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openMapFixture, topicsAbout } from "../map/testing/map-fixture.ts"
import { getTopicRegions, joinSections } from "../map/topic-regions.ts"
import { resolveScope } from "./query-scope.ts"

let f: Awaited<ReturnType<typeof openMapFixture>>
beforeAll(async () => {
  f = await openMapFixture()
  for (const clip of ["a", "bb", "ccc"]) await f.addClip(clip, topicsAbout(clip, 13))
})
afterAll(() => f.close())

describe("the scope of a question", () => {
  it("has no filter without a condition", async () => {
    expect(await resolveScope(f.deps, { scope: "clips" })).toEqual({ scope: "clips" })
    expect(await resolveScope(f.deps, { scope: "all", filter: { tags: undefined } })).toEqual({ scope: "all" })
  })

  it("has times in milliseconds", async () => {
    const filter = { after: "2026-01-01", before: "2026-02-01T00:00:00+01:00", tags: ["q1"] }
    expect(await resolveScope(f.deps, { scope: "all", filter })).toEqual({
      scope: "all",
      filter: { tags: ["q1"], after: Date.UTC(2026, 0, 1), before: Date.UTC(2026, 0, 31, 23) },
    })
  })

  it("has the sections of the topics in a region", async () => {
    const { regions, ofClip } = await getTopicRegions(f.deps, 20_000)
    const [first] = regions
    const { filter } = await resolveScope(f.deps, { scope: "all", filter: { regions: [first!.name.toUpperCase()] } })
    const sections = filter!.sections!
    expect(sections.length).toBeGreaterThan(0)
    for (const clipId of ["a", "bb", "ccc"])
      for (const [number, region] of ofClip(clipId)) {
        const [, topic] = number.split(".").map(Number)
        const middle_s = 10 * topic! + 5
        const isInside = sections.some((s) => s.clipId === clipId && s.start_s <= middle_s && middle_s < s.end_s)
        expect([number, isInside]).toEqual([number, region === first!.id])
      }
  })

  it("is refused for a region that is not on the map, or without a map", async () => {
    const request = { scope: "all" as const, filter: { regions: ["Atlantis"] } }
    await expect(resolveScope(f.deps, request)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("no region of the map is called 'Atlantis'"),
    })
    const { viz: _, ...withoutMap } = f.deps
    await expect(resolveScope(withoutMap, request)).rejects.toThrow("a running service only")
  })
})

it("joins sections that overlap or touch", () => {
  const section = (clipId: string, start_s: number, end_s: number) => ({ clipId, start_s, end_s })
  const given = [section("b", 5, 9), section("a", 10, 20), section("a", 0, 4), section("a", 4, 6), section("a", 12, 15)]
  expect(joinSections(given)).toEqual([section("a", 0, 6), section("a", 10, 20), section("b", 5, 9)])
})
