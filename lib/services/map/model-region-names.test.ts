import { setImmediate as immediate } from "node:timers/promises"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { recordLog } from "#test/fixtures/recorded-log.ts"
import type { RegionRequest, TopicModel } from "../../engines/language/types.ts"
import type { TopicIndex } from "../search/topic-index.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { loadModelNames } from "./model-region-names.ts"
import type { Regions } from "./regions.ts"
import type { VizDeps } from "./topic-map.ts"

let node: TestNode
beforeAll(async () => {
  node = await openTestNode()
})
afterAll(() => node.end())
afterEach(() => {
  vi.useRealTimers()
})

/** A map of two regions: in the first are three topics and a subtopic, in the second one subtopic. */
const TITLES = ["Honey", "Bees", "Hives", "Jars", "Tides"]
const index = {
  snapshot: { topics: TITLES.map((title, i) => ({ title, level: i < 3 ? 2 : 3 })) },
} as unknown as TopicIndex
const region = (id: number, point: number) => ({ id, name: `Region ${id}`, point, size: 3, clips: 1, radius: 1 })
const regions: Regions = {
  regions: [region(0, 1), region(1, 4)],
  regionOf: Int32Array.of(0, 0, 0, 0, 1),
  phrases: [["honey bees"], ["spring tide"]],
  labels: [],
}
const coords = [0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 9, 9, 9]

let models = 0
/** Dependencies with a language model of a new name, so that no other test has asked it. */
const depsWith = (
  nameRegion: ((request: RegionRequest) => Promise<string | null>) | undefined,
  changes: object = {},
) => {
  const model = { model: `model ${++models}`, nameRegion } as Partial<TopicModel> as TopicModel
  const { log, lines } = recordLog("debug")
  const getTopicModel = vi.fn(async () => model)
  const deps = { ...node, log, engines: { ...node.engines, getTopicModel }, ...changes } as unknown as VizDeps
  return { deps, lines, getTopicModel, load: () => loadModelNames(deps, index, regions, coords) }
}
const settle = async () => {
  for (let i = 0; i < 20; i++) await immediate()
}

describe("loadModelNames", () => {
  it("asks the model once per region, with titles and phrases, and returns the stored names from then on", async () => {
    const asked: RegionRequest[] = []
    const { load } = depsWith(async ({ titles, phrases }) => {
      asked.push({ titles, phrases })
      return `About ${titles[0]}`
    })
    const revision = await node.store.map.getRevision()
    expect(await load()).toEqual(new Map())
    await settle()
    expect(asked).toEqual([
      { titles: ["Bees", "Hives", "Honey"], phrases: ["honey bees"] },
      { titles: ["Tides"], phrases: ["spring tide"] },
    ])
    expect(await node.store.map.getRevision()).toBeGreaterThan(revision)
    expect(await load()).toEqual(
      new Map([
        [0, "About Bees"],
        [1, "About Tides"],
      ]),
    )
    await settle()
    expect(asked).toHaveLength(2)
  })

  it("represents a region by the titles nearest to its center, twelve at most", async () => {
    const asked: (readonly string[])[] = []
    const { deps } = depsWith(async ({ titles }) => {
      asked.push(titles)
      return null
    })
    const topics = Array.from({ length: 15 }, (_, i) => ({ title: String.fromCharCode(97 + i), level: 2 }))
    const large = { ...regions, regions: [region(0, 14)], regionOf: new Int32Array(15) }
    const line = Array.from({ length: 15 }, (_, i) => [i, 0, 0]).flat()
    await loadModelNames(deps, { snapshot: { topics } } as unknown as TopicIndex, large, line)
    await settle()
    expect(asked).toEqual([[..."defghijklmno"]])
  })

  it("needs regions and a language model", async () => {
    const { deps, getTopicModel } = depsWith(async () => "Name")
    const none = { ...regions, regions: [] }
    expect(await loadModelNames(deps, index, none, coords)).toEqual(new Map())
    expect(getTopicModel).not.toHaveBeenCalled()
    expect(await depsWith(undefined).load()).toEqual(new Map())
  })

  it("keeps the names that it got before an error, and asks for the others again after ten minutes", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    let isDown = true
    const asked: string[] = []
    const { load, lines } = depsWith(async ({ titles }) => {
      asked.push(titles[0]!)
      if (isDown && titles[0] === "Tides") throw new Error("no answer")
      return `About ${titles[0]}`
    })
    await load()
    await settle()
    expect(await load()).toEqual(new Map([[0, "About Bees"]]))
    expect(lines).toMatchObject([
      { level: "debug", msg: "could not name all regions of the map; the phrases that are said there remain" },
    ])
    await settle()
    expect(asked).toEqual(["Bees", "Tides"])
    isDown = false
    vi.setSystemTime(Date.now() + 10 * 60_000 + 1)
    await load()
    await settle()
    expect(asked).toEqual(["Bees", "Tides", "Tides"])
    expect((await load()).size).toBe(2)
  })

  it("asks for a name that the model could not give only later", async () => {
    let calls = 0
    const { load } = depsWith(async () => {
      calls++
      return null
    })
    await load()
    await settle()
    expect(await load()).toEqual(new Map())
    await settle()
    expect(calls).toBe(2)
  })

  it("names one map at a time", async () => {
    let answer = (_: string) => {}
    const slow = depsWith(() => new Promise((resolve) => (answer = resolve)))
    await slow.load()
    const waiting = vi.fn(async () => "Name")
    const other = depsWith(waiting)
    await other.load()
    await settle()
    expect(waiting).not.toHaveBeenCalled()
    answer("One")
    await settle()
    answer("Two")
    await settle()
    await other.load()
    await settle()
    expect(waiting).toHaveBeenCalledTimes(2)
  })

  it("logs that names could not be stored, and continues", async () => {
    const putRegionNames = () => Promise.reject(new Error("locked"))
    const store = { ...node.store, map: { ...node.store.map, putRegionNames } }
    const { load, lines } = depsWith(async () => "Name", { store })
    await load()
    await settle()
    expect(lines).toMatchObject([{ level: "warn", msg: "could not store the names of regions" }])
    const next = vi.fn(async () => "Name")
    await depsWith(next).load()
    await settle()
    expect(next).toHaveBeenCalled()
  })
})
