import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { extractCitedSentences, filterCitations } from "./citations.ts"

async function* stream(list: readonly string[]) {
  yield* list
}
const filter = async (list: readonly string[], sources: number) => {
  let text = ""
  for await (const part of filterCitations(stream(list), sources)) text += part
  return text
}

describe("citations", () => {
  it("are removed if the source does not exist", async () => {
    expect(await filter(["Bees dance [1, 4] and eat [9]. See [note] [2"], 3)).toBe(
      "Bees dance [1] and eat . See [note] [2",
    )
    expect(await filter(["a [doc99] [0] [3][2]"], 3)).toBe("a [doc99]  [3][2]")
  })
  it("are removed if the source does not say it", async () => {
    const checked: string[] = []
    const parts = stream(["Bees da", "nce [1]. They ea", "t [2][", "3]. [1] Done"])
    let text = ""
    for await (const part of filterCitations(parts, 3, ({ source, text }) => {
      checked.push(`${source} ${text}`)
      return source !== 2
    }))
      text += part
    expect(text).toBe("Bees dance [1]. They eat [3]. [1] Done")
    expect(checked).toEqual(["1 Bees dance", "2 They eat", "3 They eat", "1 They eat"])
  })
  it("belong to the sentence before them", () => {
    expect(extractCitedSentences("Bees dance. They eat nectar [2][1]. Mr. Hill saw it. [3] [1] Done.")).toEqual([
      { source: 2, text: "They eat nectar" },
      { source: 1, text: "They eat nectar" },
      { source: 3, text: "Mr. Hill saw it." },
      { source: 1, text: "Mr. Hill saw it." },
    ])
    expect(extractCitedSentences("[1] Bees.")).toEqual([{ source: 1, text: "" }])
  })
  it("are the same for every division of the stream", async () => {
    const text =
      "One [1]. Two [12], [ 2 ; 3 ] and [an aside that is longer than any citation could be, so it goes on] [7"
    const whole = await filter([text], 3)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), async (sizes) => {
        const cut: string[] = []
        for (let at = 0, i = 0; at < text.length; i++) {
          const size = sizes[i % sizes.length]!
          cut.push(text.slice(at, at + size))
          at += size
        }
        expect(await filter(cut, 3)).toBe(whole)
      }),
    )
    expect([...new Set(extractCitedSentences(whole).map((c) => c.source))]).toEqual([1, 2, 3, 7].filter((n) => n <= 3))
  })
})
