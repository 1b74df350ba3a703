import { afterEach, expect, it } from "vitest"
import {
  listedModel,
  type OpenAiServerOptions,
  type OpenAiTestServer,
  sendError,
  startOpenAiServer,
} from "#test/fixtures/openai-server.ts"
import { createLogger } from "../../platform/logger.ts"
import { createModelRegister, resolveBase } from "../language/openai/index.ts"
import { createOpenAiEmbedder } from "./openai.ts"

let server: OpenAiTestServer
afterEach(() => server.close())

const open = async (options: OpenAiServerOptions = {}, model = "tiny-embed") => {
  server = await startOpenAiServer({ models: [listedModel(model)], ...options })
  const settings = { url: "U", key: "K", model: "SERVICE_EMBED_MODEL" }
  const openAi = {
    use: "embedding",
    settings,
    base: resolveBase(server.url),
    apiKey: undefined,
    timeoutMs: 5000,
  } as const
  return createOpenAiEmbedder({
    server: openAi,
    models: createModelRegister(openAi),
    model,
    log: createLogger("silent", "test"),
  })
}
const inputs = () => server.calls.filter(({ path }) => path === "/v1/embeddings").map(({ body }) => body.input!)

it("returns unit vectors in the order of the texts, in batches of 64", async () => {
  const embedder = await open()
  const texts = Array.from({ length: 150 }, (_, i) => `text number${i}`)
  const vectors = await embedder.embed(texts, "document")
  expect(inputs().map((batch) => batch.length)).toEqual([64, 64, 22])
  for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
  expect([vectors[149]]).toEqual(await embedder.embed([texts[149]!], "document"))
})

it("sorts vectors that the server returns in another order", async () => {
  const embedder = await open()
  server.override = ({ path }, response) => {
    if (path !== "/v1/embeddings") return false
    const data = [
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding: [1, 0] },
    ]
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }))
    return true
  }
  expect(await embedder.embed(["a", "b"], "document")).toEqual([Float32Array.of(1, 0), Float32Array.of(0, 1)])
})

it("requests nothing for no texts", async () => {
  expect(await (await open()).embed([], "query")).toEqual([])
  expect(server.calls).toEqual([])
})

it("sends fewer texts to a server that takes fewer", async () => {
  const embedder = await open()
  server.override = ({ path, body }, response) => {
    if (path !== "/v1/embeddings" || body.input!.length <= 32) return false
    sendError(response, 413, "batch size 64 > maximum allowed batch size 32")
    return true
  }
  expect(
    await embedder.embed(
      Array.from({ length: 64 }, (_, i) => `text ${i}`),
      "document",
    ),
  ).toHaveLength(64)
  expect(inputs().map((batch) => batch.length)).toEqual([64, 32, 32])
})

it("embeds a text that is too long for the model as the mean of its parts", async () => {
  const embedder = await open({ maxInputChars: 150 })
  const long = `${"wet soil ".repeat(16)}${"loud engine ".repeat(12)}`
  const [vector, first, second] = await embedder.embed([long, "wet soil", "loud engine"], "document")
  const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0)
  expect(Math.hypot(...vector!)).toBeCloseTo(1, 5)
  expect(dot(vector!, first!)).toBeGreaterThan(0.5)
  expect(dot(vector!, second!)).toBeGreaterThan(0.5)
  await expect((await open({ maxInputChars: 3 })).embed(["long"], "query")).rejects.toThrow(
    /too long for the embedding model/,
  )
})

it.each([
  ["nomic-embed-text-v1.5", ["search_document: soil", "search_query: soil"]],
  ["intfloat/multilingual-e5-small", ["passage: soil", "query: soil"]],
  ["bge-m3", ["soil", "soil"]],
  ["mxbai-embed-large", ["soil", "Represent this sentence for searching relevant passages: soil"]],
])("adds the prefixes that %s was trained with", async (model, expected) => {
  const embedder = await open({}, model)
  await embedder.embed(["soil"], "document")
  await embedder.embed(["soil"], "query")
  expect(inputs().flat()).toEqual(expected)
})
