import { describe, expect, it } from "vitest"
import { placeMarks } from "./place-marks.ts"

const paragraph = (text: string) => ({ type: "paragraph" as const, runs: [{ text }] })
const textsOf = (items: readonly string[], placed: ReturnType<typeof placeMarks>) =>
  placed.map(({ item, from, to, kind }) => `${kind}: ${items[item]!.slice(from, to)}`)

describe("highlights on a page of a PDF", () => {
  const items = ["The white box ", "stands by the old pear", " ", "tree. The white fox ran."]
  const blocks = [paragraph("The white box\nstands by the old"), paragraph("pear tree. The white fox ran.")]

  it("are found across pieces of text, whatever their spaces are", () => {
    const marks = [[{ from: 4, to: 20, kind: "passage" as const }], []]
    expect(textsOf(items, placeMarks(items, { blocks, marks }))).toEqual(["passage: white box ", "passage: stands"])
  })
  it("are found where they are, not where their text is first", () => {
    const marks = [[], [{ from: 15, to: 20, kind: "now" as const }]]
    const long = [...Array.from({ length: 20 }, () => "Something white and other words. "), ...items]
    const longBlocks = [paragraph(`${long.slice(0, 20).join("")}The white box stands by the old`), blocks[1]!]
    expect(placeMarks(long, { blocks: longBlocks, marks })).toEqual([{ item: 23, from: 10, to: 15, kind: "now" }])
  })
  it("are left out if the page does not have their text", () => {
    expect(placeMarks(["Other"], { blocks, marks: [[{ from: 0, to: 9, kind: "match" }], []] })).toEqual([])
  })
})
