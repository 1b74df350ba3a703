import { expect, it } from "vitest"
import { NONE } from "./store.ts"
import { removeMissingTopic } from "./use-missing-topic.ts"

it("removes a missing topic from the query string and keeps the other parameters", () => {
  expect(removeMissingTopic("?topic=a%7E1&flat=1", NONE)).toBe("?flat=1")
  expect(removeMissingTopic("?topic=a%7E1", NONE)).toBe("")
})

it("returns null if the topic is open or the URL names none", () => {
  expect(removeMissingTopic("?topic=a%7E1", 4)).toBeNull()
  expect(removeMissingTopic("?flat=1", NONE)).toBeNull()
})
