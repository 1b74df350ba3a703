import { createServer, type RequestListener } from "node:http"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type OllamaServer, startOllamaServer } from "#test/fixtures/ollama-server.ts"
import { listen } from "#test/fixtures/web.ts"
import { listPulledModels } from "./models.ts"
import { pullOllamaModel } from "./pull.ts"

let server: OllamaServer
beforeEach(async () => {
  server = await startOllamaServer({ models: ["bge-m3"], registry: { "gemma4:latest": [8_000_000, 2_000_000] } })
})
afterEach(() => server.close())

const pull = (model: string, more: Partial<Parameters<typeof pullOllamaModel>[0]> = {}) => {
  const progress: string[] = []
  const done = pullOllamaModel({
    baseUrl: server.url,
    model,
    signal: new AbortController().signal,
    progress: (bytes, total) => progress.push(`${bytes / 1e6}/${total / 1e6}`),
    ...more,
  })
  return { done, progress }
}

/** Starts a server that answers every request in the same way. */
const withServer = async (answer: RequestListener, use: (baseUrl: string) => Promise<void>): Promise<void> => {
  const other = createServer(answer)
  try {
    await use(await listen(other))
  } finally {
    other.closeAllConnections()
    other.close()
  }
}

describe("pullOllamaModel", () => {
  it("pulls a model, and reports the bytes of all layers", async () => {
    const { done, progress } = pull("gemma4")
    await done
    expect(progress[0]).toBe("0/8")
    expect(progress).toContain("8/8")
    expect(progress.at(-1)).toBe("10/10")
    expect(await listPulledModels({ baseUrl: server.url, timeoutMs: 1000 })).toEqual([
      { name: "bge-m3:latest", use: "embedding", bytes: 5e9 },
      { name: "gemma4:latest", use: "language", bytes: 5e9 },
    ])
  })

  it("says that a model does not exist", async () => {
    await expect(pull("gema4").done).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringMatching(
        /finds no model 'gema4' \(pull model manifest: file does not exist\)\. See ollama/,
      ),
    })
  })

  it("says why the server failed, and that another pull continues", async () => {
    server.fail(500, 1)
    await expect(pull("gemma4").done).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/couldn't pull 'gemma4' \(max retries exceeded.*\)\. Pull it again to continue/),
    })
  })

  it("stops with the reason of the signal, also while the server is silent", async () => {
    server.hold("pull")
    const stop = new AbortController()
    const { done } = pull("gemma4", { signal: stop.signal })
    await server.waitUntilHeld()
    stop.abort(new Error("stopped"))
    await expect(done).rejects.toThrow("stopped")
  })

  it("fails after a time without progress", async () => {
    server.hold("pull")
    await expect(pull("gemma4", { idleMs: 200 }).done).rejects.toThrow(
      /sent no progress for 0.2 s while it pulled 'gemma4'/,
    )
  })

  it.each<[string, RequestListener, RegExp]>([
    ["a web page", (_, response) => void response.end("<html>"), /sent a response that is not JSON/],
    ["a missing page", (_, response) => void response.writeHead(404).end("nothing"), /is not Ollama \(HTTP 404\)/],
    ["half an answer", (_, response) => void response.end('{"status":"pulling manifest"}\n'), /cannot be reached/],
    [
      "a lost connection",
      (_, response) => {
        response.write('{"status":"pulling manifest"}\n', () => response.destroy())
      },
      /cannot be reached/,
    ],
  ])("explains %s", async (_, answer, message) => {
    await withServer(answer, (baseUrl) => expect(pull("gemma4", { baseUrl }).done).rejects.toThrow(message))
  })
})
