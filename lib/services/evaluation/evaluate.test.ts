import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { AppError } from "../../domain/errors.ts"
import type { CallContext, TopicModel } from "../../engines/language/types.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { type EvaluateOptions, evaluateModels } from "./evaluate.ts"
import { buildWords, listReferenceNodes, readBundledRecordings, toUtteranceBoundaries } from "./recordings.ts"

let node: TestNode
beforeAll(async () => {
  node = await openTestNode()
})
afterAll(() => node.end())

const recordings = readBundledRecordings()
const short = recordings.filter(({ id }) => ["TS3010a", "IS1006a"].includes(id))
const options: EvaluateOptions = {
  provider: "builtin",
  recordings: short,
  signal: new AbortController().signal,
}

describe("the bundled recordings", () => {
  it("have utterances, boundaries and a title for each topic", () => {
    expect(recordings.map(({ id }) => id)).toEqual(["ES2006d", "ES2009c", "ES2009d", "IS1006a", "TS3010a", "TS3010b"])
    for (const { utterances, boundaries, titles } of recordings) {
      expect(titles.length).toBe(boundaries.length + 1)
      expect(boundaries.every((at, i) => at > (boundaries[i - 1] ?? 0) && at < utterances.length)).toBe(true)
      expect(titles.every((title) => title.length > 3)).toBe(true)
    }
  })

  it("have words in order, and topics whose boundaries are found again", () => {
    for (const recording of recordings) {
      const words = buildWords(recording)
      expect(words.every((word, i) => i === 0 || word.start >= words[i - 1]!.start)).toBe(true)
      expect(toUtteranceBoundaries(recording, listReferenceNodes(recording, words))).toEqual(recording.boundaries)
    }
  })
})

describe("an evaluation", () => {
  it("of the builtin provider has scores with their spread, and reports its progress", async () => {
    const progress: number[][] = []
    const result = await evaluateModels(node, { ...options, onProgress: (...p) => progress.push(p) })
    expect(result).toMatchObject({ provider: "builtin", model: null, embedder: "builtin-v1", recordings: 2, topics: 8 })
    expect([progress[0], progress.at(-1)]).toEqual([
      [0, 10],
      [10, 10],
    ])
    for (const { mean, sd } of Object.values(result.scores)) {
      expect(mean).toBeGreaterThan(0)
      expect(sd).toBeLessThan(1)
    }
    expect(result.scores.found.mean).toBeGreaterThan(0.4)
    expect(result.unusable).toBe(0)
  })

  it("gives the answers of people the best scores, and counts unusable answers", async () => {
    const perfect: Partial<TopicModel> = {
      provider: "openai",
      model: "people",
      check: async () => {},
      release: async () => {},
      findBoundaries: async ({ words }) => listReferenceNodes(findRecording(words.length), words),
      summarize: async ({ words, node: { id } }, ctx: CallContext) => {
        if (id === "1") ctx.onNote?.("no usable answer")
        return { title: findRecording(words.length).titles[Number(id) - 1]!, summary: "" }
      },
    }
    const findRecording = (words: number) => short.find((recording) => buildWords(recording).length === words)!
    const engines = { ...node.engines, getTopicModel: async () => perfect as TopicModel }
    const { scores, unusable, model } = await evaluateModels({ ...node, engines }, options)
    const best = { mean: 1, sd: 0 }
    expect(scores).toMatchObject({ boundary_f1: best, count: best, shared_word: best, rouge_l: best })
    expect([scores.pk, unusable, model]).toEqual([{ mean: 0, sd: 0 }, 2, "people"])
  })

  it("counts only passages of the right recording", async () => {
    const [recording] = short
    const twice = [recording!, { ...recording!, id: "copy" }]
    const alone = await evaluateModels(node, { ...options, recordings: [recording!] })
    const both = await evaluateModels(node, { ...options, recordings: twice })
    expect(both.scores.mrr.mean).toBeLessThan(alone.scores.mrr.mean)
  })

  it("ends with the reason if the model is not available, or when aborted", async () => {
    const missing = new AppError("unavailable", "model not available: 'x'")
    const model = { check: () => Promise.reject(missing) } as unknown as TopicModel
    const engines = { ...node.engines, getTopicModel: async () => model }
    await expect(evaluateModels({ ...node, engines }, options)).rejects.toBe(missing)
    const signal = AbortSignal.abort(new Error("stopped"))
    await expect(evaluateModels(node, { ...options, signal })).rejects.toThrow("stopped")
  })
})
