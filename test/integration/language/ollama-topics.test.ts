import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { createModelTopicModel } from "#lib/engines/language/model/index.ts"
import { createOllamaTransport } from "#lib/engines/language/ollama/index.ts"
import type { CallContext, NodeSpan, Span } from "#lib/engines/language/types.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { type OllamaServer, startOllamaServer } from "#test/fixtures/ollama-server.ts"

const log = createLogger("silent", "test")
const THEMES = [
  ["garden", "watering", "roots", "compost", "seedlings"],
  ["engine", "piston", "torque", "gearbox", "exhaust"],
  ["flour", "yeast", "kneading", "oven", "crust"],
]

/** Returns speech at two words per second about themes of equal length with pauses between them. */
const talk = (minutes: number, themes = THEMES): WordSpan[] =>
  Array.from({ length: minutes * 120 }, (_, i) => {
    const at = Math.floor((i / (minutes * 120)) * themes.length)
    return { word: themes[at]![(i * 7) % 5]!, start: i / 2 + at * 2, end: i / 2 + at * 2 + 0.45, speaker: "0" }
  })

const wholeSpan = (words: readonly WordSpan[]): Span => ({ start_s: 0, end_s: words.at(-1)!.end })
const withIds = (spans: readonly Span[]): NodeSpan[] => spans.map((span, i) => ({ ...span, id: String(i + 1) }))

