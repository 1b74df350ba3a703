import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { createOllamaEmbedder } from "#lib/engines/embedding/ollama.ts"
import { createModelTopicModel } from "#lib/engines/language/model/index.ts"
import { createOllamaTransport, probeOllama } from "#lib/engines/language/ollama/index.ts"
import type { CallContext, TopicModel } from "#lib/engines/language/types.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { type OllamaServer, startOllamaServer } from "#test/fixtures/ollama-server.ts"

const log = createLogger("silent", "test")
const signal = new AbortController().signal
const ctx: CallContext = { signal, numCtx: 8192, reasoning: false }
const words = Array.from({ length: 200 }, (_, i) => ({ word: "soil", start: i, end: i + 0.9, speaker: "0" }))
const node = { id: "1", start_s: 0, end_s: 200 }
const boundaries = (model: TopicModel) =>
  model.findBoundaries({ words, within: node, level: 1, detail: "normal", blockSeconds: 30 }, ctx)
const summarize = (model: TopicModel) => model.summarize({ words, node, siblings: [node] }, ctx)

let server: OllamaServer
beforeAll(async () => {
  server = await startOllamaServer()
})
afterAll(() => server.close())
beforeEach(() => server.reset())

const topicModel = (changes: { baseUrl?: string; model?: string; timeoutMs?: number } = {}) =>
  createModelTopicModel(
    createOllamaTransport({ baseUrl: server.url, model: "gemma4:latest", timeoutMs: 5000, log, ...changes }),
    log,
  )
const chats = () => server.requests.filter((r) => r.path === "/api/chat")

/** Returns a local address where nothing listens. */
const deadUrl = async (): Promise<string> => {
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  const { port } = http.address() as AddressInfo
  await new Promise((resolve) => http.close(resolve))
  return `http://127.0.0.1:${port}`
}

/** Starts an HTTP server that always gives the same answer. */
const startOtherServer = async (status: number, type: string, body: string) => {
  const http = createServer((_, response) => response.writeHead(status, { "content-type": type }).end(body))
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return { url, close: () => new Promise((resolve) => http.close(resolve)) }
}

describe("a model that is not pulled", () => {
  const sentence =
    /^model not available: 'mistral-x' is not pulled on http:\/\/127\.0\.0\.1:\d+; run: ollama pull mistral-x$/

  it("fails the check and every call with the pull command, and is not retried", async () => {
    const model = topicModel({ model: "mistral-x" })
    for (const call of [() => model.check(signal), () => boundaries(model), () => summarize(model)])
      await expect(call()).rejects.toMatchObject({
        code: "unavailable",
        retry: "never",
        message: expect.stringMatching(sentence),
      })
  })

  it("has the same message if it is removed between two calls", async () => {
    const model = topicModel()
    await summarize(model)
    server.setModels([])
    await expect(summarize(model)).rejects.toThrow(
      /^model not available: 'gemma4:latest' .* ollama pull gemma4:latest$/,
    )
    server.setModels(["gemma4:latest", "nomic-embed-text:latest"])
  })

  it("is found by its name with and without a tag", async () => {
    await topicModel({ model: "gemma4" }).check(signal)
    await topicModel({ model: "Gemma4:latest" }).check(signal)
    await expect(topicModel({ model: "gemma4:27b" }).check(signal)).rejects.toThrow(/not pulled/)
  })

  it("has the same message in the embedder", async () => {
    const embedder = createOllamaEmbedder({ baseUrl: server.url, model: "bge-m3", timeoutMs: 5000, log })
    await expect(embedder.embed(["x"], "query")).rejects.toThrow(
      /^model not available: 'bge-m3' .* ollama pull bge-m3$/,
    )
  })
})

