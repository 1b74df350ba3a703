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

  it("finds no regions among few topics or in one place", async () => {
    const few = createIndex(3)
    expect(await findRegions(few.index, few.coords)).toMatchObject({ regions: [], labels: [] })
    const one = createIndex(60)
    expect((await findRegions(one.index, new Float64Array(180).fill(1))).regions).toEqual([])
  })
})
