import { describe, expect, it } from "vitest"
import { findExcerpt } from "./excerpt.ts"

const marked = (passage: string, query: string) => {
  const { text, marks } = findExcerpt(passage, query)
  return { text, words: marks.map(([from, to]) => text.slice(from, to)) }
}

describe("findExcerpt", () => {
  it("returns the sentence with the most words of the query, in any form", () => {
    const passage =
      "We talked about the price of the whole thing for quite some time. Most of the buttons of remote controls are never used. And the remote is ugly, which nobody here had expected at all."
    expect(marked(passage, "button on the remote control")).toEqual({
      text: "Most of the buttons of remote controls are never used.",
      words: ["buttons", "remote", "controls"],
    })
  })

  it("joins short sentences with the next, and punctuation with its word", () => {
    expect(marked("Yeah . Well , that 's honey .", "honey")).toEqual({
      text: "Yeah. Well, that's honey.",
      words: ["honey"],
    })
  })

  it("begins a long sentence close to the first word of the query", () => {
    const { text, words } = marked(`${"and so on we went ".repeat(12)}until honey appeared`, "honey")
    expect(text).toMatch(/^… \S/)
    expect(text.indexOf("honey")).toBeLessThan(80)
    expect(words).toEqual(["honey"])
  })

  it("returns the beginning without marks if no word of the query occurs", () => {
    expect(marked("Nothing of it is said here, although it is about that subject.", "bees")).toEqual({
      text: "Nothing of it is said here, although it is about that subject.",
      words: [],
    })
  })
})