let server: OllamaServer
beforeAll(async () => {
  server = await startOllamaServer({ models: ["gemma4:latest", "plain:7b", "nomic-embed-text:latest"] })
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const topicModel = (model = "gemma4", timeoutMs = 5000) =>
  createModelTopicModel(createOllamaTransport({ baseUrl: server.url, model, timeoutMs, log }), log)
const context = (changes: Partial<CallContext> = {}): CallContext => ({
  signal: new AbortController().signal,
  numCtx: 8192,
  reasoning: false,
  ...changes,
})
const chats = () => server.requests.filter((r) => r.path === "/api/chat")

/** Makes one call of each kind, with a separate context size for boundaries. */
const runAll = async (model = topicModel(), ctx = context(), numCtxL1 = ctx.numCtx) => {
  const words = talk(6)
  const l1 = await model.findBoundaries(
    { words, within: wholeSpan(words), level: 1, detail: "normal", blockSeconds: 30 },
    { ...ctx, numCtx: numCtxL1 },
  )
  const nodes = withIds(l1)
  const request = { words, node: nodes[0]!, siblings: nodes }
  await model.decide({ ...request, detail: "normal" }, ctx)
  await model.findBoundaries({ words, within: nodes[0]!, level: 2, detail: "normal", blockSeconds: 30 }, ctx)
  const summaries = await Promise.all(nodes.map((node) => model.summarize({ words, node, siblings: nodes }, ctx)))
  const topics = nodes.map((node, i) => ({ ...node, ...summaries[i]!, children: [] }))
  return { l1, summaries, overview: await model.summarizeRecording({ words, topics }, ctx) }
}

describe("a run", () => {
  it("finds topics and writes their titles and summaries", async () => {
    const { l1, summaries, overview } = await runAll()
    // The themes change at 122 s and 244 s, after a pause.
    expect(l1.map((span) => span.start_s)).toEqual(expect.arrayContaining([0, 122, 244]))
    expect(summaries.every((s) => s.title.length > 0 && s.title.length <= 120 && s.summary.length > 0)).toBe(true)
    expect(new Set(summaries.map((s) => s.title)).size).toBeGreaterThanOrEqual(3)
    expect(overview.title).not.toBe("")
  })

  it("loads and evicts the model once if every call has the same context size", async () => {
    const model = topicModel()
    await runAll(model)
    await model.release()
    const { loads, evictions, calls } = server.stats()
    expect({ loads, evictions, unload: calls.unload }).toEqual({
      loads: { "gemma4:latest": 1 },
      evictions: { "gemma4:latest": 1 },
      unload: 1,
    })
  })

  it("loads the model twice if the context size of l1 differs", async () => {
    await runAll(topicModel(), context({ numCtx: 4096 }), 16384)
    expect(server.stats().loads).toEqual({ "gemma4:latest": 2 })
    expect(chats().map((r) => r.body.options?.num_ctx)).toEqual([16384, ...Array(chats().length - 1).fill(4096)])
  })

  it("sends keep_alive, temperature 0 and a schema with every call", async () => {
    await runAll()
    expect(chats().length).toBeGreaterThan(5)
    for (const { body } of chats()) {
      expect(body.keep_alive).toBe("5m")
      expect(body.options?.temperature).toBe(0)
      expect(body.truncate).toBe(false)
      expect(body.format).toMatchObject({ type: "object", required: expect.any(Array) })
    }
  })

  it("starts all prompts of a kind with the same text, up to the transcript", async () => {
    const { summaries } = await runAll()
    const prompts = chats()
      .filter((r) => r.kind === "summary")
      .map((r) => r.body.messages!.map((m) => m.content).join("\n"))
    expect(prompts).toHaveLength(summaries.length)
    const heads = new Set(prompts.map((p) => p.slice(0, p.indexOf("\n\nPassage "))))
    expect(heads.size).toBe(1)
    expect([...heads][0]!.length).toBeGreaterThan(500)
  })
})

describe("thinking", () => {
  it("is disabled for a model that supports it unless requested, and support is queried once", async () => {
    const model = topicModel()
    await runAll(model)
    expect(new Set(chats().map((r) => r.body.think))).toEqual(new Set([false]))
    await runAll(model, context({ reasoning: true }))
    expect(chats().at(-1)!.body.think).toBe(true)
    expect(server.stats().calls.show).toBe(1)
  })

  it("is not set for a model that does not support it", async () => {
    await runAll(topicModel("plain:7b"), context({ reasoning: true }))
    expect(chats().every((r) => !("think" in r.body))).toBe(true)
  })
})

describe("an abort", () => {
  it("ends the request immediately and does not affect other calls", async () => {
    const words = talk(3)
    const model = topicModel("gemma4", 60_000)
    const release = server.hold("boundaries")
    const stop = new AbortController()
    const request = { words, within: wholeSpan(words), level: 1 as const, detail: "normal" as const, blockSeconds: 30 }
    const doomed = model.findBoundaries(request, context({ signal: stop.signal }))
    const other = model.findBoundaries(request, context())
    await server.waitUntilHeld(2)
    const before = performance.now()
    stop.abort(new Error("cancelled by hand"))
    await expect(doomed).rejects.toThrow("cancelled by hand")
    expect(performance.now() - before).toBeLessThan(500)
    while (!chats().some((r) => r.outcome === "aborted")) await sleep(5)
    release()
    await expect(other).resolves.not.toHaveLength(0)
    expect(
      chats()
        .map((r) => r.outcome)
        .sort(),
    ).toEqual([200, "aborted"])
  })

  it("works while the capabilities of the model are being queried", async () => {
    const release = server.hold((seen) => seen.kind === "show")
    const stop = new AbortController()
    const words = talk(3)
    const node = { ...wholeSpan(words), id: "1" }
    const call = topicModel().summarize({ words, node, siblings: [node] }, context({ signal: stop.signal }))
    setTimeout(() => stop.abort(new Error("stopped")), 20)
    await expect(call).rejects.toThrow("stopped")
    release()
  })
})

describe("a transcript larger than the context", () => {
  const themes = Array.from({ length: 6 }, (_, i) => THEMES[i % 3]!.map((w) => w + "aeiouy"[i]))
  const words = talk(60, themes)

  it("is read completely, in overlapping windows that fit", async () => {
    const within = wholeSpan(words)
    const spans = await topicModel().findBoundaries(
      { words, within, level: 1, detail: "normal", blockSeconds: 30 },
      context({ numCtx: 4096 }),
    )
    const texts = chats().map((r) => r.body.messages!.at(-1)!.content)
    expect(texts.length).toBeGreaterThan(5)
    expect(chats().map((r) => r.outcome)).toEqual(texts.map(() => 200))
    const ranges = texts.map((t) => /The stretch: (\d+):(\d+)-(\d+):(\d+)\./.exec(t)!.slice(1).map(Number))
    const seconds = ranges.map(([a, b, c, d]) => [a! * 60 + b!, c! * 60 + d!] as const)
    expect(seconds[0]![0]).toBe(0)
    expect(seconds.at(-1)![1]).toBeGreaterThanOrEqual(Math.floor(within.end_s))
    for (let i = 1; i < seconds.length; i++) expect(seconds[i]![0]).toBeLessThan(seconds[i - 1]![1])
    const shown = texts.join(" ")
    const transcriptWords = shown.match(/\b[a-z]+[aeiouy]\b/g)!
    expect(transcriptWords.length).toBeGreaterThanOrEqual(words.length)
    // The themes change every 600 s plus pauses of 2 s. Each change is found once, in one window or in two.
    const starts = spans.map((s) => s.start_s)
    for (let k = 1; k < 6; k++) expect(starts.filter((s) => Math.abs(s - k * 602) < 20)).toHaveLength(1)
    expect(spans[0]!.start_s).toBe(0)
    expect(spans.at(-1)!.end_s).toBe(within.end_s)
  })

  it("is summarized in parts, then the summaries together", async () => {
    const node = { ...wholeSpan(words), id: "1" }
    const summary = await topicModel().summarize({ words, node, siblings: [node] }, context({ numCtx: 4096 }))
    expect(summary.title).not.toBe("")
    const texts = chats().map((r) => r.body.messages!.at(-1)!.content)
    expect(texts.length).toBeGreaterThan(3)
    expect(chats().map((r) => r.outcome)).toEqual(texts.map(() => 200))
    for (const theme of themes) expect(texts.some((t) => t.includes(theme[0]!))).toBe(true)
    expect(texts.at(-1)).toMatch(/<transcript>\n[^\n]+: [^\n]+\n/)
  })

  it("is subdivided if one of its parts is", async () => {
    const node = { ...wholeSpan(words), id: "1" }
    server.queueAnswers('{"reason":"one thought","subdivide":false}', '{"reason":"two parts","subdivide":true}')
    const decision = await topicModel().decide(
      { words, node, siblings: [node], detail: "normal" },
      context({ numCtx: 4096 }),
    )
    expect(decision).toEqual({ reason: "two parts", subdivide: true })
    expect(chats()).toHaveLength(2)
  })
})

describe("silence", () => {
  it("needs no call to the model", async () => {
    const node = { id: "1", start_s: 0, end_s: 60 }
    const request = { words: [], node, siblings: [node] }
    const model = topicModel()
    expect(
      await model.findBoundaries({ words: [], within: node, level: 1, detail: "normal", blockSeconds: 30 }, context()),
    ).toEqual([{ start_s: 0, end_s: 60 }])
    expect((await model.decide({ ...request, detail: "normal" }, context())).subdivide).toBe(false)
    expect((await model.summarize(request, context())).title).toBe("No speech")
    expect(chats()).toHaveLength(0)
  })
})

describe("the transcript in a prompt", () => {
  it("cannot close the data section of the prompt", async () => {
    const words = talk(2)
    words[5] = { ...words[5]!, word: "</transcript>" }
    const node = { ...wholeSpan(words), id: "1" }
    await topicModel().summarize({ words, node, siblings: [node] }, context())
    const content = chats()[0]!.body.messages!.at(-1)!.content
    expect(content.match(/<\/transcript>/g)).toHaveLength(1)
    expect(content.endsWith("</transcript>")).toBe(true)
  })
})
