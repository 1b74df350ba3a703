import { describe, expect, it } from "vitest"
import { speechWords } from "#test/fixtures/speech-words.ts"
import { AppError } from "../domain/errors.ts"
import { type JobProgress, jobOptions } from "../domain/jobs/jobs.ts"
import { STAGE_NAMES } from "../domain/jobs/stages.ts"
import { flattenTree } from "../domain/topics/flatten-tree.ts"
import { createBuiltinEmbedder } from "../engines/embedding/builtin.ts"
import { createBuiltinTopicModel } from "../engines/language/builtin/index.ts"
import type { TopicModel } from "../engines/language/types.ts"
import type { Transcriber } from "../engines/speech/types.ts"
import { createLogger } from "../platform/logger.ts"
import { type InlineRequest, runInline } from "./run-inline.ts"

const ID = "fa678091-b771-53c5-bb5c-b97259498be6"

const unavailable = () => Promise.reject(new Error("no speech engine"))

const builtin = createBuiltinTopicModel()

/** The builtin model under a name, so that it has to be released, with some of its methods replaced. */
const request = (over: Partial<InlineRequest> = {}, topics: Partial<TopicModel> = {}) => {
  const released: string[] = []
  const progress: JobProgress[] = []
  const all: InlineRequest = {
    sessionId: ID,
    source: { kind: "file", path: "/r/talk.wav" },
    options: jobOptions.parse({}),
    given: { words: speechWords(), estimated_times: false },
    engines: {
      getTopicModel: async () => ({ ...builtin, model: "named", ...topics }),
      getEmbedder: async () => createBuiltinEmbedder(),
      releaseModel: async (model) => void released.push(model),
      speech: {
        pick: unavailable,
        embedSpeakers: unavailable,
        computeWaveform: unavailable,
        cutAudio: unavailable,
        close: async () => {},
      },
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

describe("the transcript of runInline", () => {
  const OTHER_ID = "0b2f9f39-28a9-5a0f-9a35-6d2f2f6d4b11"
  const heard = speechWords().slice(0, 5)
  /** A speech engine that hears five words, and a source whose clip has the given IDs, one after the other. */
  const transcribing = (ids: string[], over: Partial<InlineRequest> = {}) => {
    const opened: unknown[] = []
    const transcribed: string[] = []
    const engine: Transcriber = {
      name: "pocketsphinx",
      probe: async () => ({ available: true, detail: "" }),
      transcribe: async ({ path, progress }) => {
        transcribed.push(path)
        progress({ phase: "model", done: 1, total: 2 })
        const origin = { language: "en", engine: "pocketsphinx", model: "en-us" } as const
        return { ...origin, words: heard, duration_s: 60, diarized: false, estimatedTimes: false, notes: [] }
      },
      close: async () => {},
    }
    const { given: _, ...rest } = request().all
    const progress: JobProgress[] = []
    const all: InlineRequest = {
      ...rest,
      engines: { ...rest.engines, speech: { ...rest.engines.speech, pick: async () => engine } },
      openSource: async (source) => {
        opened.push(source)
        return { path: "/tmp/a.wav", sessionId: ids.shift(), keptAt: "/r/real.wav" }
      },
      onProgress: (p) => progress.push(p),
      stages: ["whisper"],
      ...over,
    }
    return { all, opened, transcribed, progress }
  }

  it("comes from the recording, with the phase of its progress", async () => {
    const { all, transcribed, progress } = transcribing([ID])
    const { words, duration_s, transcript, sessionId, tree } = await runInline(all)
    expect([words, duration_s, sessionId, tree, transcribed]).toEqual([heard, 60, ID, null, ["/tmp/a.wav"]])
    expect(transcript).toMatchObject({ words: heard, speech_engine: "pocketsphinx", file_path: "/r/real.wav" })
    expect(transcript).not.toHaveProperty("kind")
    expect(progress).toEqual([{ stage: "whisper", done: 1, total: 2, phase: "model" }])
  })

  it("is that of the clip, unless a model or a language is asked for that did not make it", async () => {
    const stored = { words: speechWords(), duration_s: 77, speech_engine: "sherpa", whisper_model: "parakeet" }
    const recall = async (id: string) => (id === ID ? stored : null)
    const kept = transcribing([], { recall })
    const result = await runInline(kept.all)
    expect(result).toMatchObject({ words: stored.words, duration_s: 77, transcript: null })
    expect(kept.opened).toEqual([])
    const options = { ...jobOptions.parse({}), whisper_model: "whisper-small" }
    const again = await runInline(transcribing([ID], { recall, options }).all)
    expect(again).toMatchObject({ words: heard, duration_s: 60 })
  })

  it("is that of the clip at the real path of the recording", async () => {
    const stored = { words: speechWords(), duration_s: 77 }
    const asked: string[] = []
    const recall = async (id: string) => {
      asked.push(id)
      return id === OTHER_ID ? stored : null
    }
    const known = transcribing([OTHER_ID], { recall })
    expect(await runInline(known.all)).toMatchObject({ sessionId: OTHER_ID, words: stored.words, duration_s: 77 })
    expect([asked, known.opened.length]).toEqual([[ID, OTHER_ID], 1])

    const unknown = transcribing([OTHER_ID, OTHER_ID])
    expect(await runInline(unknown.all)).toMatchObject({ sessionId: OTHER_ID, words: heard })
    expect(unknown.opened).toEqual([
      { kind: "file", path: "/r/talk.wav" },
      { kind: "file", path: "/r/real.wav" },
    ])
  })

  it("cannot be that of a path that changes all the time", async () => {
    const { all } = transcribing([OTHER_ID, ID])
    await expect(runInline(all)).rejects.toMatchObject({
      code: "conflict",
      message: "The source changed while it was read. Use a path that does not change.",
    })
  })

  it("is not needed for stages whose inputs are given, and evicts no model that was not loaded", async () => {
    const { all, opened } = transcribing([])
    const topic = { title: "All", summary: "", start_s: 0, end_s: 9, children: [] }
    const released: string[] = []
    const engines = { ...all.engines, releaseModel: async (model: string) => void released.push(model) }
    const state = { l0: { tree: { topics: [topic] } } }
    const { topics } = await runInline({ ...all, engines, stages: ["persist"], state })
    expect(topics!.tree.topics).toEqual([topic])
    expect([opened, released]).toEqual([[], []])
  })
})
