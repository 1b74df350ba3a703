import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { takeSentences, tidySummary, truncateAtWord } from "./tidy-summary.ts"

describe("truncateAtWord", () => {
  it("truncates at the end of a word and within the limit", () => {
    expect(truncateAtWord("one two three", 9)).toBe("one two")
    expect(truncateAtWord("one two three", 7)).toBe("one two")
    expect(truncateAtWord("unbreakable", 5)).toBe("unbre")
    fc.assert(fc.property(fc.string(), fc.integer({ min: 1, max: 40 }), (s, n) => truncateAtWord(s, n).length <= n))
  })
})

describe("takeSentences", () => {
  it("returns the first sentences", () => {
    expect(takeSentences("One is here. Two is there! Three follows.", 2)).toBe("One is here. Two is there!")
  })

  it("does not end a sentence at a title or an initial", () => {
    expect(takeSentences("Dr. Ito met J. Smith. They agreed. They left.", 1)).toBe("Dr. Ito met J. Smith.")
  })
})

describe("tidySummary", () => {
  it("removes quotation marks, emphasis, line breaks and the full stop from a title", () => {
    const tidy = tidySummary({ title: ' "**Wet soil\n and roots.**" ', summary: " It rains. " }, 2)
    expect(tidy).toEqual({ value: { title: "Wet soil and roots", summary: "It rains." } })
  })

  it("truncates a title to 120 characters at the end of a word", () => {
    const tidy = tidySummary({ title: "soil ".repeat(60), summary: "" }, 2)
    expect("value" in tidy && tidy.value.title).toBe("soil ".repeat(24).trim())
  })

  it("rejects a title without letters", () => {
    for (const title of ["", " - ", '""', "..."])
      expect(tidySummary({ title, summary: "x" }, 2)).toHaveProperty("problem")
  })
})
