import { describe, expect, it } from "vitest"
import { createQuoteFinder } from "./find-quote.ts"

const find = createQuoteFinder(
  "Well , so now we chat about X M L — and then we chat about the bees . So now what ?"
    .split(" ")
    .map((word, i) => ({ word, start: i, end: i + 1, speaker: "0" })),
)

describe("a quote", () => {
  it.each([
    ["so now we chat", 2],
    ["So now, we chat!", 2],
    ["“and then we…”", 11],
    ["wechat about XML", 4],
    ["Speaker 1: and then", 11],
    ["00:10-00:20 Speaker 12: and then we chat", 11],
    ["So now what?", 19],
    ["now", 3],
  ])("%j is found at its first word", (quote, start) => {
    expect(find(quote, 0)).toBe(start)
  })

  it("that occurs several times is the one nearest to the time", () => {
    expect([0, 8, 12, 99].map((near) => find("we chat about", near))).toEqual([4, 4, 13, 13])
  })

  it("that goes on differently is found by its first three words, unless they are short", () => {
    expect(find("and then we sang a song", 0)).toBe(11)
    expect(find("and then you sang", 0)).toBeNull()
    expect(find("x m l is fine", 0)).toBeNull()
  })

  it.each(["", "…", "never said", "ell so now", "so now w", "n", "Speaker 1:"])("%j is not found", (quote) => {
    expect(find(quote, 0)).toBeNull()
  })
})
