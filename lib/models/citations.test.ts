import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { citedIn, validCitations } from "./citations.ts"

async function* pieces(list: readonly string[]) {
  yield* list
}
const through = async (list: readonly string[], sources: number) => {
  let text = ""
  for await (const piece of validCitations(pieces(list), sources)) text += piece
  return text
}

describe("citations", () => {
  it("keep only numbers of sources", async () => {
    expect(await through(["Bees dance [1, 4] and eat [9]. See [note] [2"], 3)).toBe(
      "Bees dance [1] and eat . See [note] [2",
    )
    expect(await through(["a [doc99] [0] [3][2]"], 3)).toBe("a [doc99]  [3][2]")
  })
  it("are the same whatever pieces the text comes in", async () => {
    const text =
      "One [1]. Two [12], [ 2 ; 3 ] and [an aside that is longer than any citation could be, so it goes on] [7"
    const whole = await through([text], 3)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), async (sizes) => {
        const cut: string[] = []
        for (let at = 0, i = 0; at < text.length; i++) {
          const size = sizes[i % sizes.length]!
          cut.push(text.slice(at, at + size))
          at += size
        }
        expect(await through(cut, 3)).toBe(whole)
      }),
    )
    expect(citedIn(whole)).toEqual([1, 2, 3, 7].filter((n) => n <= 3))
  })
})
