import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type OllamaServer, startOllamaServer } from "#test/fixtures/ollama-server.ts"
import { listedModel, type OpenAiTestServer, sendError, startOpenAiServer } from "#test/fixtures/openai-server.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { listEngines } from "./engine-options.ts"
import { testEngine } from "./engine-tests.ts"

const KEY = "secret-key"

let ollama: OllamaServer
let openai: OpenAiTestServer
let node: TestNode
beforeEach(async () => {
  ollama = await startOllamaServer({ models: ["gemma4"] })
  openai = await startOpenAiServer({ models: [listedModel("qwen3"), listedModel("bge-m3")], apiKey: KEY })
  node = await openTestNode({
    SERVICE_OLLAMA_BASE_URL: ollama.url,
    SERVICE_OPENAI_BASE_URL: openai.url,
    SERVICE_OPENAI_API_KEY: KEY,
    SERVICE_PROVIDER: "auto",
  })
})
afterEach(async () => {
  await node.end()
  await Promise.all([ollama.close(), openai.close()])
})

const optionsOf = async (kind: string) => (await listEngines(node)).find((group) => group.kind === kind)!
const optionOf = async (kind: string, value: string) =>
  (await optionsOf(kind)).options.find((option) => option.value === value)!

describe("listEngines", () => {
  it("tells which engines can run, with which model, and what others lack", async () => {
    expect(await optionOf("provider", "ollama")).toMatchObject({
      state: "ready",
      detail: `gemma4:latest on ${ollama.url}`,
      bytes: 5e9,
      sends_to: null,
    })
    expect(await optionOf("provider", "openai")).toMatchObject({
      state: "ready",
      detail: expect.stringMatching(/^qwen3 on/),
    })
    expect(await optionOf("embedder", "ollama")).toMatchObject({
      state: "unavailable",
      detail: expect.stringMatching(/nomic-embed-text is not pulled.*npx earmark models pull nomic-embed-text$/),
    })
    expect(await optionOf("embedder", "multilingual-e5-small")).toMatchObject({
      state: "unavailable",
      bytes: expect.any(Number),
    })
    expect(await optionOf("embedder", "builtin")).toMatchObject({ state: "ready", bytes: 0 })
    expect((await optionsOf("speech")).options.map(({ value }) => value)).toEqual(["openai", "sherpa", "pocketsphinx"])
  })

  it("names the setting that determines an engine, and the machine that gets text", async () => {
    const config = {
      ...node.config,
      models: { ...node.config.models, provider: "ollama" as const, ollamaUrl: "http://gpu.example:9" },
    }
    const [provider, embedder] = await listEngines({ ...node, config })
    expect([provider!.setting, embedder!.setting]).toEqual(["SERVICE_PROVIDER", null])
    expect(provider!.options.find(({ value }) => value === "ollama")).toMatchObject({
      state: "unavailable",
      sends_to: "gpu.example:9",
    })
  })
})

describe("testEngine", () => {
  it("writes a title with a language model", async () => {
    expect(await testEngine(node, "provider", "ollama")).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^Wrote the title “.+” for a sample with gemma4:latest\.$/),
    })
    expect(await testEngine(node, "provider", "builtin")).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/^Wrote the title “.*”/),
    })
  })

  it("reports a model that gives no usable answer, although the builtin engine takes over", async () => {
    ollama.garble(9)
    expect(await testEngine(node, "provider", "ollama")).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/^The model gemma4:latest gave no usable answer/),
    })
  })

  it("compares sentences with an embedder", async () => {
    expect(await testEngine(node, "embedder", "openai")).toMatchObject({
      detail: expect.stringMatching(/64 dimensions/),
    })
    expect(await testEngine(node, "embedder", "builtin")).toMatchObject({
      ok: true,
      detail: expect.stringMatching(/words with 768 dim/),
    })
  })

  it("says what is wrong with a server, without its key", async () => {
    openai.override = ({ authorization }, response) => {
      sendError(response, 401, `Incorrect API key provided: ${authorization}`)
      return true
    }
    const result = await testEngine(node, "provider", "openai")
    expect(result).toMatchObject({ ok: false, detail: expect.stringMatching(/rejected the API key/) })
    expect(JSON.stringify(result)).not.toContain(KEY)
    await ollama.close()
    expect(await testEngine(node, "provider", "ollama")).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/cannot be reached/),
    })
  })

  it("runs one test at a time for an engine", async () => {
    const release = ollama.hold(() => true)
    const both = [testEngine(node, "provider", "ollama"), testEngine(node, "provider", "ollama")]
    await ollama.waitUntilHeld(1)
    release()
    const [first, second] = await Promise.all(both)
    expect(second).toBe(first)
  })

  it("rejects unknown engines", async () => {
    await expect(testEngine(node, "provider", "sherpa")).rejects.toMatchObject({ code: "invalid" })
    await expect(testEngine(node, "embedder", "nothing")).rejects.toMatchObject({ code: "invalid" })
  })

  it("says why a speech engine cannot run", async () => {
    expect(await testEngine(node, "speech", "openai")).toMatchObject({
      ok: false,
      detail: expect.stringMatching(/SERVICE_SPEECH_URL/),
    })
  })
})
