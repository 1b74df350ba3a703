import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { jobOptions } from "#lib/domain/jobs/jobs.ts"
import { createBuiltinEmbedder } from "#lib/engines/embedding/builtin.ts"
import { createBuiltinTopicModel } from "#lib/engines/language/builtin/index.ts"
import { createModelTopicModel } from "#lib/engines/language/model/index.ts"
import { createOllamaTransport } from "#lib/engines/language/ollama/index.ts"
import type { CallContext } from "#lib/engines/language/types.ts"
import { withFallback } from "#lib/engines/language/with-fallback.ts"
import { runInline } from "#lib/pipeline/run-inline.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { type OllamaServer, startOllamaServer } from "#test/fixtures/ollama-server.ts"

/** The transcript is given, so the pipeline must not open the source or call the speech engine. */
const failUnexpectedCall = () => Promise.reject(new Error("unexpected call"))

const log = createLogger("silent", "test")
const sentences = [
  "We water the tomatoes in the morning before the sun is high.",
  "The compost needs twenty five days until it can be spread.",
  "Maria brings the seedlings from the greenhouse to the beds.",
]
const words = Array.from({ length: 12 }, (_, i) => sentences[i % 3]!)
  .flatMap((s) => s.split(" "))
  .map((word, i) => ({ word, start: i / 2, end: i / 2 + 0.4, speaker: "0" }))
const node = { id: "1", start_s: 0, end_s: words.at(-1)!.end }

let server: OllamaServer
beforeAll(async () => {
  server = await startOllamaServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const builtin = createBuiltinTopicModel()
const model = () =>
  withFallback(
    createModelTopicModel(
      createOllamaTransport({ baseUrl: server.url, model: "gemma4:latest", timeoutMs: 5000, log }),
      log,
    ),
    builtin,
  )
const chats = () => server.requests.filter((r) => r.path === "/api/chat")
const context = () => {
  const notes: string[] = []
  const ctx: CallContext = {
    signal: new AbortController().signal,
    numCtx: 8192,
    reasoning: false,
    onNote: (sentence) => notes.push(sentence),
  }
  return { ctx, notes }
}
const answer = (title: string, summary: string) => JSON.stringify({ title, summary })
const request = { words, node, siblings: [node] }

describe("a summary with terms that the transcript does not contain", () => {
  it("is requested once more, with the ungrounded names and numbers listed", async () => {
    server.queueAnswers(
      answer("Watering", "In the beds, Henrik waters 40 tomatoes."),
      answer("Watering", "Maria waters."),
    )
    const { ctx, notes } = context()
    expect(await model().summarize(request, ctx)).toEqual({ title: "Watering", summary: "Maria waters." })
    expect(chats()[1]!.body.messages!.at(-1)!.content).toContain("does not: Henrik, 40.")
    expect(notes).toEqual([])
  })
  it("is replaced by the builtin summary with a note if it does not improve", async () => {
    const wrong = answer("Watering", "In the beds, Henrik waters tomatoes.")
    server.queueAnswers(wrong, wrong)
    const { ctx, notes } = context()
    expect(await model().summarize(request, ctx)).toEqual(await builtin.summarize(request, ctx))
    expect(chats()).toHaveLength(2)
    expect(notes).toEqual([
      expect.stringMatching(
        /^Title and summary were written from 00:00 to 01:05 without the model 'gemma4:latest'.*Henrik/,
      ),
    ])
  })
  it("may write spoken numbers as digits", async () => {
    server.queueAnswers(answer("Compost", "After 25 days, Maria spreads the compost."))
    await model().summarize(request, context().ctx)
    expect(chats()).toHaveLength(1)
  })
})

describe("answers that remain invalid", () => {
  it("are replaced by builtin results, each with a note", async () => {
    server.garble(1000)
    const { ctx, notes } = context()
    const asked = { words, within: node, level: 1 as const, detail: "normal" as const, blockSeconds: 30 }
    expect(await model().findBoundaries(asked, ctx)).toEqual(await builtin.findBoundaries(asked, ctx))
    expect(await model().decide({ ...request, detail: "normal" }, ctx)).toEqual(
      await builtin.decide({ ...request, detail: "normal" }, ctx),
    )
    const topics = [{ ...node, title: "Garden", summary: "", children: [] }]
    expect(await model().summarizeRecording({ words, topics }, ctx)).toEqual(
      await builtin.summarizeRecording({ words, topics }, ctx),
    )
    expect(chats()).toHaveLength(6)
    expect(notes.map((n) => n.slice(0, 12))).toEqual(["Topics were ", "Subtopics we", "Title and su"])
  })
  it("an unavailable server still fails the stage", async () => {
    server.fail(500, 10)
    const { ctx, notes } = context()
    await expect(model().summarize(request, ctx)).rejects.toMatchObject({ code: "unavailable" })
    expect(notes).toEqual([])
  })
})

/** Runs all stages in this process with topics from the test server. */
const run = () =>
  runInline({
    sessionId: "fa678091-b771-53c5-bb5c-b97259498be6",
    source: { kind: "file", path: "/r/talk.wav" },
    options: jobOptions.parse({ min_subdivide_duration_s: 1e6 }),
    given: { words, estimated_times: false },
    engines: {
      getTopicModel: async () => model(),
      getEmbedder: async () => createBuiltinEmbedder(),
      releaseModel: async () => {},
      speech: {
        pick: failUnexpectedCall,
        embedSpeakers: failUnexpectedCall,
        computeWaveform: failUnexpectedCall,
        cutAudio: failUnexpectedCall,
        close: async () => {},
      },
    },
    openSource: failUnexpectedCall,
    signal: new AbortController().signal,
    log,
    onProgress: () => {},
  })
const halves = JSON.stringify({
  topics: [
    { s: "00:00", e: "00:30" },
    { s: "00:30", e: "01:06" },
  ],
})

describe("a run", () => {
  it("makes equal sibling titles distinct", async () => {
    server.queueAnswers(
      halves,
      answer("The garden", "Maria waters."),
      answer("The Garden", "Maria spreads the compost."),
    )
    const { tree } = await run()
    const titles = tree!.topics[0]!.children.map((c) => c.title)
    expect(titles[0]).toBe("The garden")
    expect(titles[1]).toMatch(/^The Garden: \S/)
    expect(tree).not.toHaveProperty("notes")
  })
  it("notes unusable answers on the clip and in the stored result", async () => {
    const wrong = answer("Watering", "In the beds, Henrik waters tomatoes.")
    server.queueAnswers(halves, wrong, answer("Compost", "Maria spreads the compost."), wrong)
    const { tree, topics } = await run()
    expect(tree!.notes).toEqual([expect.stringMatching(/^Title and summary were written from 00:00 .*Henrik\.$/)])
    expect(topics!.tree.notes).toEqual(tree!.notes)
  })
})
