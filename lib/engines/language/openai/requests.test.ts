import { Ajv2020 } from "ajv/dist/2020.js"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { CHAT_REQUEST_SCHEMA, EMBEDDING_REQUEST_SCHEMA, STRICT_SCHEMA } from "#test/fixtures/openai-schema.ts"
import { type OpenAiTestServer, sendError, startOpenAiServer } from "#test/fixtures/openai-server.ts"
import { createLogger } from "../../../platform/logger.ts"
import { createOpenAiEmbedder } from "../../embedding/openai.ts"
import { createModelAnswerer, createModelTopicModel } from "../model/index.ts"
import type { CallContext, NodeSpan } from "../types.ts"
import { createModelRegister, createOpenAiTransport } from "./index.ts"
import { resolveBase } from "./server.ts"

const log = createLogger("silent", "test")
const settings = { url: "SERVICE_OPENAI_BASE_URL", key: "SERVICE_OPENAI_API_KEY", model: "SERVICE_LLM_MODEL" }
const ajv = new Ajv2020({ strict: false, allErrors: true })
const checks = {
  chat: ajv.compile(CHAT_REQUEST_SCHEMA),
  embedding: ajv.compile(EMBEDDING_REQUEST_SCHEMA),
  strict: ajv.compile(STRICT_SCHEMA),
}
const problemsOf = (kind: keyof typeof checks, value: unknown) =>
  checks[kind](value) ? "" : ajv.errorsText(checks[kind].errors)

const words = Array.from({ length: 400 }, (_, i) => ({
  word: i % 2 ? "soil" : "engine",
  start: i,
  end: i + 0.9,
  speaker: "0",
}))
const node: NodeSpan = { id: "1", start_s: 0, end_s: 400 }
const ctx: CallContext = { signal: new AbortController().signal, numCtx: 8192, reasoning: false }

