import { describe, expect, it } from "vitest"
import { formatEngineValue, parseEngineValue } from "./engine-value.ts"

describe("the value of an engine", () => {
  it.each([
    ["ollama", "ollama", null],
    ["ollama/qwen3:8b", "ollama", "qwen3:8b"],
    ["openai/meta/llama-4", "openai", "meta/llama-4"],
    ["builtin", "builtin", null],
    ["builtin/x", "builtin/x", null],
    ["gte-small", "gte-small", null],
    ["ollamas/x", "ollamas/x", null],
  ])("%s has the engine %s and the model %s", (value, engine, model) => {
    expect(parseEngineValue(value)).toEqual({ engine, model })
    expect(formatEngineValue({ engine, model })).toBe(value)
  })
})
