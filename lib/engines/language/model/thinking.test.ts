import { describe, expect, it } from "vitest"
import { parseJsonAnswer } from "./parse-json.ts"
import { filterThinking, removeThinking } from "./thinking.ts"

const CASES: readonly (readonly [answer: string, expected: string])[] = [
  ["An answer.", "An answer."],
  ["<think>\nWell.\n</think>\n\nAn answer.", "An answer."],
  ["\n<thinking>a <b> c</thinking>An answer.", "An answer."],
  ["[THINK]Hm[/THINK]An answer.", "An answer."],
  ["<think></think>An answer with <think> in it.", "An answer with <think> in it."],
  ["<b>An answer.</b>", "<b>An answer.</b>"],
  ["<thorough>", "<thorough>"],
  ["<think>It does not end.", ""],
  ["", ""],
]

describe("a thought before an answer", () => {
  it.each(CASES)("%j becomes %j, in a stream of any parts as well", async (answer, expected) => {
    expect(removeThinking(answer)).toBe(expected)
    for (const size of [1, 2, 3, 7, 100]) {
      const parts = (async function* () {
        for (let i = 0; i < answer.length; i += size) yield answer.slice(i, i + size)
      })()
      let streamed = ""
      for await (const part of filterThinking(parts)) streamed += part
      expect(streamed).toBe(expected)
    }
  })

  it("is removed up to its end if the template contains the beginning", () => {
    expect(removeThinking("Well.\n</think>\nAn answer.")).toBe("An answer.")
    expect(removeThinking('{"title": "</think>"}')).toBe('{"title": "</think>"}')
  })
})

describe("parseJsonAnswer", () => {
  it.each([
    ['{"a": 1}', { a: 1 }],
    ['```json\n{"a": "}"}\n```', { a: "}" }],
    ['Sure! {"a": {"b": "\\"{"}} I hope {that} helps.', { a: { b: '"{' } }],
    ['{"a": 1', undefined],
    ["no object", undefined],
  ])("reads %j", (text, expected) => {
    expect(parseJsonAnswer(text)).toEqual(expected)
  })
})
