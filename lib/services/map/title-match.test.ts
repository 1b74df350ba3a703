import { expect, it } from "vitest"
import { titleMatch } from "./title-match.ts"

const topic = (clip_id: string, title: string) =>
  ({ clip_id, title }) as Parameters<typeof titleMatch>[0]["topics"][number]
const clip = (id: string, title: string) => ({ id, title }) as Parameters<typeof titleMatch>[0]["clips"][number]
const snapshot = {
  clips: [clip("a", "Chess club"), clip("b", "Beekeeping in spring")],
  topics: [
    topic("a", "The Sicilian defence"),
    topic("a", "Openings"),
    topic("b", "Hives and mites"),
    topic("b", "Queens"),
  ],
}
const match = (question: string) => [...titleMatch(snapshot, question)].map((v) => Math.round(v * 100) / 100)

it("finds titles of topics above those of their recordings, by stems", () => {
  expect(match("hive")).toEqual([0, 0, 0.95, 0])
  expect(match("Chess Clubs")).toEqual([0.9, 0.9, 0, 0])
  expect(match("queens of beekeeping")[3]).toBeGreaterThan(match("queens of beekeeping")[2]!)
})
it("leaves to the meaning what stands in no title, and nothing at all", () => {
  expect(match("rockets and hive inspection schedules")).toEqual([0, 0, 0, 0])
  expect(match("?!")).toEqual([0, 0, 0, 0])
})
