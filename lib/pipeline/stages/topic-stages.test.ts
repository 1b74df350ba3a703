import { describe, expect, it } from "vitest"
import { sha256 } from "../../domain/ids.ts"
import type { JobState } from "../../domain/jobs/job-state.ts"
import { jobOptions } from "../../domain/jobs/jobs.ts"
import type { StageName } from "../../domain/jobs/stages.ts"
import type { CallContext, Embedder, TopicModel } from "../../engines/language/types.ts"
import { createLogger } from "../../platform/logger.ts"
import type { JobSnapshot } from "../../storage/stores/ports/stages.ts"
import { STAGES } from "./index.ts"

const words = ["one", "two", "three"].map((word, i) => ({ word, start: i, end: i + 1, speaker: "0" }))
const node = (id: string, start_s: number, end_s: number) => ({ id, start_s, end_s })
const NODES = [node("1", 0, 100), node("2", 100, 220), node("3", 220, 300)]
const text = (title: string) => ({ title, summary: `About ${title}.` })

type Call = {
  readonly method: string
  readonly request: unknown
  readonly numCtx: number
  readonly reasoning: boolean
  readonly concurrency: number | undefined
}

/** Runs a stage with a topic model that answers after the later ones of its calls, and records all calls. */
const run = async (stage: StageName, state: JobState, options: object = {}, change: Partial<JobSnapshot> = {}) => {
  const calls: Call[] = []
  const progress: (readonly [number, number])[] = []
  const embedded: (readonly string[])[] = []
  const record = (method: string, request: unknown, { numCtx, reasoning, concurrency }: CallContext) =>
    calls.push({ method, request, numCtx, reasoning, concurrency })
  let open = 0
  /** Answers calls in reverse order. */
  const inReverse = async <T>(answer: T): Promise<T> => {
    const turn = ++open
    for (let i = 0; i < 50 - 10 * turn; i++) await Promise.resolve()
    return answer
  }
  const model: TopicModel = {
    provider: "ollama",
    model: "gemma",
    check: async () => void calls.push({ method: "check", request: null, numCtx: 0, reasoning: false, concurrency: 0 }),
    findBoundaries: async (request, ctx) => {
      record("findBoundaries", request, ctx)
      ctx.onProgress?.(2, 3)
      ctx.onNote?.(`divided from ${request.within.start_s}`)
      const { start_s, end_s } = request.within
      const middle = (start_s + end_s) / 2
      if (request.level === 2 && start_s === 0) return inReverse([{ start_s, end_s }])
      return inReverse([
        { start_s, end_s: middle },
        { start_s: middle, end_s },
      ])
    },
    decide: async (request, ctx) => {
      record("decide", request, ctx)
      ctx.onNote?.(`decided ${request.node.id}`)
      return inReverse({ reason: `because ${request.node.id}`, subdivide: request.node.id === "2" })
    },
    summarize: async (request, ctx) => {
      record("summarize", request, ctx)
      ctx.onNote?.(`wrote ${request.node.id}`)
      return inReverse(text(`Topic ${request.node.id}`))
    },
    summarizeRecording: async (request, ctx) => {
      record("summarizeRecording", request, ctx)
      ctx.onNote?.("wrote all")
      return text("All")
    },
    release: async () => {},
  }
  const embedder = {
    name: "embedder",
    isLexical: options && "isLexical" in options,
    embed: async (texts: readonly string[]) => {
      embedded.push(texts)
      return texts.map((t) => Float32Array.of(t.length))
    },
  } as unknown as Embedder
  const job: JobSnapshot = {
    jobId: "j",
    sessionId: "s",
    title: "talk",
    source: { kind: "name", name: "talk" },
    given: null,
    words,
    duration_s: 300,
    made_by: null,
    state,
    options: jobOptions.parse({
      num_ctx_l1: 3000,
      num_ctx_fanout: 4000,
      max_concurrency: 5,
      reasoning: true,
      ...options,
    }),
    ...change,
  }
  const output = await STAGES[stage].perform(job, {
    signal: new AbortController().signal,
    log: createLogger("silent", "test"),
    models: { topics: async () => model, embedder: async () => embedder },
    speech: { pick: () => Promise.reject(new Error("no speech")), embedSpeakers: async () => null },
    openSource: () => Promise.reject(new Error("no source")),
    progress: (done, total) => progress.push([done, total]),
    showWords: () => {},
  })
  return { output, calls, progress, embedded }
}
const perTopic = { numCtx: 4000, reasoning: true, concurrency: 5 }

