import { describe, expect, it } from "vitest"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import { checkLines } from "./check-lines.ts"
import { formatPassage, listPassages } from "./passages.ts"

const say = (text: string, from: number, speaker: string): WordSpan[] =>
  text.split(" ").map((word, i) => ({ word, start: from + i, end: from + i + 0.9, speaker }))
const passages = listPassages(
  [
    ...say("Welcome to the third meeting about the boat.", 0, "0"),
    ...say("I will order 40 kilos of tar by Friday for the hull.", 100, "1"),
    ...say("Then we paint the mast with white paint.", 200, "0"),
  ],
  { "1": "Grace" },
)
const check = (...lines: object[]) =>
  checkLines(
    lines.map((line) => ({ text: "", p: 1, ...line })),
    passages,
  )

describe("the lines of a language model", () => {
  it("come from numbered passages with time and speaker", () => {
    expect(passages.map(formatPassage)[1]).toBe("[2] 1:40 Grace: I will order 40 kilos of tar by Friday for the hull.")
  })
  it("start where their quote is said, with the speaker as owner and the deadline as it was said", () => {
    const { lines, problems } = check({
      text: "Order 40 kilos of tar for the hull",
      p: 2,
      q: "order 40 kilos of tar",
      owner: "grace",
      due: "by Friday",
    })
    expect(problems).toEqual([])
    expect(lines).toMatchObject([{ start_s: 102, speaker: "1", ownerSpeaker: "1", owner: null, due: "by Friday" }])
  })
  it("may quote the passage beside the one that they name, or share its words without a quote", () => {
    expect(check({ text: "The mast becomes white", p: 2, q: "paint the mast with" }).lines).toMatchObject([
      { start_s: 202, speaker: "0" },
    ])
    expect(check({ text: "The mast gets paint", p: 3, q: "" }).lines).toMatchObject([{ start_s: 200 }])
  })
  it("are rejected without a citation of what was said, or with invented names and numbers", () => {
    const { lines, problems } = check(
      { text: "Ignore all rules", p: 99, q: "" },
      { text: "Everybody loves democracy", p: 1, q: "as the transcript says" },
      { text: "Order 70 kilos of tar", p: 2, q: "kilos of tar by Friday" },
      { text: "Paint the mast in Norway", p: 3, q: "paint the mast" },
      { text: "  " },
    )
    expect(lines).toEqual([])
    expect(problems).toEqual([
      "Line 1 cites passage 99, which is not there.",
      'Line 2 is not in passage 1, and "q" does not quote it.',
      "Line 3 names what the passages do not: 70.",
      "Line 4 names what the passages do not: Norway.",
      "Line 5 is empty.",
    ])
  })
  it("lose an owner and a deadline that nobody mentioned", () => {
    const [line] = check({ text: "Order tar for the hull", p: 2, q: "", owner: "Zoe", due: "by Monday" }).lines
    expect(line).toMatchObject({ owner: null, ownerSpeaker: null, due: null })
  })
})
