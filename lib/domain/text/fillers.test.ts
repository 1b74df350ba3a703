import { describe, expect, it } from "vitest"
import { isBackchannel, selectWithoutFillers } from "./fillers.ts"

describe("selectWithoutFillers", () => {
  const hide = (text: string) => {
    const words = text.split(" ")
    const shown = selectWithoutFillers(words)
    return words.filter((_, i) => shown[i]).join(" ")
  }
  it.each([
    ["So um we uh build it", "So we build it"],
    ["So , um , we build", "So , we build"],
    ["Um , we build", "we build"],
    ["We build it . Uh . And then", "We build it . And then"],
    ["Um, uh-huh. Mm-hmm", ""],
    ["human error", "human error"],
  ])("turns %j into %j", (said, shown) => expect(hide(said)).toBe(shown))
})

describe("isBackchannel", () => {
  it("is true only of words that say nothing", () => {
    expect(isBackchannel(["Yeah", ",", "mm-hmm."])).toBe(true)
    expect(isBackchannel(["Yeah", "why?"])).toBe(false)
  })
})
