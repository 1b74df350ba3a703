import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type OpenAiTestServer, startOpenAiServer } from "#test/fixtures/openai-server.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import { createLogger } from "../../../platform/logger.ts"
import { createModelRegister, createOpenAiTransport } from "../openai/index.ts"
import { resolveBase } from "../openai/server.ts"
import { createModelTopicModel } from "./topic-model.ts"

const log = createLogger("silent", "test")
let server: OpenAiTestServer
beforeAll(async () => {
  server = await startOpenAiServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

/** A speaker who pauses once, before 110 s, so that the lines of the transcript begin in the middle of a sentence. */
const words: WordSpan[] = Array.from({ length: 240 }, (_, i) => ({
  word: ["the", "boat", "needs", "a", "mast", "of", "spruce", `n${i}`][i % 8]!,
  start: i,
  end: i === 109 ? i + 0.2 : i + 1,
  speaker: "0",
}))
const within = { start_s: 0, end_s: 240 }

/** Returns the starts of the topics that a model finds with these answers, and the requests. */
const find = async (...answers: readonly object[]) => {
  server.queueAnswers(...answers.map((topics) => JSON.stringify({ topics })))
  const settings = { url: "URL", key: "KEY", model: "MODEL" }
  const chat = {
    settings,
    base: resolveBase(server.url),
    apiKey: undefined,
    timeoutMs: 5000,
    use: "language" as const,
  }
  const models = createModelRegister(chat)
  const transport = createOpenAiTransport({ server: chat, models, model: "tiny", context: undefined, log })
  const spans = await createModelTopicModel(transport, log).findBoundaries(
    { words, within, level: 1, detail: "normal", blockSeconds: 30 },
    { signal: new AbortController().signal, numCtx: 8192, reasoning: false },
  )
  const prompts = server.chats().map(({ body }) => (body.messages as { content: string }[]).at(-1)!.content)
  return { starts: spans.map(({ start_s }) => start_s), prompts }
}
const FIRST = { s: "00:00", q: "the boat needs a mast" }

describe("the boundaries of a language model", () => {
  it("are where the quotes begin, even in the middle of a line", async () => {
    const { starts, prompts } = await find([FIRST, { s: "01:30", q: "n103 the boat" }, { s: "03:00" }])
    // A time without a quote moves to a pause, if there is one near.
    expect(starts).toEqual([0, 103, 180])
    expect(prompts).toHaveLength(1)
    expect(prompts[0]).toContain("00:00-00:30 Speaker 1: the boat needs")
    const [request] = server.chats()
    expect(request!.body.response_format).toMatchObject({
      json_schema: { schema: { properties: { topics: { items: { required: ["s", "q"] } } } } },
    })
  })

  it("move to a pause nearby if the quote only repeats where a line begins, or if there is none", async () => {
    expect((await find([FIRST, { s: "02:00", q: "the boat needs a mast" }])).starts).toEqual([0, 110])
    server.reset()
    expect((await find([FIRST, { s: "01:45" }])).starts).toEqual([0, 110])
  })

  it("are asked for again once if a quote does not occur, and then the times count", async () => {
    const invented = { s: "01:30", q: "a mast of invented oak" }
    const { starts, prompts } = await find([FIRST, invented], [FIRST, { s: "01:30", q: "mast of spruce n95" }])
    expect(starts).toEqual([0, 92])
    expect(prompts[1]).toContain('The transcript does not contain these words of "q": "a mast of invented oak".')
    server.reset()
    const stubborn = await find([FIRST, invented], [FIRST, invented])
    expect([stubborn.starts, stubborn.prompts.length]).toEqual([[0, 90], 2])
  })

  it("may have the form of earlier prompts, with the end of each topic and without quotes", async () => {
    const { starts, prompts } = await find([
      { s: "00:00", e: "02:00" },
      { s: "02:00", e: "04:00" },
    ])
    expect([starts, prompts.length]).toEqual([[0, 110], 1])
  })
})
