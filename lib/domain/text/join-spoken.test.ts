import { describe, expect, it } from "vitest"
import { isAttached, joinSpoken } from "./join-spoken.ts"

describe("joinSpoken", () => {
  it.each([
    ["we 're on .", "we're on."],
    ["I do n't know , it 's Anna 's .", "I don't know, it's Anna's."],
    ["I don 't , I 'd 've said", "I don't, I'd've said"],
    ["Really ?! 50 % ( more or less ) …", "Really?! 50% (more or less)…"],
    ["he said `` no '' , twice", "he said ``no'', twice"],
    ["we ’re gon na , Got ta go", "we’re gonna, Gotta go"],
    ["会議 を 始め ます 。 はい 、 どうぞ", "会議を始めます。はい、どうぞ"],
    ["¿ Qué tal ?", "¿Qué tal?"],
  ])("writes %j as %j", (spoken, written) => {
    expect(joinSpoken(spoken.split(" "))).toBe(written)
  })

  it("keeps the spaces of other words", () => {
    for (const text of [
      "rock 'n' roll",
      "- so it was",
      "in the '90s",
      "'cause I want to",
      "a 'special case",
      "we , 're on",
    ])
      expect(joinSpoken(text.split(" "))).toBe(text.replace(" ,", ","))
    expect(joinSpoken([])).toBe("")
    expect(joinSpoken(["one"])).toBe("one")
  })
})

describe("isAttached", () => {
  it("forbids a line to begin with a mark or a part of a contraction, but not with an ideograph", () => {
    expect([isAttached("we", "'re"), isAttached("on", "."), isAttached("(", "more")]).toEqual([true, true, true])
    expect([isAttached("on", "we"), isAttached("会議", "を")]).toEqual([false, false])
  })
})