describe("l1", () => {
  it("finds the topics of the whole recording with its own context size", async () => {
    const { output, calls, progress } = await run("l1", {}, { boundary_block_seconds: 20, topic_detail: "more" })
    expect(output).toEqual({ nodes: [node("1", 0, 150), node("2", 150, 300)], notes: ["divided from 0"] })
    expect(calls).toEqual([
      expect.objectContaining({ method: "check" }),
      {
        method: "findBoundaries",
        request: { words, within: { start_s: 0, end_s: 300 }, level: 1, detail: "more", blockSeconds: 20 },
        numCtx: 3000,
        reasoning: true,
        concurrency: 5,
      },
    ])
    expect(progress).toEqual([
      [0, 1],
      [2, 3],
      [3, 3],
    ])
  })

  it("finds none in a recording without words, but checks the model", async () => {
    for (const silent of [[], null]) {
      const { output, calls } = await run("l1", {}, {}, { words: silent })
      expect(output).toEqual({ nodes: [] })
      expect(calls.map(({ method }) => method)).toEqual(["check"])
    }
  })
})

describe("decide", () => {
  it("asks about each topic that is long enough, in order", async () => {
    const state = { l1: { nodes: NODES } }
    const { output, calls, progress } = await run("decide", state, {
      min_subdivide_duration_s: 100,
      topic_detail: "fewer",
    })
    expect(output).toEqual({
      decisions: [
        { id: "1", reason: "because 1", subdivide: false },
        { id: "2", reason: "because 2", subdivide: true },
      ],
      notes: ["decided 1", "decided 2"],
    })
    expect(calls).toEqual(
      [0, 1].map((i) => ({
        method: "decide",
        request: { words, node: NODES[i], siblings: NODES, detail: "fewer" },
        ...perTopic,
      })),
    )
    expect(progress).toEqual([
      [0, 2],
      [1, 2],
      [2, 2],
    ])
  })

  it("asks nothing if all topics are too short, or there are none", async () => {
    for (const state of [{ l1: { nodes: NODES } }, {}]) {
      const { output, calls, progress } = await run("decide", state, { min_subdivide_duration_s: 121 })
      expect([output, calls, progress]).toEqual([{ decisions: [] }, [], []])
    }
  })
})

describe("l2", () => {
  const decision = (id: string, subdivide: boolean) => ({ id, reason: "", subdivide })

  it("divides the topics that the decisions name, and leaves out an indivisible one", async () => {
    const decide = { decisions: [decision("1", true), decision("2", false), decision("3", true)] }
    const { output, calls, progress } = await run("l2", { l1: { nodes: NODES }, decide }, { topic_detail: "more" })
    expect(output).toEqual({
      parts: { "3": [node("3.1", 220, 260), node("3.2", 260, 300)] },
      notes: ["divided from 0", "divided from 220"],
    })
    expect(calls).toEqual(
      [NODES[0], NODES[2]].map((within) => ({
        method: "findBoundaries",
        request: { words, within, level: 2, detail: "more", blockSeconds: 30 },
        ...perTopic,
      })),
    )
    expect(progress).toEqual([
      [0, 2],
      [1, 2],
      [2, 2],
    ])
  })

  it("divides as usual in a job of an earlier version, which has no detail", async () => {
    const decide = { decisions: [decision("3", true)] }
    const { calls } = await run("l2", { l1: { nodes: NODES }, decide }, { topic_detail: undefined })
    expect(calls).toMatchObject([{ request: { detail: "normal" } }])
  })

  it("divides nothing without decisions", async () => {
    for (const state of [{ l1: { nodes: NODES } }, {}, { decide: { decisions: [decision("1", true)] } }])
      expect((await run("l2", state)).output).toEqual({ parts: {} })
  })
})

describe("the summary stages", () => {
  it("write a title and a summary for each topic of their level, with notes in order", async () => {
    const parts = { "1": [node("1.1", 0, 50), node("1.2", 50, 100)], "3": [node("3.1", 220, 300)] }
    const state = { l1: { nodes: NODES }, l2: { parts } }
    for (const [stage, nodes] of [
      ["summarize_l1", NODES],
      ["summarize_l2", Object.values(parts).flat()],
    ] as const) {
      const { output, calls, progress } = await run(stage, state)
      expect(output).toEqual({
        summaries: Object.fromEntries(nodes.map(({ id }) => [id, text(`Topic ${id}`)])),
        notes: nodes.map(({ id }) => `wrote ${id}`),
      })
      expect(calls).toEqual(
        nodes.map((n) => ({ method: "summarize", request: { words, node: n, siblings: nodes }, ...perTopic })),
      )
      expect(progress).toEqual([0, 1, 2, 3].map((done) => [done, 3]))
    }
  })

  it("write nothing without topics", async () => {
    for (const stage of ["summarize_l1", "summarize_l2"] as const) {
      const { output, calls, progress } = await run(stage, {})
      expect([output, calls, progress]).toEqual([{ summaries: {} }, [], []])
    }
  })
})

