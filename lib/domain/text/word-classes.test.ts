import { describe, expect, it } from "vitest"
import { classOf } from "./word-classes.ts"

describe("classOf", () => {
  it.each(["remote", "channel", "recognition", "budget", "variable", "italy", "family", "hospital"])(
    "%s may end a phrase",
    (w) => expect(classOf(w)).toBe("noun"),
  )
  it.each(["electronic", "acoustic", "rising", "coloured", "vulnerable", "favourite", "cheaper", "de", "der"])(
    "%s only stands before a noun",
    (w) => expect(classOf(w)).toBe("modifier"),
  )
  it.each([
    "sixteen",
    "fourth",
    "july",
    "thursday",
    "eighty-five",
    "quickly",
    "improve",
    "carried",
    "includes",
    "nah",
    "yo",
    "sixes",
  ])("%s is in no phrase", (w) => expect(classOf(w)).toBe("other"))
})