describe("a server that does not answer", () => {
  it("is reported with what to start and which setting to check, and is retried", async () => {
    const baseUrl = await deadUrl()
    const model = topicModel({ baseUrl })
    const error = {
      code: "unavailable",
      retry: "retry",
      message: `Ollama at ${baseUrl} cannot be reached (ECONNREFUSED): start it with \`ollama serve\`, or set SERVICE_OLLAMA_BASE_URL to its address.`,
    }
    await expect(model.check(signal)).rejects.toMatchObject(error)
    await expect(summarize(model)).rejects.toMatchObject(error)
  })

  it("gets another capability query after a failed one", async () => {
    const model = topicModel()
    server.setModels([])
    await expect(summarize(model)).rejects.toThrow(/not pulled/)
    server.setModels(["gemma4:latest", "nomic-embed-text:latest"])
    await summarize(model)
    expect(server.stats().calls.show).toBe(2)
  })

  it("does not show the credentials of its address", async () => {
    const baseUrl = (await deadUrl()).replace("//", "//me:secret@")
    await expect(topicModel({ baseUrl }).check(signal)).rejects.toThrow(/^Ollama at http:\/\/127/)
  })

  it("makes only one call wait for the timeout", async () => {
    const release = server.hold("summary")
    const late = summarize(topicModel({ timeoutMs: 100 }))
    await expect(late).rejects.toMatchObject({
      code: "unavailable",
      retry: "retry",
      message: expect.stringMatching(/no answer within 0\.1 s.*SERVICE_MODEL_TIMEOUT_S/),
    })
    release()
  })

  it("never makes release fail", async () => {
    await topicModel({ baseUrl: await deadUrl() }).release()
    await topicModel({ model: "mistral-x" }).release()
  })

  it("fails with the server's message for status 500, and is retried", async () => {
    server.fail(500, 1)
    const model = topicModel()
    await expect(summarize(model)).rejects.toMatchObject({
      retry: "retry",
      message: expect.stringContaining("llama runner process has terminated"),
    })
    await summarize(model)
  })

  it("is distinguished from a server that is not Ollama", async () => {
    for (const [status, type, body] of [
      [404, "text/html", "<h1>Not Found</h1>"],
      [200, "text/html", "<h1>Welcome</h1>"],
    ] as const) {
      const other = await startOtherServer(status, type, body)
      await expect(topicModel({ baseUrl: other.url }).check(signal)).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringContaining("SERVICE_OLLAMA_BASE_URL"),
      })
      await other.close()
    }
  })
})

describe("an unusable answer", () => {
  it("is sent back to the model once, and the second answer counts", async () => {
    server.garble(1)
    expect(await boundaries(topicModel())).not.toHaveLength(0)
    const [first, second] = chats()
    expect(chats()).toHaveLength(2)
    const added = second!.body.messages!.slice(first!.body.messages!.length)
    expect(added.map((m) => m.role)).toEqual(["assistant", "user"])
    expect(added[0]!.content).toBe('{"topics": [{"s": "00:')
    expect(added[1]!.content).toContain("It is not valid JSON.")
    expect(second!.body.options?.num_ctx).toBe(8192)
  })

  it.each([
    ['{"topics": []}', "topics"],
    ['{"topics": [{"s": "soon", "e": "later"}]}', "is a time of the stretch"],
    ['{"topics": [{"s": "90:00", "e": "95:00"}]}', "is a time of the stretch"],
    ["[]", "the answer"],
  ])("may be well-formed nonsense: %s", async (content, problem) => {
    server.queueAnswers(content)
    await boundaries(topicModel())
    expect(chats()[1]!.body.messages!.at(-1)!.content).toContain(problem)
  })

  it("may be an empty title", async () => {
    server.queueAnswers('{"title": " ", "summary": "Something."}')
    expect((await summarize(topicModel())).title).not.toBe("")
    expect(chats()[1]!.body.messages!.at(-1)!.content).toContain("The title is empty.")
  })

  it("is an error the second time", async () => {
    server.garble(1000)
    await expect(boundaries(topicModel())).rejects.toMatchObject({
      code: "unavailable",
      retry: "retry",
      message: expect.stringMatching(/'gemma4:latest' gave no usable answer when asked for boundaries, twice.*JSON/),
    })
    expect(chats()).toHaveLength(2)
  })

  it("is truncated if it is only too long", async () => {
    server.queueAnswers(JSON.stringify({ title: "soil ".repeat(50), summary: "One. Two. Three. Four." }))
    const { title, summary } = await summarize(topicModel())
    expect(title).toBe("soil ".repeat(24).trim())
    expect(summary).toBe("One. Two.")
  })
})

describe("probeOllama", () => {
  it("returns the models of a running server", async () => {
    expect(await probeOllama(server.url)).toEqual({
      reachable: true,
      models: ["gemma4:latest", "nomic-embed-text:latest"],
    })
  })

  it("returns false within two seconds for a server that is down, is not Ollama, or hangs", async () => {
    const no = { reachable: false, models: [] }
    expect(await probeOllama(await deadUrl())).toEqual(no)
    const other = await startOtherServer(200, "application/json", '{"hello":"world"}')
    expect(await probeOllama(other.url)).toEqual(no)
    await other.close()
    const hanging = createServer(() => {})
    await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve))
    const before = performance.now()
    expect(await probeOllama(`http://127.0.0.1:${(hanging.address() as AddressInfo).port}`)).toEqual(no)
    expect(performance.now() - before).toBeLessThan(2000)
    hanging.closeAllConnections()
    hanging.close()
  })
})