describe("l0", () => {
  const state: JobState = {
    l1: { nodes: NODES.slice(0, 2), notes: ["a"] },
    decide: { decisions: [], notes: ["b"] },
    l2: { parts: { "2": [node("2.1", 100, 150), node("2.2", 150, 220)] }, notes: ["c"] },
    l1_summaries: { summaries: { "1": text("One"), "2": text("Two") }, notes: ["d"] },
    l2_summaries: { summaries: { "2.1": text("Two a"), "2.2": text("Two b") }, notes: ["e"] },
  }

  it("builds the tree with all notes, and summarizes the recording", async () => {
    const { output, calls, progress } = await run("l0", state)
    const leaf = (title: string, start_s: number, end_s: number) => ({ ...text(title), start_s, end_s, children: [] })
    expect(output).toEqual({
      tree: {
        topics: [
          {
            ...leaf("All", 0, 300),
            children: [
              leaf("One", 0, 100),
              { ...leaf("Two", 100, 220), children: [leaf("Two a", 100, 150), leaf("Two b", 150, 220)] },
            ],
          },
        ],
        notes: ["a", "b", "c", "d", "e", "wrote all"],
      },
    })
    expect(calls).toEqual([
      {
        method: "summarizeRecording",
        request: {
          words,
          topics: [
            { ...NODES[0], ...text("One"), children: [] },
            {
              ...NODES[1],
              ...text("Two"),
              children: [
                { ...node("2.1", 100, 150), ...text("Two a") },
                { ...node("2.2", 150, 220), ...text("Two b") },
              ],
            },
          ],
        },
        ...perTopic,
      },
    ])
    expect(progress).toEqual([
      [0, 1],
      [1, 1],
    ])
  })

  it("says that nothing is said in a recording without topics", async () => {
    const { output, calls } = await run("l0", {}, {}, { words: null })
    expect(output).toEqual({
      tree: {
        topics: [
          {
            title: "No speech",
            summary: "Nothing is said in this recording.",
            start_s: 0,
            end_s: 300,
            children: [],
          },
        ],
      },
    })
    expect(calls).toEqual([])
  })

  it("fails if a topic has no summary", async () => {
    await expect(run("l0", { ...state, l1_summaries: { summaries: { "1": text("One") } } })).rejects.toThrow(
      "topic 2 has no summary",
    )
  })
})

describe("persist", () => {
  const child = (title: string) => ({ ...text(title), start_s: 0, end_s: 1, children: [] })
  const stateWith = (...titles: string[]): JobState => ({
    l0: { tree: { topics: [{ ...child("All"), children: titles.map(child) }] } },
  })

  it("embeds each text once, 64 in a call, and names the models", async () => {
    const titles = ["Same", "Same", ...Array.from({ length: 70 }, (_, i) => `T${i}`)]
    const { output, embedded, progress } = await run("persist", stateWith(...titles))
    const texts = ["All", "Same", ...titles.slice(2)].map((title) => `${title}. About ${title}.`)
    expect(embedded).toEqual([texts.slice(0, 64), texts.slice(64)])
    expect(output).toMatchObject({ provider: "ollama", llm_model: "gemma", embed_model: "embedder" })
    expect((output as { vectors: unknown }).vectors).toEqual(
      texts.map((t) => ({ hash: sha256(t), vector: Float32Array.of(t.length) })),
    )
    expect(progress).toEqual([
      [0, 72],
      [64, 72],
      [72, 72],
    ])
  })

  it("embeds nothing if the embedder only knows words, and stores an empty tree", async () => {
    const lexical = await run("persist", stateWith("A", "B"), { isLexical: true })
    expect(lexical.embedded).toEqual([])
    expect(lexical.output).toMatchObject({ vectors: [], tree: { topics: [{ children: [{}, {}] }] } })
    expect((await run("persist", {})).output).toMatchObject({ vectors: [], tree: { topics: [] } })
  })

  it("removes a topic that is the only one", async () => {
    const { output } = await run("persist", stateWith("A"))
    expect((output as { tree: { topics: { children: unknown[] }[] } }).tree.topics[0]!.children).toEqual([])
  })
})
