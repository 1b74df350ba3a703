import { describe, expect, it } from "vitest"
import { listContentWords } from "./content-words.ts"
import { listFrequentPhrases } from "./phrases.ts"
import { countTerms } from "./terms.ts"

describe("countTerms", () => {
  it("counts stems of content words and pairs of neighbors, which do not cross texts", () => {
    const { hashes, counts } = countTerms(["the remote controls", "remote control"])
    expect([...counts].sort()).toEqual([2, 2, 2])
    expect([...hashes]).toEqual([...hashes].sort((a, b) => a - b))
    expect(countTerms(["remote", "control"]).hashes).toHaveLength(2)
  })

  it("returns nothing for function words", () => {
    expect(countTerms(["and so it was", "um"]).hashes).toHaveLength(0)
  })
})

const phrasesOf = (text: string, limit: number) => listFrequentPhrases(listContentWords([{ text, turn: 0 }]), limit)

describe("listFrequentPhrases", () => {
  it("puts a repeated phrase before its repeated words, in the form that is used most", () => {
    const phrases = phrasesOf("Remote controls here. A remote control there, remote controls again.", 3)
    expect(phrases[0]).toEqual({ key: "remot control", form: "remote controls", count: 3 })
  })

  it("does not cross sentences, forms of address or function words", () => {
    const keys = (text: string) => phrasesOf(text, 20).map(({ key }) => key)
    expect(keys("honey. bees honey. bees")).not.toContain("honey bee")
    expect(keys("Mr. Chair, tax of Mr. Chair, tax")).toEqual(["tax"])
    expect(keys("bread and butter, bread and butter")).toEqual(["bread", "butter"])
  })

  it("returns phrases that occur once if none is repeated", () => {
    expect(phrasesOf("quiet harbor", 1)).toEqual([{ key: "quiet harbor", form: "quiet harbor", count: 1 }])
  })
})