let server: OpenAiTestServer
beforeAll(async () => {
  server = await startOpenAiServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const open = (model = "tiny") => {
  const base = { settings, base: resolveBase(server.url), apiKey: "sk-secret", timeoutMs: 5000 }
  const chat = { ...base, use: "language" as const }
  const embed = { ...base, use: "embedding" as const }
  const models = createModelRegister(chat)
  const transport = createOpenAiTransport({ server: chat, models, model, context: undefined, log })
  return {
    topics: createModelTopicModel(transport, log),
    answerer: createModelAnswerer(transport, log),
    embedder: createOpenAiEmbedder({ server: embed, models, model: "tiny-embed", log }),
  }
}
const summarize = (topics = open().topics, more: Partial<CallContext> = {}) =>
  topics.summarize({ words, node, siblings: [node] }, { ...ctx, ...more })
const bodies = () => server.chats().map(({ body }) => body)

/** Makes every request of Earmark to a model server once. */
const callEverything = async () => {
  const { topics, answerer, embedder } = open()
  const part = { ...node, title: "Soil", summary: "Soil." }
  await topics.findBoundaries({ words, within: node, level: 1, detail: "normal", blockSeconds: 30 }, ctx)
  await topics.findBoundaries({ words, within: node, level: 2, detail: "normal", blockSeconds: 30 }, ctx)
  await topics.decide({ words, node, siblings: [node], detail: "normal" }, ctx)
  await summarize(topics)
  await topics.summarizeRecording({ words, topics: [{ ...part, children: [part] }] }, ctx)
  await topics.nameRegion!({ titles: ["Soil", "Engines"], phrases: ["soil"] }, ctx)
  let answer = ""
  for await (const delta of answerer.answer({ question: "Why?", chunks: [{ text: "Soil.", title: "A" }] }, ctx.signal))
    answer += delta
  expect(answer).toBe("Bees cluster in winter [1].")
  await embedder.embed(["soil", "engine"], "document")
}

describe("the requests of every stage", () => {
  it("match the published schema, in every form that a server may demand", async () => {
    await callEverything()
    expect(bodies()).toHaveLength(7)
    for (const rejected of ["response_format", "response_format", "max_tokens", "reasoning_effort"]) {
      server.override = ({ path, body }, response) => {
        if (path !== "/v1/chat/completions" || !(rejected in body)) return false
        sendError(response, 400, `Unsupported parameter: '${rejected}' is not supported with this model.`)
        return true
      }
      await callEverything()
    }
    for (const body of bodies()) {
      expect(problemsOf("chat", body)).toBe("")
      if (body.response_format?.json_schema)
        expect(problemsOf("strict", body.response_format.json_schema.schema)).toBe("")
    }
    const embeddings = server.calls.filter(({ path }) => path === "/v1/embeddings")
    expect(embeddings.length).toBeGreaterThan(0)
    for (const { body } of embeddings) expect(problemsOf("embedding", body)).toBe("")
  })

  it("are checked by schemas that reject other requests", () => {
    const messages = [{ role: "user", content: "x" }]
    expect(problemsOf("chat", { model: "m", messages: [] })).toMatch(/messages/)
    expect(problemsOf("chat", { model: "m", messages, stream_options: {}, stream: false })).toMatch(/stream/)
    expect(problemsOf("chat", { model: "m", messages, num_ctx: 8192 })).toMatch(/additional/)
    expect(problemsOf("embedding", { model: "m", input: [] })).toMatch(/input/)
    expect(problemsOf("strict", { type: "object", properties: {}, required: [] })).toMatch(/additionalProperties/)
  })

  it("carry the key, ask for no thinking, and ask for it if the job allows it", async () => {
    await summarize()
    await summarize(open().topics, { reasoning: true })
    expect(server.calls.every(({ authorization }) => authorization === "Bearer sk-secret")).toBe(true)
    expect(bodies()).toMatchObject([
      { model: "tiny", temperature: 0, reasoning_effort: "none", chat_template_kwargs: { enable_thinking: false } },
      { reasoning_effort: "medium", chat_template_kwargs: { enable_thinking: true } },
    ])
    expect(bodies()[1]!.max_tokens).toBeGreaterThan(bodies()[0]!.max_tokens!)
  })
})

describe("a server that rejects a parameter", () => {
  const rejecting = (name: string, message: string, status = 400) => {
    server.override = ({ path, body }, response) => {
      if (path !== "/v1/chat/completions" || !(name in body)) return false
      sendError(response, status, message)
      return true
    }
  }

  it.each([
    ["response_format", "This model does not support response format `json_schema`", 400],
    ["max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", 400],
    ["temperature", "Unsupported value: 'temperature' does not support 0 with this model.", 400],
    ["chat_template_kwargs", "Unrecognized request argument supplied: chat_template_kwargs", 400],
    ["reasoning_effort", "[{'type': 'extra_forbidden', 'loc': ['body', 'reasoning_effort']}]", 422],
    ["response_format", "Bad Request", 400],
  ])("such as %s gets requests without it from then on", async (name, message, status) => {
    rejecting(name, message, status)
    const { topics } = open()
    expect((await summarize(topics)).title).not.toBe("")
    const accepted = bodies().at(-1)!
    expect(accepted).not.toHaveProperty(name)
    const count = bodies().length
    await summarize(topics)
    expect(bodies()).toHaveLength(count + 1)
  })

  it("gets json_object before no response format at all", async () => {
    server.override = ({ path, body }, response) => {
      if (path !== "/v1/chat/completions" || body.response_format?.type !== "json_schema") return false
      sendError(response, 400, "'response_format.type' must be 'json_object' or 'text'")
      return true
    }
    await summarize()
    expect(bodies().map(({ response_format }) => response_format?.type)).toEqual(["json_schema", "json_object"])
  })

  it("gets the message of the first rejection if nothing helps, and all parameters the next time", async () => {
    server.override = ({ path }, response) => {
      if (path !== "/v1/chat/completions") return false
      sendError(response, 400, "The prompt was rejected by the content filter.")
      return true
    }
    const { topics } = open()
    await expect(summarize(topics)).rejects.toMatchObject({
      retry: "never",
      message: expect.stringMatching(
        /rejected the request \(HTTP 400\): The prompt was rejected by the content filter\./,
      ),
    })
    const rejected = bodies().length
    server.override = undefined
    await summarize(topics)
    expect(bodies()[rejected]).toEqual(bodies()[0])
  })

  it("keeps its parameters if it accepted them before, unless it names one", async () => {
    const { topics } = open()
    await summarize(topics)
    server.override = ({ path }, response) => {
      if (path !== "/v1/chat/completions") return false
      sendError(response, 400, "No.")
      return true
    }
    await expect(summarize(topics)).rejects.toThrow(/HTTP 400/)
    expect(bodies()).toHaveLength(2)
  })
})

describe("an answer", () => {
  it("may be in prose, in a fence or after a thought", async () => {
    const json = '{"title": "Wet soil", "summary": "Soil is wet."}'
    for (const answer of [
      `Here it is:\n\`\`\`json\n${json}\n\`\`\``,
      `<think>Hm {"a": 1}</think>${json}`,
      `Sure. ${json} Anything else?`,
    ]) {
      server.queueAnswers(answer)
      expect(await summarize()).toEqual({ title: "Wet soil", summary: "Soil is wet." })
    }
    expect(bodies()).toHaveLength(3)
  })

  it("that is cut off in a thought is requested again with more tokens, and the model gets them from then on", async () => {
    server.override = ({ path, body }, response) => {
      if (path !== "/v1/chat/completions" || body.max_tokens! > 2000) return false
      const message = { role: "assistant", content: null, reasoning_content: "Let me see" }
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: "length", message }] }))
      return true
    }
    const { topics } = open()
    await summarize(topics)
    await summarize(topics)
    expect(bodies().map(({ max_tokens }) => max_tokens)).toEqual([1024, 4096, 4096])
  })

  it("is streamed without thoughts and without the ends of other streams", async () => {
    const { answerer } = open()
    server.queueAnswers("<think>They want bees.</think>\n\nIn the hive [1].")
    let text = ""
    for await (const part of answerer.answer({ question: "Where?", chunks: [{ text: "x", title: "y" }] }, ctx.signal))
      text += part
    expect(text).toBe("In the hive [1].")
  })

  it("that is not streamed although it should be is taken as a whole", async () => {
    server.override = ({ path }, response) => {
      if (path !== "/v1/chat/completions") return false
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify({ choices: [{ message: { content: "In the hive." }, finish_reason: "stop" }] }))
      return true
    }
    let text = ""
    for await (const part of open().answerer.answer({ question: "?", chunks: [{ text: "x", title: "y" }] }, ctx.signal))
      text += part
    expect(text).toBe("In the hive.")
  })

  it("that nobody reads any more is not generated further", async () => {
    server.override = ({ path }, response) => {
      if (path !== "/v1/chat/completions") return false
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: "In the hive" } }] })}\n\n`)
      return true
    }
    for await (const _ of open().answerer.answer({ question: "?", chunks: [{ text: "x", title: "y" }] }, ctx.signal))
      break
    await expect.poll(() => server.chats()[0]!.outcome).toBe("aborted")
  })
})

describe("a busy server", () => {
  it("is asked again after the time that it names", async () => {
    let busy = 2
    server.override = ({ path }, response) => {
      if (path !== "/v1/chat/completions" || busy-- <= 0) return false
      response.setHeader("retry-after", "0.05")
      sendError(response, busy === 1 ? 429 : 503, "Loading model", { type: "unavailable_error" })
      return true
    }
    expect((await summarize()).title).not.toBe("")
    expect(server.chats().map(({ outcome }) => outcome)).toEqual([429, 503, 200])
  })

  it("defers the job if it names a long time", async () => {
    server.override = ({ path }, response) => {
      if (path !== "/v1/chat/completions") return false
      response.setHeader("retry-after", "3600")
      sendError(response, 429, "Rate limit reached")
      return true
    }
    await expect(summarize()).rejects.toMatchObject({
      retry: "later",
      retryInMs: 3_600_000,
      message: expect.stringMatching(/is busy until 20\d\d-\d\d-\d\d .* UTC \(HTTP 429\)/),
    })
  })
})

describe("the context", () => {
  it("is the smaller one of the server's and the job's, and windows fit it", async () => {
    const long = Array.from({ length: 20_000 }, (_, i) => ({ word: "soil", start: i, end: i + 0.9, speaker: "0" }))
    const span: NodeSpan = { id: "1", start_s: 0, end_s: 20_000 }
    await open().topics.summarize({ words: long, node: span, siblings: [span] }, { ...ctx, numCtx: 131_072 })
    const sizes = bodies().map(({ messages }) => messages!.map(({ content }) => content).join("").length / 3.5)
    expect(sizes.length).toBeGreaterThan(3)
    expect(Math.max(...sizes)).toBeLessThan(8192)
  })
})
