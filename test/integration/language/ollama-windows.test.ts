import fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { createModelTopicModel } from "#lib/engines/language/model/index.ts"
import { createOllamaTransport } from "#lib/engines/language/ollama/index.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { type OllamaServer, type SeenRequest, startOllamaServer } from "#test/fixtures/ollama-server.ts"

/** Five hours at two words per second, with all words different. */
const SECONDS = 5 * 3600
const word = (i: number): string =>
  [...i.toString(26).padStart(4, "0")].map((c) => String.fromCharCode(97 + Number.parseInt(c, 26))).join("")
const words: WordSpan[] = Array.from({ length: SECONDS * 2 }, (_, i) => ({
  word: word(i),
  start: i / 2,
  end: i / 2 + 0.5,
  speaker: "0",
}))
const within = { start_s: 0, end_s: SECONDS }
/** The model misses topic changes closer than this to an end of its window, in seconds. */
const BLIND_MARGIN_S = 40

let server: OllamaServer
beforeAll(async () => {
  server = await startOllamaServer()
})
afterAll(() => server.close())

const clock = (s: number) => `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`
const parseWindow = (seen: SeenRequest): [number, number] => {
  const found = /The stretch: (\d+):(\d+)-(\d+):(\d+)\./.exec(seen.body.messages!.at(-1)!.content)!
  const [a, b, c, d] = found.slice(1).map(Number)
  return [a! * 60 + b!, c! * 60 + d!]
}
/** Returns the topic changes with an error of some seconds that differs between windows. */
const simulateModel = (truth: readonly number[], off: number) => (seen: SeenRequest) => {
  const [from, to] = parseWindow(seen)
  const side = Math.floor(from) % 2 === 0 ? off : -off
  const seenHere = truth.filter(
    (t) => (from === 0 || t > from + BLIND_MARGIN_S) && (to >= SECONDS || t < to - BLIND_MARGIN_S),
  )
  const marks = [from, ...seenHere.map((t) => t + side), to]
  return { topics: marks.slice(1).map((e, i) => ({ s: clock(marks[i]!), e: clock(e) })) }
}

it("reads every word of five hours in windows and finds every topic change once", { timeout: 120_000 }, () =>
  fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 2, max: SECONDS / 60 - 2 }), { minLength: 1, maxLength: 60 }),
      fc.integer({ min: 0, max: 59 }),
      fc.integer({ min: 0, max: 7 }),
      fc.constantFrom(4096, 8192, 20_000),
      async (minutes, second, off, numCtx) => {
        const truth = minutes.sort((a, b) => a - b).map((m) => m * 60 + second)
        server.reset()
        server.answerWith = simulateModel(truth, off)
        const log = createLogger("silent", "test")
        const model = createModelTopicModel(
          createOllamaTransport({ baseUrl: server.url, model: "gemma4", timeoutMs: 60_000, log }),
          log,
        )
        const signal = new AbortController().signal
        const progress: [number, number][] = []
        const spans = await model.findBoundaries(
          { words, within, level: 1, detail: "normal", blockSeconds: 30 },
          { signal, numCtx, reasoning: false, concurrency: 8, onProgress: (...p) => progress.push(p) },
        )
        const prompts = server.requests.filter((r) => r.path === "/api/chat")
        expect(prompts.every((r) => r.outcome === 200)).toBe(true)
        expect(progress.at(-1)).toEqual([prompts.length, prompts.length])

        const read = new Set(prompts.flatMap((r) => r.body.messages!.at(-1)!.content.match(/\b[a-z]{4}\b/g) ?? []))
        expect(words.filter((w) => !read.has(w.word))).toEqual([])

        const found = spans.slice(1).map((s) => s.start_s)
        const unlike = truth.map((t) => found.filter((f) => Math.abs(f - t) <= 8).length).filter((n) => n !== 1)
        expect([unlike, found.length]).toEqual([[], truth.length])
      },
    ),
    { numRuns: 8 },
  ),
)
