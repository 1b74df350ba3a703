import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createLogger } from "../../../platform/logger.ts"
import { createOpenAiEmbedder } from "../../embedding/openai.ts"
import { createModelAnswerer, createModelTopicModel } from "../model/index.ts"
import { createModelRegister, createOpenAiTransport } from "./index.ts"

const KEY = "sk-very-secret-key"
const log = createLogger("silent", "test")
const signal = new AbortController().signal
const settings = { url: "SERVICE_OPENAI_BASE_URL", key: "SERVICE_OPENAI_API_KEY", model: "SERVICE_LLM_MODEL" }

let handle: (request: IncomingMessage, response: ServerResponse) => void
const http = createServer((request, response) => handle(request, response))
beforeAll(() => new Promise<void>((resolve) => void http.listen(0, "127.0.0.1", resolve)))
afterAll(() => {
  http.closeAllConnections()
  http.close()
})

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
const text = (status: number, type: string, body: string) => (response: ServerResponse) =>
  response.writeHead(status, { "content-type": type }).end(body)

/** Answers the list of models well, and everything else with `answer`. */
const afterTheList =
  (answer: (response: ServerResponse) => void): typeof handle =>
  ({ url }, response) =>
    url === "/v1/models" ? json(200, { data: [{ id: "tiny" }] })(response) : answer(response)
const always =
  (answer: (response: ServerResponse) => void): typeof handle =>
  (_, response) =>
    answer(response)

const open = ({ timeoutMs, apiKey }: { timeoutMs?: number; apiKey?: string | undefined } = { apiKey: KEY }) => {
  const base = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`
  const server = { use: "language", settings, base, apiKey, timeoutMs: timeoutMs ?? 2000 } as const
  const models = createModelRegister(server)
  const transport = createOpenAiTransport({ server, models, model: "tiny", context: undefined, log })
  const embedder = createOpenAiEmbedder({ server: { ...server, use: "embedding" }, models, model: "tiny", log })
  return { topics: createModelTopicModel(transport, log), answerer: createModelAnswerer(transport, log), embedder }
}

const words = Array.from({ length: 50 }, (_, i) => ({ word: "soil", start: i, end: i + 0.9, speaker: "0" }))
const node = { id: "1", start_s: 0, end_s: 50 }
const answer = async (engines: ReturnType<typeof open>) => {
  for await (const _ of engines.answerer.answer({ question: "?", chunks: [{ text: "x", title: "y" }] }, signal));
}
const summarize = ({ topics }: ReturnType<typeof open>) =>
  topics.summarize({ words, node, siblings: [node] }, { signal, numCtx: 8192, reasoning: false })
const embed = ({ embedder }: ReturnType<typeof open>) => embedder.embed(["a", "b"], "document")

/** One sentence or two, without a stack, a page or the key. */
const expectSentence = (error: unknown, pattern: RegExp) => {
  expect(error).toMatchObject({ code: "unavailable", message: expect.stringMatching(pattern) })
  const { message } = error as Error
  expect(message.length).toBeLessThan(420)
  expect(message).not.toMatch(/<html|\n|ZodError|at .*\.ts/)
  expect(JSON.stringify([message, (error as Error).stack, String((error as Error).cause)])).not.toContain(KEY)
}
const failureOf = (run: Promise<unknown>) =>
  run.then(
    () => "no error",
    (error: unknown) => error,
  )

const HTML = "<html><body>Welcome to nginx!</body></html>"
const event = (fields: object) => `data: ${JSON.stringify(fields)}\n\n`
const delta = (content: string) => event({ choices: [{ index: 0, delta: { content } }] })

describe("a server that is not one", () => {
  it.each<[string, typeof handle, RegExp]>([
    [
      "is a website",
      always(text(200, "text/html", HTML)),
      /responded with text\/html instead of JSON.*SERVICE_OPENAI_BASE_URL.*\/v1/,
    ],
    [
      "has no such page",
      always(text(404, "text/html", HTML)),
      /does not have this endpoint \(HTTP 404\).*SERVICE_OPENAI_BASE_URL/,
    ],
    ["has other JSON", always(json(200, { hello: "world" })), /responded without (a list of models|an answer)/],
    ["has a list instead of an object", always(json(200, [1])), /JSON of another form/],
    [
      "redirects",
      always(json(307, {}, { location: "https://elsewhere.test/v1/models" })),
      /redirects to https:\/\/elsewhere\.test\/v1\/models \(HTTP 307\).*final address/,
    ],
    [
      "rejects the key",
      always(json(401, { error: { message: `Incorrect API key: ${KEY}` } })),
      /rejected the API key \(HTTP 401\)\. Check SERVICE_OPENAI_API_KEY\./,
    ],
    [
      "forbids the use",
      always(json(403, { error: { message: `Key ${KEY} has no credits` } })),
      /HTTP 403\): Key … has no credits/,
    ],
    [
      "lacks the model",
      always(json(200, { data: [{ id: "other" }, { id: "more" }] })),
      /^model not available: 'tiny' is not on http.*which offers 'other', 'more'; set SERVICE_LLM_MODEL/,
    ],
    [
      "sends an error with status 200",
      always(json(200, { error: "Unexpected endpoint or method. (GET /v1/models)" })),
      /does not have this endpoint/,
    ],
    ["loses the connection", (_, response) => void response.destroy(), /cannot be reached \(ECONNRESET\)/],
    ["hangs", () => {}, /gave no answer within 0\.3 s.*SERVICE_MODEL_TIMEOUT_S/],
  ])("%s: the check, a job and a question fail with one sentence", async (name, handler, pattern) => {
    handle = handler
    for (const run of [({ topics }: ReturnType<typeof open>) => topics.check(signal), summarize, answer])
      expectSentence(await failureOf(run(open({ timeoutMs: name === "hangs" ? 300 : 2000, apiKey: KEY }))), pattern)
  })

  it("requires a key that is not set: the sentence names the setting", async () => {
    handle = always(json(401, {}))
    const failure = await failureOf(summarize(open({ apiKey: undefined })))
    expectSentence(failure, /requires an API key \(HTTP 401\)\. Set SERVICE_OPENAI_API_KEY\.$/)
  })
})

describe("an answer that is not one", () => {
  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ["without choices", json(200, { choices: [] }), /responded without an answer/],
    ["of half an object", text(200, "application/json", '{"choices": [{"mess'), /incomplete response/],
    [
      "that exceeds the context",
      json(400, {
        error: {
          message: "request (40019 tokens) exceeds the available context size (32768 tokens)",
          type: "exceed_context_size_error",
        },
      }),
      /exceeds the context of the model 'tiny'.*SERVICE_OPENAI_CONTEXT/,
    ],
    [
      "of a removed model",
      json(404, { error: { message: "The model `tiny` does not exist.", code: "model_not_found" } }),
      /^model not available: 'tiny'/,
    ],
    [
      "of an empty account",
      json(429, { error: { message: "You exceeded your current quota", code: "insufficient_quota" } }),
      /HTTP 429\): You exceeded your current quota/,
    ],
  ])("%s fails with one sentence", async (_, respond, pattern) => {
    handle = afterTheList(respond)
    expectSentence(await failureOf(summarize(open())), pattern)
  })

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    [
      "ends in the middle",
      (r) => void r.writeHead(200, { "content-type": "text/event-stream" }).end(delta("In the")),
      /ended its answer before it was complete/,
    ],
    [
      "breaks off in an event",
      (r) => void r.writeHead(200, { "content-type": "text/event-stream" }).end(`${delta("In")}data: {"choi`),
      /before it was complete/,
    ],
    [
      "contains an error",
      (r) =>
        void r
          .writeHead(200, { "content-type": "text/event-stream" })
          .end(delta("In") + event({ error: { message: "CUDA out of memory" } })),
      /CUDA out of memory/,
    ],
    ["is a website", text(200, "text/html", HTML), /text\/html instead of events/],
    [
      "stalls",
      (r) => void r.writeHead(200, { "content-type": "text/event-stream" }).write(delta("In")),
      /gave no answer within 0\.3 s/,
    ],
  ])("in a stream that %s fails with one sentence", async (name, respond, pattern) => {
    handle = afterTheList(respond)
    expectSentence(await failureOf(answer(open({ timeoutMs: name === "stalls" ? 300 : 2000, apiKey: KEY }))), pattern)
  })
})

