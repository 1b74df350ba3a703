import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { packageRoot } from "../../../platform/package-root.ts"
import { findSentenceModel } from "./model-settings.ts"
import { loadSentenceEncoder } from "./sentence-encoder.ts"

type Expected = {
  readonly text: string
  readonly kind: "document" | "query"
  readonly tokens: number[]
  readonly vector: number[]
}

/** Written by scripts/fixtures/make-embedding-models.py, which shares no code with the packages used here. */
const FIXTURES = join(packageRoot(), "test/fixtures/embedding-models")
const expected = JSON.parse(readFileSync(join(FIXTURES, "expected.json"), "utf8")) as Record<string, Expected[]>
const load = async (name: string) => loadSentenceEncoder(await findSentenceModel(join(FIXTURES, name), null), 1)

describe.each([
  ["wordpiece", { pooling: "mean", maxTokens: 48, prefixes: { document: "", query: "" } }],
  ["unigram", { pooling: "first", maxTokens: 40, prefixes: { document: "passage: ", query: "query: " } }],
])("the sentence model %s", (name, settings) => {
  it("has the settings that its publisher's files state", async () => {
    expect(await findSentenceModel(join(FIXTURES, name), null)).toMatchObject(settings)
  })
  it("has the tokens of an independent implementation", async () => {
    const encoder = await load(name)
    for (const { text, kind, tokens } of expected[name]!)
      expect([text, encoder.tokenize(text, kind)]).toEqual([text, tokens])
  })
  it("has vectors within 0.0001 of an independent implementation", async () => {
    const encoder = await load(name)
    for (const { text, kind, vector } of expected[name]!) {
      const found = await encoder.encode(text, kind)
      expect(found).toHaveLength(vector.length)
      const difference = Math.max(...found.map((x, i) => Math.abs(x - vector[i]!)))
      expect(difference, text).toBeLessThan(1e-4)
    }
  })
})

it("cuts a long text before it is tokenized, without a change of its first tokens", async () => {
  const encoder = await load("wordpiece")
  const sentence = "The keeper counts the frames of honey every week in the garden. "
  expect(encoder.tokenize(sentence.repeat(100_000), "document")).toEqual(
    encoder.tokenize(sentence.repeat(12), "document"),
  )
})
