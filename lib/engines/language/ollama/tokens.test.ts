import { describe, expect, it } from "vitest"
import { answerRoom, estimateTokens, transcriptTokenBudget } from "./tokens.ts"

describe("estimateTokens", () => {
  it("counts digits and ideographs one by one, letters by three and a half", () => {
    expect(estimateTokens("a".repeat(35))).toBe(10)
    expect(estimateTokens("12:34")).toBe(5)
    expect(estimateTokens("今日は天気")).toBe(5)
    expect(estimateTokens("नमस्ते")).toBe(6)
    expect(estimateTokens("спасибо!")).toBe(4)
    expect(estimateTokens("")).toBe(0)
  })
})

describe("room in the context", () => {
  it("keeps a place for the answer, half of everything for a model that thinks", () => {
    expect(answerRoom(8192, false)).toBe(1024)
    expect(answerRoom(2048, false)).toBe(512)
    expect(answerRoom(8192, true)).toBe(4096)
  })

  it("adds up to no more than the context", () => {
    const prompt = "x".repeat(2000)
    for (const numCtx of [2048, 8192, 131072])
      expect(
        transcriptTokenBudget(numCtx, false, prompt) + answerRoom(numCtx, false) + estimateTokens(prompt),
      ).toBeLessThan(numCtx)
  })
})
