import { describe, expect, it } from "vitest"
import { createDocumentBuilder, cutText } from "./document-builder.ts"
import { LIMITS } from "./limits.ts"

describe("createDocumentBuilder", () => {
  it("gives sections the path of the headings above them", () => {
    const document = createDocumentBuilder()
    document.setHeading(1, " Bees ")
    document.setHeading(3, "Dance")
    document.add({ text: "one" })
    document.setHeading(2, "Food")
    document.add({ text: "two" })
    document.add({ text: " \n" })
    document.clearHeadings()
    document.add({ text: "three" })
    expect(document.build().sections).toEqual([
      { text: "one", heading: "Bees › Dance" },
      { text: "two", heading: "Bees › Food" },
      { text: "three" },
    ])
  })
  it("cuts titles and headings, and keeps the innermost heading of a long path", () => {
    const document = createDocumentBuilder()
    document.setTitle("t".repeat(1000))
    document.setTitle("second")
    document.setHeading(1, "a".repeat(1000))
    document.add({ text: "one" })
    document.setHeading(2, "inner")
    document.add({ text: "two" })
    document.add({ text: "three", heading: "h".repeat(1000) })
    const { title, sections } = document.build()
    expect(title).toHaveLength(LIMITS.titleCharacters)
    expect(sections.map((s) => s.heading!.length)).toEqual([LIMITS.headingCharacters, 5, LIMITS.headingCharacters])
    expect(sections[1]!.heading).toBe("inner")
  })
  it("counts headings as well as texts against the limit of characters", () => {
    const document = createDocumentBuilder()
    document.setHeading(1, "h".repeat(300))
    const add = () => {
      for (let i = 0; i <= LIMITS.characters / 301; i++) document.add({ text: "x" })
    }
    expect(add).toThrow("more than 50 million characters")
    const lines = createDocumentBuilder()
    expect(() => lines.count(LIMITS.characters + 1)).toThrow("more than 50 million characters")
  })
  it("cuts texts without dividing a surrogate pair", () => {
    expect(cutText("abc", 3)).toBe("abc")
    expect(cutText("abcd", 3)).toBe("ab…")
    expect(cutText("a🎧bc", 3)).toBe("a…")
  })
  it("adds lines as one section at a position, and nothing for none", () => {
    const document = createDocumentBuilder()
    document.setHeading(1, "Sheet")
    document.addLines([])
    document.addLines(["a: 1", "a: 2"], { page: 3 })
    document.addLines(["b"], { heading: "Other" })
    expect(document.build()).toEqual({
      sections: [
        { text: "a: 1\na: 2", page: 3, lines: true, heading: "Sheet" },
        { text: "b", heading: "Other", lines: true },
      ],
    })
  })
  it("has the first title that is not empty", () => {
    const document = createDocumentBuilder()
    for (const title of [undefined, "", "  ", " First ", "Second"]) document.setTitle(title)
    document.add({ text: "x" })
    expect(document.build()).toEqual({ title: "First", sections: [{ text: "x" }] })
  })
  it("accepts exactly the limit of characters", () => {
    const document = createDocumentBuilder()
    document.count(LIMITS.characters - 5)
    document.setHeading(1, "four")
    document.add({ text: "x" })
    expect(() => document.count(1)).toThrow(expect.objectContaining({ code: "invalid" }) as Error)
  })
})