describe("vectors that are none", () => {
  const vectors = (...embeddings: unknown[]) =>
    json(200, { data: embeddings.map((embedding, index) => ({ index, embedding })) })
  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ["an empty list", vectors(), /returned 0 vectors for 2 texts/],
    ["too few", vectors([1, 0]), /returned 1 vectors for 2 texts/],
    ["other dimensions", vectors([1, 0], [1, 0, 0]), /returned 3 dimensions instead of 2/],
    ["no dimensions", vectors([], []), /without dimensions/],
    // JSON has no NaN: servers write null.
    ["NaN", vectors([1, null], [1, 0]), /values that are not numbers/],
    [
      "NaN as a word",
      text(200, "application/json", '{"data": [{"embedding": [NaN, 1]}]}'),
      /incomplete response|instead of JSON/,
    ],
    ["zeros", vectors([0, 0], [1, 0]), /a vector of length zero/],
    ["text", json(200, { data: "none" }), /returned no vectors/],
    [
      "a server without embeddings",
      json(501, { error: { message: "This server does not support embeddings. Start it with `--embeddings`" } }),
      /HTTP 501: This server does not support embeddings/,
    ],
  ])("%s: fails with one sentence", async (_, respond, pattern) => {
    handle = afterTheList(respond)
    expectSentence(await failureOf(embed(open())), pattern)
  })

  it("other dimensions than before: fails, so that none are stored", async () => {
    const engines = open()
    handle = afterTheList(vectors([1, 0], [0, 1]))
    expect(await embed(engines)).toHaveLength(2)
    handle = afterTheList(vectors([1, 0, 0], [0, 1, 0]))
    expectSentence(await failureOf(embed(engines)), /returned 3 dimensions instead of 2/)
  })
})
