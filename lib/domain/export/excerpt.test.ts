import { describe, expect, it } from "vitest"
import { excerptClip, findTopicAt } from "./excerpt.ts"
import { buildClip } from "./testing/clip.ts"
import { toJson } from "./transcripts.ts"

describe("findTopicAt", () => {
  it("returns the topic that covers a range best", () => {
    const clip = buildClip()
    const titleAt = (start_s: number, end_s: number) => findTopicAt(clip, { start_s, end_s })?.title
    expect([titleAt(0, 90), titleAt(0, 40), titleAt(1, 21), titleAt(38, 90), titleAt(20, 39)]).toEqual([
      "All",
      "Boats",
      "Wood",
      "Bees",
      "Doubt",
    ])
    expect([titleAt(90, 100), titleAt(5, 5)]).toEqual([undefined, undefined])
  })
})

describe("excerptClip", () => {
  it("keeps the words, subtopics and speakers of a topic, with times from its start", () => {
    const part = excerptClip(buildClip(), { start_s: 20, end_s: 40 })
    expect(part).toMatchObject({
      title: "Doubt",
      duration_s: 20,
      voices: 1,
      speakers: { "1": "Grace" },
      tree: { topics: [{ title: "Doubt", start_s: 0, end_s: 20, children: [] }] },
    })
    expect(part.transcription.map(({ word, start }) => `${word} ${start.toFixed(2)}`)).toEqual([
      "Do 0.00",
      "they? 0.33",
    ])
    expect(excerptClip(buildClip(), { start_s: 0, end_s: 40 }).tree.topics[0]!.children.map((t) => t.title)).toEqual([
      "Wood",
      "Doubt",
    ])
  })

  it("contains nothing of the rest of the recording", () => {
    const clip = buildClip({ source_url: "https://example.org/secret", transcript_notes: ["secret note"] })
    const text = toJson(excerptClip(clip, { start_s: 40, end_s: 90 }))
    expect(text).toContain("dance")
    expect(text).not.toMatch(/Grace|wood|float|Do they|secret|All/)
  })

  it("cuts topics that reach beyond the range", () => {
    const { tree } = excerptClip(buildClip(), { start_s: 10, end_s: 30 })
    const topics = tree.topics.flatMap((topic) => [topic, ...topic.children])
    expect(topics.length).toBeGreaterThan(0)
    for (const { start_s, end_s } of topics) expect([start_s >= 0, end_s <= 20]).toEqual([true, true])
  })
})
