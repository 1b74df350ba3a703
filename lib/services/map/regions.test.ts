import { describe, expect, it } from "vitest"
import { countTerms } from "../../domain/text/terms.ts"
import { describeSpeech } from "../../domain/topics/speech.ts"
import type { MapSnapshot, MapTopic } from "../../storage/stores/ports/map.ts"
import { TopicIndex } from "../search/topic-index.ts"
import { findRegions } from "./regions.ts"

const SUBJECTS = ["garden soil", "rocket launch", "violin concert", "database index"]

/** Creates topics of subjects in distant places, in which the phrase of the subject is said. */
const createIndex = (n: number, subjects: readonly string[] = SUBJECTS) => {
  const topics = Array.from({ length: n }, (_, i): MapTopic => {
    const subject = subjects[i % subjects.length]!
    const title = `${subject} ${i}`
    return {
      clip_id: `clip-${i % 3}`,
      level: 2,
      number: `1.${i}`,
      title,
      summary: "",
      start_s: i,
      duration_s: 1,
      speaker: null,
      hash: title,
      text: title,
      speechHash: title,
    }
  })
  const speech = new Map(
    topics.map((topic, i) => {
      const spoken = `${subjects[i % subjects.length]} matters, ${subjects[i % subjects.length]} helps people`.split(
        " ",
      )
      const words = spoken.map((word) => ({ word, start: i, end: i + 0.1, speaker: "0" }))
      return [topic.speechHash, describeSpeech(words, [topic])[0]!]
    }),
  )
  const written = new Map(
    topics.map(({ hash, title }) => [hash, { title: countTerms([title]), summary: countTerms([]) }]),
  )
  const clips = ["clip-0", "clip-1", "clip-2"].map((id) => ({
    id,
    title: id,
    speakers: {},
    date: "2026-01-01T00:00:00Z",
  }))
  const snapshot: MapSnapshot = { revision: 1, clips, topics }
  const coords = Float64Array.from(
    topics.flatMap((_, i) => {
      const place = i % subjects.length
      return [40 * (place % 8) + (i % 7) / 7, 40 * Math.floor(place / 8) + (i % 5) / 5, (i % 3) / 3]
    }),
  )
  return { index: new TopicIndex(snapshot, speech, written), coords }
}

describe("findRegions", () => {
  it("names distant groups after the phrases that are said in them", async () => {
    const { index, coords } = createIndex(120)
    const { regions, regionOf, labels } = await findRegions(index, coords)
    for (const [place, subject] of SUBJECTS.entries()) {
      const own = regions.filter(({ point }) => point % 4 === place)
      expect(own.some(({ name }) => name.toLowerCase().includes(subject.split(" ")[0]!))).toBe(true)
    }
    regionOf.forEach((region, point) => {
      expect(regions[region]!.point % 4).toBe(point % 4)
    })
    expect(labels.filter(({ depth }) => depth === 0).map(({ text }) => text)).toEqual(regions.map(({ name }) => name))
    expect(regions.map(({ size }) => size)).toEqual(regions.map(({ size }) => size).sort((a, b) => b - a))
    expect(regions.reduce((sum, { size }) => sum + size, 0)).toBe(120)
  })

  it("gives all labels different texts at three levels", async () => {
    const { index, coords } = createIndex(900)
    const { labels } = await findRegions(index, coords)
    expect(new Set(labels.map(({ depth }) => depth))).toEqual(new Set([0, 1, 2]))
    expect(new Set(labels.map(({ text }) => text.toLowerCase())).size).toBe(labels.length)
    expect((await findRegions(index, coords)).labels).toEqual(labels)
  })

  it("lets a region of one or two topics join the nearest one", async () => {
    const { index, coords } = createIndex(120)
    coords.set([-30, 0, 0])
    const { regions, regionOf } = await findRegions(index, coords)
    for (const { size } of regions) expect(size).toBeGreaterThanOrEqual(3)
    expect(regionOf[0]).toBe(regionOf[4])
  })

  it("measures each region around the topic at its center", async () => {
    const { index } = createIndex(36)
    // Four squares of nine topics, 100 apart. A topic is one from its neighbors; topic 4 of a square is its center.
    const square = (i: number) => [Math.floor(i / 9) % 2, Math.floor(i / 18)] as const
    const coords = Array.from({ length: 36 }, (_, i) => {
      const [x, y] = square(i)
      return [100 * x + (i % 3), 100 * y + (Math.floor(i / 3) % 3), 0]
    }).flat()
    const { regions, regionOf, labels } = await findRegions(index, Float64Array.from(coords))
    expect(regions.map(({ point }) => point).sort((a, b) => a - b)).toEqual([4, 13, 22, 31])
    for (const region of regions) {
      // Of nine topics, four are at a distance of 1 and four at one of √2.
      expect(region).toMatchObject({ size: 9, clips: 3, radius: 1.1547, id: regionOf[region.point] })
      expect(labels).toContainEqual({
        text: region.name,
        depth: 0,
        point: region.point,
        size: 9,
        radius: 1.1547,
        region: region.id,
      })
    }
    // Nine topics are too few for subregions.
    expect(labels.filter(({ depth }) => depth === 1)).toEqual([])
    for (let i = 0; i < 36; i++) expect(regionOf[i]).toBe(regionOf[9 * Math.floor(i / 9) + 4])
  })

  it("divides a region of at least twelve topics", async () => {
    const { index } = createIndex(41)
    const coords = Array.from({ length: 41 }, (_, i) => {
      const group = i < 14 ? 0 : 1 + Math.floor((i - 14) / 9)
      return i < 14 ? [3 * (i % 4), 0.1 * i, 0] : [200 * group + 0.1 * (i % 9), 0.2 * (i % 4), 0]
    }).flat()
    const { regions, labels } = await findRegions(index, Float64Array.from(coords))
    expect(regions.map(({ size }) => size)).toEqual([14, 9, 9, 9])
    const subregions = labels.filter(({ depth }) => depth === 1)
    expect(subregions.length).toBeGreaterThan(1)
    expect(subregions.every(({ region, point }) => region === 0 && point < 14)).toBe(true)
    expect(subregions.reduce((sum, { size }) => sum + size, 0)).toBe(14)
    const titles = labels.filter(({ depth }) => depth === 2)
    expect(titles.length).toBeGreaterThan(4)
    for (const { text, point } of titles) expect(text).toBe(index.snapshot.topics[point]!.title)
  })

  it("finds no regions among few topics or in one place", async () => {
    const few = createIndex(3)
    expect(await findRegions(few.index, few.coords)).toMatchObject({ regions: [], labels: [] })
    const one = createIndex(60)
    expect((await findRegions(one.index, new Float64Array(180).fill(1))).regions).toEqual([])
  })
})
