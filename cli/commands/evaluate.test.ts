import { expect, it } from "vitest"
import type { Evaluation } from "#lib/services/evaluation/evaluate.ts"
import { formatEvaluations } from "./evaluate.ts"

it("prints evaluations as a table whose columns are aligned", () => {
  const spread = { mean: 0.5, sd: 0.125 }
  const evaluation: Evaluation = {
    provider: "openai",
    model: "qwen3-8b",
    embedder: "bge-m3",
    recordings: 6,
    topics: 23,
    scores: {
      boundary_f1: spread,
      pk: spread,
      count: spread,
      shared_word: spread,
      rouge_l: spread,
      found: spread,
      mrr: { mean: 0.456, sd: 0 },
    },
    unusable: 2,
    seconds: 61.24,
  }
  const builtin = { ...evaluation, provider: "builtin", model: null }
  const lines = formatEvaluations([builtin, evaluation]).split("\n")
  expect(new Set(lines.map((line) => line.length)).size).toBe(1)
  expect(lines[1]).toMatch(/^\|-+(\|-+)+\|$/)
  expect(lines.slice(2).map((line) => line.split(" | ")[0]!.trim())).toEqual(["| builtin", "| openai: qwen3-8b"])
  expect(lines[3]).toContain("| 0.50 ± 0.13 ")
  expect(lines[3]).toMatch(/\| 0\.46 ± 0\.00 +\| 2 +\| 61\.2 +\|$/)
})
