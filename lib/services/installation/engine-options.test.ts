import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type OllamaServer, startOllamaServer } from "#test/fixtures/ollama-server.ts"
import { listedModel, type OpenAiTestServer, sendError, startOpenAiServer } from "#test/fixtures/openai-server.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { setEngineChoice } from "./engine-choices.ts"
import { listEngines } from "./engine-options.ts"
import { testEngine } from "./engine-tests.ts"
import { listModelServers } from "./model-servers.ts"

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

  it("lists the models of a server, and names the one that is chosen", async () => {
    expect(await optionOf("provider", "openai")).toMatchObject({ models: ["qwen3"] })
    expect(await optionOf("embedder", "openai")).toMatchObject({ models: ["bge-m3"] })
    await ollama.close()
    ollama = await startOllamaServer({ models: ["gemma4", "qwen3:8b"] })
    const config = { ...node.config, models: { ...node.config.models, ollamaUrl: ollama.url } }
    const deps = { ...node, config }
    const { value } = await setEngineChoice(deps, { kind: "provider", value: "ollama/qwen3:8b" })
    expect(value).toBe("ollama/qwen3:8b")
    const [provider] = await listEngines(deps)
    expect(provider!.chosen!.value).toBe("ollama/qwen3:8b")
    expect(provider!.options.find((option) => option.value === "ollama")).toMatchObject({
      state: "ready",
      detail: `qwen3:8b on ${ollama.url}`,
      models: expect.arrayContaining(["qwen3:8b"]),
    })
    const topics = (options: { llm_model?: string }) => node.engines.getTopicModel({ provider: "auto", ...options })
    expect([(await topics({})).model, (await topics({ llm_model: "gemma4" })).model]).toEqual(["qwen3:8b", "gemma4"])
    const [server] = await listModelServers(deps)
    expect(server!.models.filter(({ in_use }) => in_use).map(({ name }) => name)).toEqual(["qwen3:8b"])
  })

  it("refuses a model that the server does not have", async () => {
    const choose = (kind: string, value: string) => setEngineChoice(node, { kind, value, isDryRun: true })
    await expect(choose("provider", "ollama/llama9")).rejects.toThrow(
      /llama9 is not pulled.*earmark models pull llama9/,
    )
    await expect(choose("provider", "openai/llama9")).rejects.toThrow(/llama9/)
    await expect(choose("provider", "ollama/")).rejects.toMatchObject({ code: "invalid" })
    await expect(choose("embedder", "builtin/x")).rejects.toMatchObject({ code: "invalid" })
    await expect(choose("speech", "openai/x")).rejects.toMatchObject({ code: "invalid" })
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
