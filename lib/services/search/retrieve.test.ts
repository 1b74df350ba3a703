import { beforeEach, describe, expect, it } from "vitest"
import type { Embedder } from "../../engines/language/types.ts"
import { loadConfig } from "../../platform/config/config.ts"
import { createMemoryIndex } from "../../storage/stores/memory/document-index.ts"
import type { DocumentIndex } from "../../storage/stores/ports/documents.ts"
import { retrieve } from "./retrieve.ts"

/** Points of a plane, by angle in degrees. */
const at = (degrees: number) => {
  const angle = (degrees * Math.PI) / 180
  return Float32Array.of(Math.cos(angle), Math.sin(angle))
}
const model = "plane"
/** Every question means 0 degrees. */
const embedder: Embedder = {
  name: model,
  isLexical: false,
  embed: async (texts) => texts.map(() => at(0)),
}

let index: DocumentIndex
beforeEach(async () => {
  index = createMemoryIndex()
  const documents = [
    { text: "the harbor pilot boards ships", degrees: 90 },
    { text: "nectar becomes honey", degrees: 5 },
    { text: "a comet has a tail", degrees: 45 },
  ]
  for (const [i, { text, degrees }] of documents.entries())
    await index.put({
      id: `d${i}`,
      kind: "file",
      source: `/d${i}.txt`,
      fingerprint: "f",
      embedModel: model,
      chunks: [{ text, context: "", metadata: {}, vector: at(degrees) }],
    })
})

const search = async (settings: Record<string, string>, topK = 3) => {
  const deps = { index, store: null, config: loadConfig({ SERVICE_QUERY_FEEDBACK: "0", ...settings }) }
  const found = await retrieve(deps, embedder, {
    question: "harbor pilot",
    scope: "documents",
    topK,
    signal: new AbortController().signal,
  })
  return found.map(({ chunk }) => chunk.text.split(" ").at(-1))
}

describe("retrieve", () => {
  it("weights the words of a question and its meaning as configured", async () => {
    expect(await search({ SERVICE_QUERY_TEXT_WEIGHT: "0", SERVICE_QUERY_VECTOR_WEIGHT: "1" })).toEqual([
      "honey",
      "tail",
      "ships",
    ])
    expect((await search({ SERVICE_QUERY_TEXT_WEIGHT: "3", SERVICE_QUERY_VECTOR_WEIGHT: "1" }))[0]).toBe("ships")
    expect((await search({ SERVICE_QUERY_TEXT_WEIGHT: "1", SERVICE_QUERY_VECTOR_WEIGHT: "0" }))[0]).toBe("ships")
  })

  it("moves the meaning of the question towards that of the best full-text hits", async () => {
    const meaning = { SERVICE_QUERY_TEXT_WEIGHT: "0", SERVICE_QUERY_VECTOR_WEIGHT: "1" }
    // (0° + 90°) / 2 = 45°
    expect((await search({ ...meaning, SERVICE_QUERY_FEEDBACK: "1" }))[0]).toBe("tail")
    expect((await search({ ...meaning, SERVICE_QUERY_FEEDBACK: "9" }))[0]).toBe("ships")
  })

  it("moves it in proportion to the scores of these hits", async () => {
    await index.put({
      id: "weak",
      kind: "file",
      source: "/weak.txt",
      fingerprint: "f",
      embedModel: model,
      chunks: ["nets", "boats", "walls", "lamps"].map((last) => ({
        text: `fish and gulls and ropes and waves of a small harbor with ${last}`,
        context: "",
        metadata: {},
        vector: at(-90),
      })),
    })
    // The chunk at 90° scores higher than the four at -90° together.
    const meaning = { SERVICE_QUERY_TEXT_WEIGHT: "0", SERVICE_QUERY_VECTOR_WEIGHT: "1" }
    expect((await search({ ...meaning, SERVICE_QUERY_FEEDBACK: "2" }))[0]).toBe("tail")
  })

  it("returns the best chunks with descending scores of at most 1", async () => {
    expect(await search({}, 1)).toHaveLength(1)
    const deps = { index, store: null, config: loadConfig({}) }
    const options = { question: "honey", scope: "documents", topK: 3, signal: new AbortController().signal } as const
    const scores = (await retrieve(deps, embedder, options)).map(({ score }) => score)
    expect(scores[0]).toBe(1)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })

  it("finds chunks without a word of the question by the words of the best hits, unless that is turned off", async () => {
    const put = (id: string, text: string) =>
      index.put({
        id,
        kind: "file",
        source: `/${id}.txt`,
        fingerprint: "f",
        embedModel: "other",
        chunks: [{ text, context: "", metadata: {}, vector: at(0) }],
      })
    await put("e1", "tugs tow the harbor")
    await put("e2", "tugs have strong engines")
    const settings = { SERVICE_QUERY_VECTOR_WEIGHT: "0" }
    expect(await search(settings, 3)).toContain("engines")
    expect(await search({ ...settings, SERVICE_QUERY_EXPANSION: "0" }, 3)).not.toContain("engines")
  })
})
