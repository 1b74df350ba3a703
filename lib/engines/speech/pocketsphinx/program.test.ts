import { describe, expect, it } from "vitest"
import { parseWords } from "./program.ts"

describe("parseWords", () => {
  it("returns words without the sentence line, silences and noises", () => {
    const output = `good to see you
<s> 0.000 0.200 0.999700
good(2) 0.210 0.380 0.341460
<sil> 0.390 0.400 0.9
to(2) 0.410 0.500 0.399794
[NOISE] 0.510 0.600 0.5
++BREATH++ 0.610 0.700 0.5
see 0.710 0.900 1.000000
don't(3) 0.910 1.000 0.9
</s> 1.010 1.200 1.000000
`
    expect(parseWords(output)).toEqual([
      { word: "good", start: 0.21, end: 0.38 },
      { word: "to", start: 0.41, end: 0.5 },
      { word: "see", start: 0.71, end: 0.9 },
      { word: "don't", start: 0.91, end: 1 },
    ])
  })

  it("returns no words for empty output or a sentence without times", () => {
    expect(parseWords("")).toEqual([])
    expect(parseWords("three point one is a number\n")).toEqual([])
  })
})
