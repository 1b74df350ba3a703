import { describe, expect, it } from "vitest"
import { answerTokenBudget, estimateTokens, transcriptTokenBudget } from "./tokens.ts"

describe("estimateTokens", () => {
  it("counts digits and ideographs singly, and 3.5 Latin letters per token", () => {
    expect(estimateTokens("a".repeat(35))).toBe(10)
    expect(estimateTokens("12:34")).toBe(5)
    expect(estimateTokens("今日は天気")).toBe(5)
    expect(estimateTokens("नमस्ते")).toBe(6)
    expect(estimateTokens("спасибо!")).toBe(4)
    expect(estimateTokens("")).toBe(0)
  })
})

describe("the token budget", () => {
  it("reserves tokens for the answer, and half of the context for thinking", () => {
    expect(answerTokenBudget(8192, false)).toBe(1024)
    expect(answerTokenBudget(2048, false)).toBe(512)
    expect(answerTokenBudget(65536, false)).toBe(4096)
    expect(answerTokenBudget(8192, true)).toBe(4096)
  })

  it("fits into the context", () => {
    const prompt = "x".repeat(2000)
    for (const numCtx of [2048, 8192, 131072])
      expect(
        transcriptTokenBudget(numCtx, false, prompt) + answerTokenBudget(numCtx, false) + estimateTokens(prompt),
      ).toBeLessThan(numCtx)
  })
})
