import { describe, expect, it } from "vitest"
import type { StoredChunk } from "../../storage/stores/ports/documents.ts"
import type { MapTopic } from "../../storage/stores/ports/map.ts"
import { TopicIndex } from "./topic-index.ts"
import { choosePassages } from "./topic-passages.ts"

const topic = (start_s: number, duration_s: number, level = 2, clip_id = "c"): MapTopic => ({
  clip_id,
  level: level as MapTopic["level"],
  number: `1.${start_s}`,
  title: "",
  summary: "",
  start_s,
  duration_s,
  speaker: null,
  hash: "h",
  text: "",
  speechHash: "s",
})
const chunk = (start_s: number, end_s: number, source = "c"): StoredChunk => ({
  row: start_s,
  documentId: "d",
  kind: "clip",
  ordinal: 0,
  text: `${start_s} to ${end_s}`,
  metadata: { source, start_s, end_s },
})

describe("the passage of a topic", () => {
  const find = (chunks: StoredChunk[], ...topics: MapTopic[]) =>
    choosePassages(chunks, topics).map((passage) => passage?.text ?? null)

  it("is the first chunk of its recording that is mostly spoken in it", () => {
    const chunks = [chunk(0, 60, "other"), chunk(50, 70), chunk(55, 75), chunk(0, 40)]
    expect(find(chunks, topic(0, 60), topic(60, 60))).toEqual(["0 to 40", "55 to 75"])
    expect(choosePassages(chunks, [topic(60, 60)])).toEqual([{ text: "55 to 75", start_s: 55, end_s: 75 }])
  })

  it("may contain a short topic", () => {
    expect(find([chunk(0, 100)], topic(90, 19), topic(90, 20), topic(200, 5))).toEqual(["0 to 100", null, null])
  })
})

describe("the main topic at a time", () => {
  it("ends where the next one begins, and is neither the recording nor a subtopic", () => {
    const topics = [topic(0, 30, 1), topic(0, 10), topic(0, 5, 3), topic(10, 20), topic(0, 99, 2, "other")]
    const clips = [{ id: "c", title: "", speakers: {}, date: "" }]
    const none = { hashes: new Uint32Array(), counts: new Uint16Array() }
    const written = new Map([["h", { title: none, summary: none }]])
    const index = new TopicIndex({ revision: 1, clips, topics }, new Map(), written)
    expect([0, 4, 9.9, 10, 29.9, 30].map((time) => index.findMainTopic("c", time))).toEqual([1, 1, 1, 3, 3, -1])
    expect(index.findMainTopic("unknown", 0)).toBe(-1)
  })
})
