import { describe, expect, it } from "vitest"
import { makeTitlesDistinct } from "./distinct-titles.ts"

const word = (text: string, i: number) => ({ word: text, start: i, end: i + 0.5, speaker: "0" })
const words = [...Array(30).fill("compost"), ...Array(30).fill("tomatoes"), ...Array(30).fill("roses")].map(word)
const nodes = [0, 30, 60].map((start_s, i) => ({ id: `${i + 1}`, start_s, end_s: start_s + 30 }))

describe("makeTitlesDistinct", () => {
  it("leaves distinct titles unchanged", () => {
    const answers = ["A", "B", "C"].map((title) => ({ title, summary: "" }))
    expect(makeTitlesDistinct(words, nodes, answers)).toEqual(answers)
  })
  it("adds the builtin title to equal ones, regardless of case and punctuation", () => {
    const answers = ["The Garden", "The garden.", "THE GARDEN"].map((title, i) => ({ title, summary: `${i}` }))
    expect(makeTitlesDistinct(words, nodes, answers)).toEqual([
      { title: "The Garden", summary: "0" },
      { title: "The garden.: Tomatoes", summary: "1" },
      { title: "THE GARDEN: Roses", summary: "2" },
    ])
  })
  it("keeps titles within 120 characters", () => {
    const answers = nodes.map(() => ({ title: "x".repeat(120), summary: "" }))
    const titles = makeTitlesDistinct(words, nodes, answers).map((a) => a.title)
    expect(new Set(titles).size).toBe(3)
    expect(Math.max(...titles.map((t) => t.length))).toBeLessThanOrEqual(120)
  })
})
