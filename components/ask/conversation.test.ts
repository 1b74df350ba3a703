import { describe, expect, it } from "vitest"
import { toThreadTitle, toTurns } from "./conversation.ts"

describe("the title of a thread", () => {
  it("is the question on one line, cut at a word", () => {
    expect(toThreadTitle("What is\n the mast of?")).toBe("What is the mast of?")
    const title = toThreadTitle(`${"word ".repeat(30)}end`)
    expect(title.length).toBeLessThanOrEqual(80)
    expect(title.endsWith("word…")).toBe(true)
    expect(toThreadTitle("x".repeat(200))).toHaveLength(80)
  })
})

it("shows the turns of a stored thread under new IDs", () => {
  const turn = {
    number: 4,
    question: "And who?",
    rewritten_question: "And who: mast",
    scope: "all" as const,
    filter: { tags: ["boat"] },
    state: "stopped" as const,
    answer: "By",
    error: null,
    sources: [],
    citations: [],
    found: null,
    searched: { recordings: 1, documents: 0, chunks: 2 },
    provider: "ollama",
    model: "gemma",
    created_at: "2026-01-01T00:00:00.000Z",
  }
  expect(toTurns({ turns: [turn, { ...turn, model: null }] }, 7)).toMatchObject([
    { id: 7, rewritten: "And who: mast", by: "gemma", filter: { tags: ["boat"] }, state: "stopped" },
    { id: 8, by: "ollama" },
  ])
})
