import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createClient } from "#lib/api/client/index.ts"
import { endService, type Service, startWhole } from "#test/fixtures/service.ts"
import { speechWords } from "#test/fixtures/speech-words.ts"
import { writeTinyGguf } from "#test/fixtures/tiny-gguf.ts"
import { type CountingProxy, startCountingProxy } from "./counting-proxy.ts"
import { type ModelServer, startModelServer } from "./model-server.ts"

/** A token of the model is a character, so that its prompts are longer than those of other models. */
const SLOT_TOKENS = 32_768
const SLOTS = 8
const DIMENSIONS = 64

let dir: string
let chat: ModelServer
let embeddings: ModelServer
let chatProxy: CountingProxy
let embedProxy: CountingProxy
let service: Service
let client: ReturnType<typeof createClient>

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "earmark-servers-"))
  const model = join(dir, "tiny.gguf")
  writeTinyGguf(model)
  ;[chat, embeddings] = await Promise.all([
    startModelServer("llama", model, ["-c", `${SLOT_TOKENS * SLOTS}`, "-np", `${SLOTS}`, "--alias", "tiny"]),
    startModelServer("llama", model, [
      "--embeddings",
      "--pooling",
      "mean",
      "-ub",
      "2048",
      "-b",
      "2048",
      "--alias",
      "tiny-embed",
    ]),
  ])
  ;[chatProxy, embedProxy] = await Promise.all([startCountingProxy(chat.url), startCountingProxy(embeddings.url)])
  service = await startWhole({
    SERVICE_DATA_DIR: dir,
    SERVICE_PROVIDER: "auto",
    SERVICE_OLLAMA_BASE_URL: "http://127.0.0.1:9",
    SERVICE_OPENAI_BASE_URL: chatProxy.url,
    SERVICE_OPENAI_EMBED_BASE_URL: `${embedProxy.url}/v1`,
    SERVICE_MODEL_TIMEOUT_S: "300",
    SERVICE_LOG_LEVEL: "debug",
  })
  client = createClient({ baseUrl: service.url })
})
afterAll(async () => {
  if (service) await endService(service)
  await Promise.all([chatProxy?.close(), embedProxy?.close()])
  await Promise.all([chat?.close(), embeddings?.close()])
  rmSync(dir, { recursive: true, force: true })
})

describe("Earmark with a llama-server", () => {
  it("uses the models that the servers offer", async () => {
    const { choices } = await client.installation()
    expect(choices.provider).toMatchObject({ value: "openai", reason: expect.stringMatching(/^tiny on /) })
    expect(choices.embedder).toMatchObject({ value: "openai", reason: expect.stringMatching(/tiny-embed on /) })
  })

  it("finds, names and places the topics of a recording", async () => {
    const { job_id, session_id } = await client.submit({
      source: "https://example.org/talk",
      title: "A talk",
      transcription: speechWords(),
    })
    const job = await client.wait(job_id)
    expect(job.error).toBeUndefined()
    const clip = await client.clip(session_id)
    expect(clip).toMatchObject({ provider: "openai", llm_model: "tiny", embed_model: "tiny-embed" })
    expect(clip.tree.topics[0]!.children.length).toBeGreaterThan(1)
    const answered = chatProxy.calls.filter(({ path }) => path === "/v1/chat/completions")
    expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([200]))
    const titles = clip.tree.topics[0]!.children.map(({ title }) => title)
    expect(titles.some((title) => /honey/.test(title))).toBe(true)
    const vectors = embedProxy.calls.filter(({ path }) => path === "/v1/embeddings")
    expect(vectors.length).toBeGreaterThan(0)
  })

  it("finds topics again", async () => {
    const { clips } = await client.clips()
    const { job_id } = await client.rerunTopics(clips[0]!.id, { provider: "openai" })
    const job = await client.wait(job_id)
    expect(job.error).toBeUndefined()
    expect((await client.topicRuns(clips[0]!.id)).runs.map(({ provider }) => provider)).toEqual(["openai", "openai"])
  })

  it("places the topics on the map by their vectors, names its regions and searches it", async () => {
    const { data: map } = (await client.vizData())!
    expect(map.points.length).toBeGreaterThan(3)
    for (const { x, y, z } of map.points) expect([x, y, z].every(Number.isFinite)).toBe(true)
    expect(await client.vizSearch({ q: "honey bees" })).not.toHaveLength(0)
  })

  it("answers a question in a stream", async () => {
    let streamed = ""
    let done: { answer: string; provider: string; model: string | null } | undefined
    for await (const event of client.queryStream({ question: "What do honey bees do in winter?" })) {
      if (event.event === "delta") streamed += event.data.text
      if (event.event === "done") done = event.data
    }
    expect(done).toMatchObject({ provider: "openai", model: "tiny" })
    expect(streamed.trim()).toBe(done!.answer)
  })

  it("never has more than eight requests open for a hundred jobs", async () => {
    chatProxy.reset()
    const words = speechWords({ subjects: 1, secondsEach: 40 })
    const submitted = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        client.submit({
          source: `https://example.org/talk-${i}`,
          title: `Talk ${i}`,
          transcription: words,
          max_concurrency: 8,
        }),
      ),
    )
    const jobs = await Promise.all(submitted.map(({ job_id }) => client.wait(job_id)))
    expect(jobs.map(({ error }) => error?.detail).filter(Boolean)).toEqual([])
    expect(chatProxy.peak()).toBeLessThanOrEqual(8)
    expect(chatProxy.calls.length).toBeGreaterThan(300)
  }, 900_000)
})

it("has vectors with as many dimensions as the model", async () => {
  const response = await fetch(`${embedProxy.url}/v1/embeddings`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "tiny-embed", input: ["honey"] }),
  })
  const { data } = (await response.json()) as { data: { embedding: number[] }[] }
  expect(data[0]!.embedding).toHaveLength(DIMENSIONS)
})
