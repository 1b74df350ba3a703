import { describe, expect, it } from "vitest"
import { speechWords } from "#test/fixtures/speech-words.ts"
import { AppError } from "../domain/errors.ts"
import { type JobProgress, jobOptions } from "../domain/jobs/jobs.ts"
import { STAGE_NAMES } from "../domain/jobs/stages.ts"
import { flattenTree } from "../domain/topics/flatten-tree.ts"
import { createBuiltinEmbedder } from "../engines/embedding/builtin.ts"
import { createBuiltinTopicModel } from "../engines/language/builtin/index.ts"
import type { TopicModel } from "../engines/language/types.ts"
import { createLogger } from "../platform/logger.ts"
import { type InlineRequest, runInline } from "./run-inline.ts"

const unavailable = () => Promise.reject(new Error("no speech engine"))

const builtin = createBuiltinTopicModel()

/** The builtin model under a name, so that it has to be released, with some of its methods replaced. */
const request = (over: Partial<InlineRequest> = {}, topics: Partial<TopicModel> = {}) => {
  const released: string[] = []
  const progress: JobProgress[] = []
  const all: InlineRequest = {
    sessionId: "fa678091-b771-53c5-bb5c-b97259498be6",
    source: { kind: "file", path: "/r/talk.wav" },
    options: jobOptions.parse({}),
    given: { words: speechWords(), estimated_times: false },
    engines: {
      getTopicModel: async () => ({ ...builtin, model: "named", ...topics }),
      getEmbedder: async () => createBuiltinEmbedder(),
      releaseModel: async (model) => void released.push(model),
      speech: { pick: unavailable, computeWaveform: unavailable, close: async () => {} },
    },
    openSource: () => Promise.reject(new Error("nothing is opened")),
    signal: new AbortController().signal,
    log: createLogger("silent", "test"),
    onProgress: (p) => progress.push(p),
    ...over,
  }
  return { all, released, progress }
}

describe("runInline", () => {
  it("runs all stages: contiguous topics, one eviction", async () => {
    const { all, released, progress } = request()
    const { tree, topics, words, transcript } = await runInline(all)
    expect(words).toEqual(speechWords())
    expect(transcript?.duration_s).toBe(words.at(-1)!.end)
    const [root] = tree!.topics
    expect(root!.children.length).toBeGreaterThan(2)
    root!.children.forEach((child, i, all) => {
      expect(child.start_s).toBe(i === 0 ? 0 : all[i - 1]!.end_s)
    })
    expect(root!.children.at(-1)!.end_s).toBe(root!.end_s)
    expect(topics!.tree).toEqual(tree)
    // The map computes the vectors of the builtin embedder from the words.
    expect(topics!.vectors).toEqual([])
    expect(topics).toMatchObject({ provider: "builtin", llm_model: "named" })
    expect(released).toEqual(["named"])
    const order = [...new Set(progress.map((p) => p.stage))]
    expect(order.indexOf("l0")).toBeGreaterThan(Math.max(order.indexOf("summarize_l1"), order.indexOf("decide")))
  })

  it("merges subtopics and their summaries by ID, in whatever order stages end", async () => {
    const { all } = request(
      { options: jobOptions.parse({ min_subdivide_duration_s: 0 }) },
      {
        findBoundaries: async ({ within, level }) => {
          const middle = (within.start_s + within.end_s) / 2
          const halves = [
            { start_s: within.start_s, end_s: middle },
            { start_s: middle, end_s: within.end_s },
          ]
          return level === 2 && within.start_s === 0 ? [within] : halves
        },
        decide: async () => ({ reason: "", subdivide: true }),
        summarize: async ({ node }) => ({ title: `topic ${node.id}`, summary: "" }),
      },
    )
    const { tree } = await runInline(all)
    const numbered = flattenTree(tree!).map(({ number, title }) => [number, title])
    expect(numbered.slice(1)).toEqual([
      ["1.1", "topic 1"],
      ["1.2", "topic 2"],
      ["1.2.1", "topic 2.1"],
      ["1.2.2", "topic 2.2"],
    ])
  })

  it("runs only the requested stages and embeds nothing without persist", async () => {
    const { all } = request({ stages: STAGE_NAMES.filter((s) => s !== "persist") })
    const embedder = () => Promise.reject(new Error("nothing is embedded"))
    const { tree, topics } = await runInline({ ...all, engines: { ...all.engines, getEmbedder: embedder } })
    expect(tree!.topics).toHaveLength(1)
    expect(topics).toBeNull()
  })

  it("throws the first failure after the other branch has ended, and evicts the model", async () => {
    let othersEnded = false
    const failure = new AppError("unavailable", "the model is gone")
    const { all, released } = request(
      {},
      {
        decide: () => Promise.reject(failure),
        summarize: ({ node }, { signal }) =>
          new Promise((resolve, reject) => {
            const end = setTimeout(resolve, 5_000, { title: node.id, summary: "" })
            signal.addEventListener("abort", () => {
              clearTimeout(end)
              othersEnded = true
              reject(signal.reason)
            })
          }),
      },
    )
    await expect(runInline(all)).rejects.toBe(failure)
    expect(othersEnded).toBe(true)
    expect(released).toEqual(["named"])
  })

  it("returns a tree of one topic for silence", async () => {
    const { tree } = await runInline(request({ given: { words: [], estimated_times: false } }).all)
    expect(tree!.topics).toMatchObject([{ title: "No speech", children: [] }])
  })

  it("throws the abort reason of the caller", async () => {
    const { all } = request({ signal: AbortSignal.abort(new Error("enough")) })
    await expect(runInline(all)).rejects.toThrow("enough")
  })
})
