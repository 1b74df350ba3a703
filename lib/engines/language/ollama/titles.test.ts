import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clipSentences, clipWords, tidySummary } from "./titles.ts"

describe("clipWords", () => {
  it("cuts at a word, never beyond the limit", () => {
    expect(clipWords("one two three", 9)).toBe("one two")
    expect(clipWords("one two three", 7)).toBe("one two")
    expect(clipWords("unbreakable", 5)).toBe("unbre")
    fc.assert(fc.property(fc.string(), fc.integer({ min: 1, max: 40 }), (s, n) => clipWords(s, n).length <= n))
  })
})

describe("clipSentences", () => {
  it("keeps so many sentences", () => {
    expect(clipSentences("One is here. Two is there! Three follows.", 2)).toBe("One is here. Two is there!")
  })

  it("does not stop at a title or an initial", () => {
    expect(clipSentences("Dr. Ito met J. Smith. They agreed. They left.", 1)).toBe("Dr. Ito met J. Smith.")
  })
})

describe("tidySummary", () => {
  it("takes quotation marks, emphasis, line breaks and the full stop off a title", () => {
    const tidy = tidySummary({ title: ' "**Wet soil\n and roots.**" ', summary: " It rains. " }, 2)
    expect(tidy).toEqual({ value: { title: "Wet soil and roots", summary: "It rains." } })
  })

  it("clips a title to 120 characters at a word", () => {
    const tidy = tidySummary({ title: "soil ".repeat(60), summary: "" }, 2)
    expect("value" in tidy && tidy.value.title).toBe("soil ".repeat(24).trim())
  })

  it("refuses a title without a letter", () => {
    for (const title of ["", " - ", '""', "..."])
      expect(tidySummary({ title, summary: "x" }, 2)).toHaveProperty("problem")
  })
})
