import { expect, it } from "vitest"
import { countTerms } from "../../domain/text/terms.ts"
import type { MapTopic } from "../../storage/stores/ports/map.ts"
import { TopicIndex } from "./topic-index.ts"

const TITLES = ["Beekeeping", "Comets", "Harbors"]
const topics = TITLES.map(
  (title, i): MapTopic => ({
    clip_id: "c",
    level: i === 1 ? 3 : 2,
    number: `1.${i}`,
    title,
    summary: "",
    start_s: 10 * i,
    duration_s: 10,
    speaker: null,
    hash: title,
    text: title,
    speechHash: title,
  }),
)
const written = new Map(TITLES.map((title) => [title, { title: countTerms([title]), summary: countTerms([]) }]))
const clips = [{ id: "c", title: "Talk", speakers: {}, date: "" }]

it("gives a subtopic half of its topic's score", () => {
  const index = new TopicIndex({ revision: 1, clips, topics }, new Map(), written)
  const [topic, subtopic, other] = index.score("beekeeping")
  expect(topic).toBeGreaterThan(0)
  expect(subtopic).toBeCloseTo(topic! / 2, 10)
  expect(other).toBe(0)
  const both = index.score("beekeeping comets")
  expect(both[1]).toBeGreaterThan(both[0]!)
})
