import { describe, expect, it } from "vitest"
import type { TimedWord } from "../../../domain/transcript/words.ts"
import { takeTerms } from "./take-terms.ts"

/** Words of half a second, one a second. `·` is a second without a word. */
const spoken = (text: string): TimedWord[] =>
  text.split(" ").flatMap((word, start) => (word === "·" ? [] : [{ word, start, end: start + 0.5 }]))
const take = (words: string, withTerms: string): string =>
  takeTerms(spoken(words), spoken(withTerms), ["Kubernetes", "Grace Hopper"])
    .map(({ word }) => word)
    .join(" ")

describe("takeTerms", () => {
  it("takes terms in place of the words of their time", () => {
    expect(take("we run cubanetties, here", "we run Kubernetes, here")).toBe("we run Kubernetes, here")
    expect(take("with graze hoper today", "with Grace Hopper today")).toBe("with Grace Hopper today")
  })
  it("keeps all other words of the first search", () => {
    expect(take("we all run cubanetties here", "· · · Kubernetes ·")).toBe("we all run Kubernetes here")
    expect(take("we run a test", "yeah · · ·")).toBe("we run a test")
    expect(take("we run a test", "")).toBe("we run a test")
  })
  it("does not take a term where nothing is said, or where something much shorter or longer is", () => {
    expect(take("we run · here", "we run Kubernetes here")).toBe("we run here")
    expect(take("we met grace · here", "we met Grace Hopper here")).toBe("we met grace here")
    expect(take("we met · hopper here", "we met Grace Hopper here")).toBe("we met hopper here")
    expect(take("we run it here", "we run Kubernetes here")).toBe("we run it here")
    expect(take("we run internationalizationtestsuites here", "we run Kubernetes here")).toBe(
      "we run internationalizationtestsuites here",
    )
  })
  it("takes each word of the first search once", () => {
    const twice = [...spoken("cubanetties"), { word: "here", start: 1, end: 1.5 }]
    const repeated = [
      { word: "Kubernetes", start: 0, end: 0.3 },
      { word: "Kubernetes", start: 0.3, end: 0.5 },
    ]
    expect(takeTerms(twice, repeated, ["Kubernetes"]).map(({ word }) => word)).toEqual(["Kubernetes", "here"])
  })
})
