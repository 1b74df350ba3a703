import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createOllamaEmbedder } from "#lib/engines/embedding/ollama.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { type OllamaServer, startOllamaServer } from "#test/fixtures/ollama-server.ts"

const log = createLogger("silent", "test")
let server: OllamaServer
beforeAll(async () => {
  server = await startOllamaServer({ models: ["nomic-embed-text", "bge-m3:latest"], dimensions: 64 })
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const embedder = (model = "nomic-embed-text", baseUrl = server.url) =>
  createOllamaEmbedder({ baseUrl, model, timeoutMs: 5000, log })
const inputs = () => server.requests.filter((r) => r.kind === "embed").map((r) => r.body.input as string[])
const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, v, i) => sum + v * b[i]!, 0)

describe("embed", () => {
  it("returns one unit vector per text, in order, with equal vectors for equal texts", async () => {
    const [soil, engine, again, similar] = await embedder().embed(
      ["wet soil", "loud engine", "wet soil", "wet garden soil"],
      "document",
    )
    for (const vector of [soil!, engine!, similar!]) expect(Math.hypot(...vector)).toBeCloseTo(1, 5)
    expect(again).toEqual(soil)
    expect(dot(soil!, similar!)).toBeGreaterThan(dot(soil!, engine!))
  })

  it("has the name of its model", () => {
    expect(embedder("bge-m3").name).toBe("bge-m3")
  })

  it("sends batches of 64 and keeps the order", async () => {
    const texts = Array.from({ length: 150 }, (_, i) => `text number${i}`)
    const vectors = await embedder().embed(texts, "document")
    expect(inputs().map((batch) => batch.length)).toEqual([64, 64, 22])
    expect(vectors).toHaveLength(150)
    expect([vectors[149]]).toEqual(await embedder().embed([texts[149]!], "document"))
    expect(server.requests.every((r) => r.body.keep_alive === "5m")).toBe(true)
  })

  it("sends nothing for no texts", async () => {
    expect(await embedder().embed([], "query")).toEqual([])
    expect(server.requests).toHaveLength(0)
  })

  it("adds the task prefix for nomic models only", async () => {
    await embedder().embed(["soil"], "document")
    await embedder().embed(["soil"], "query")
    await embedder("bge-m3").embed(["soil"], "query")
    expect(inputs()).toEqual([["search_document: soil"], ["search_query: soil"], ["soil"]])
  })

  it("ends immediately when aborted", async () => {
    const release = server.hold("embed")
    const stop = new AbortController()
    const call = embedder().embed(["soil"], "query", stop.signal)
    await server.waitUntilHeld()
    stop.abort(new Error("no longer wanted"))
    await expect(call).rejects.toThrow("no longer wanted")
    release()
  })
})

describe("an invalid embedding response", () => {
  const answering = async (...answers: object[]) => {
    const http = createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answers.shift()))
    })
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    return { url, close: () => new Promise((resolve) => http.close(resolve)) }
  }

  it.each([
    ["too few vectors", [{ embeddings: [[1, 0]] }], /returned 1 vectors for 2 texts/],
    ["vectors of different length", [{ embeddings: [[1, 0], [1]] }], /returned 1 dimensions instead of 2/],
    [
      "a vector of zeros",
      [
        {
          embeddings: [
            [0, 0],
            [1, 0],
          ],
        },
      ],
      /a vector of length zero/,
    ],
    ["no vectors", [{ response: "hello" }], /returned no vectors/],
  ])("is rejected: %s", async (_, answers, message) => {
    const other = await answering(...answers)
    const call = embedder("nomic-embed-text", other.url).embed(["a", "b"], "document")
    await expect(call).rejects.toMatchObject({ code: "unavailable", message: expect.stringMatching(message) })
    await other.close()
  })

  it("is rejected when the model has changed", async () => {
    const other = await answering({ embeddings: [[1, 0]] }, { embeddings: [[1, 0, 0]] })
    const one = embedder("nomic-embed-text", other.url)
    await one.embed(["a"], "query")
    await expect(one.embed(["a"], "query")).rejects.toThrow(/returned 3 dimensions instead of 2/)
    await other.close()
  })
})
