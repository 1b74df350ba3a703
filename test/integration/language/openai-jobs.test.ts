import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type Installation, openInstallation } from "#test/fixtures/installation.ts"
import {
  type OpenAiTestServer,
  type Override,
  sendError,
  sendJson,
  startOpenAiServer,
} from "#test/fixtures/openai-server.ts"
import { speechWords } from "#test/fixtures/speech-words.ts"

const KEY = "sk-very-secret-key"
const CHAT = "/v1/chat/completions"

let server: OpenAiTestServer
let installation: Installation
beforeAll(async () => {
  server = await startOpenAiServer({ apiKey: KEY })
  installation = await openInstallation({
    SERVICE_PROVIDER: "openai",
    SERVICE_OPENAI_BASE_URL: server.url,
    SERVICE_OPENAI_API_KEY: KEY,
    SERVICE_LOG_LEVEL: "trace",
  })
  await installation.worker()
})
afterAll(async () => {
  await installation.close()
  await server.close()
})
beforeEach(() => server.reset())

const run = async (name: string) => {
  const id = await installation.submit({
    source: `https://example.org/${name}`,
    transcription: speechWords({ subjects: 2 }),
    title: name,
  })
  return installation.until(id, (job) => job.status === "done" || job.status === "error", 60_000)
}
const on =
  (path: string, answer: (response: Parameters<Override>[1]) => void): Override =>
  (call, response) => {
    if (call.path !== path) return false
    answer(response)
    return true
  }

describe("a job on an OpenAI-compatible server", () => {
  it("finds, names and embeds the topics, with the models of the server", async () => {
    const job = await run("good")
    expect(job.error).toBeUndefined()
    const clip = await installation.store.clips.get(job.session_id)
    expect(clip).toMatchObject({ provider: "openai", llm_model: "tiny", embed_model: "tiny-embed" })
    expect(clip!.tree.topics[0]!.children.length).toBeGreaterThan(1)
    const hashes = (await installation.store.map.getSnapshot()).topics.map(({ hash }) => hash)
    expect((await installation.store.map.getVectors("tiny-embed", hashes)).size).toBe(new Set(hashes).size)
  })

  it.each<[string, Override, RegExp]>([
    [
      "is a website",
      on(CHAT, (response) => response.writeHead(200, { "content-type": "text/html" }).end("<html></html>")),
      /^The server at .* responded with text\/html instead of JSON, so it is not an OpenAI-compatible server\. Set SERVICE_OPENAI_BASE_URL/,
    ],
    [
      "redirects",
      on(CHAT, (response) => response.writeHead(302, { location: "https://elsewhere.test/" }).end()),
      /redirects to https:\/\/elsewhere\.test\/ \(HTTP 302\)/,
    ],
    [
      "rejects the key",
      on(CHAT, (response) => sendError(response, 401, `Invalid key ${KEY}`)),
      /rejected the API key \(HTTP 401\)\. Check SERVICE_OPENAI_API_KEY\.$/,
    ],
    [
      "loses the model",
      on(CHAT, (response) => sendError(response, 404, "model 'tiny' not found", { type: "not_found_error" })),
      /^model not available: 'tiny'/,
    ],
    [
      "cannot embed",
      on("/v1/embeddings", (response) => sendJson(response, 200, { data: [] })),
      /The embedding model 'tiny-embed' returned 0 vectors for \d+ texts/,
    ],
  ])("ends with one sentence if the server %s, and stores nothing", async (name, override, sentence) => {
    server.override = override
    const job = await run(name.replaceAll(" ", "-"))
    expect(job.status).toBe("error")
    expect(job.error?.detail).toMatch(sentence)
    const { tree, topics } = (await installation.store.clips.get(job.session_id))!
    expect([tree.topics, topics]).toEqual([[], []])
    server.override = undefined
    expect(JSON.stringify([job, installation.workers.map(({ lines }) => lines)])).not.toContain(KEY)
  })
})
