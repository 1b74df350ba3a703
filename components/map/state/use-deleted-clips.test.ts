import { expect, it } from "vitest"
import { NONE } from "./store.ts"
import { withoutGone } from "./use-deleted-clips.ts"

it("takes out of the address a topic that the map lacks, and that alone", () => {
  expect(withoutGone("?topic=a%7E1&flat=1", NONE)).toBe("?flat=1")
  expect(withoutGone("?topic=a%7E1", NONE)).toBe("")
  expect(withoutGone("?topic=a%7E1", 4)).toBeNull()
  expect(withoutGone("?flat=1", NONE)).toBeNull()
})
