import { describe, expect, it } from "vitest"
import { getDocumentHref, getPassageHref, readPassage } from "./document-address.ts"
import { parseDocumentParams } from "./document-params.ts"
import { markRuns } from "./reader/marked-runs.ts"

describe("the address of a document", () => {
  it("names the passage by the number at the end of its ID", () => {
    expect(getDocumentHref("a/b")).toBe("/documents/a%2Fb")
    expect(getPassageHref("d", "d:12")).toBe("/documents/d#passage-12")
    expect(["#passage-12", "#passage-", "#passage-1x", "", "#passage-99999999"].map(readPassage)).toEqual([
      12,
      null,
      null,
      null,
      null,
    ])
  })
  it("of the list names the search, the kind and the order, and ignores unknown ones", () => {
    const parse = (query: string) => parseDocumentParams(new URLSearchParams(query))
    expect(parse("q=bees&format=pdf&sort=source")).toEqual({ q: "bees", format: "pdf", sort: "source" })
    expect(parse("q=+&format=exe&sort=toString")).toEqual({})
  })
})

describe("highlights in styled text", () => {
  const runs = [{ text: "The " }, { text: "white box", bold: true as const }, { text: " stands." }]

  it("divide the runs that they begin and end in, and may overlap", () => {
    const marked = markRuns(runs, [
      { from: 0, to: 13, kind: "passage" },
      { from: 6, to: 16, kind: "match" },
    ])
    expect(marked.map(({ run, kinds }) => [run.text, run.bold ?? false, kinds.join("+")])).toEqual([
      ["The ", false, "passage"],
      ["wh", true, "passage"],
      ["ite box", true, "passage+match"],
      [" st", false, "match"],
      ["ands.", false, ""],
    ])
  })
  it("outside the text have no effect", () => {
    expect(markRuns(runs, [{ from: 40, to: 50, kind: "now" }]).map(({ run }) => run)).toEqual(runs)
  })
})
