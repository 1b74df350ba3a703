import { describe, expect, it } from "vitest"
import { classifyWord } from "./word-classes.ts"

describe("classOf", () => {
  it.each(["remote", "channel", "recognition", "budget", "variable", "italy", "family", "hospital"])(
    "returns noun for %s",
    (w) => expect(classifyWord(w)).toBe("noun"),
  )
  it.each([
    "electronic",
    "acoustic",
    "rising",
    "coloured",
    "vulnerable",
    "favourite",
    "cheaper",
    "louder",
    "de",
    "der",
  ])("returns modifier for %s", (w) => expect(classifyWord(w)).toBe("modifier"))
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
  ])("returns other for %s", (w) => expect(classifyWord(w)).toBe("other"))
})
