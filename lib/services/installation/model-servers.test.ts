import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type OllamaServer, startOllamaServer } from "#test/fixtures/ollama-server.ts"
import { listedModel, type OpenAiTestServer, sendError, startOpenAiServer } from "#test/fixtures/openai-server.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { listModelServers } from "./model-servers.ts"
import { pullModel } from "./speech-models.ts"

let ollama: OllamaServer
let openai: OpenAiTestServer
let node: TestNode | undefined
beforeEach(async () => {
  ollama = await startOllamaServer({ models: ["nomic-embed-text"], registry: { gemma4: [8_000_000] } })
  openai = await startOpenAiServer({ models: [listedModel("qwen3"), listedModel("bge-m3")], apiKey: "secret-key" })
})
afterEach(async () => {
  await node?.end()
  await Promise.all([ollama.close(), openai.close()])
})

const open = async (env: Record<string, string> = {}): Promise<TestNode> => {
  node = await openTestNode({ SERVICE_OLLAMA_BASE_URL: ollama.url, SERVICE_MODELS_OFFLINE: "false", ...env })
  return node
}
const openAiEnv = () => ({ SERVICE_OPENAI_BASE_URL: openai.url, SERVICE_OPENAI_API_KEY: "secret-key" })

describe("listModelServers", () => {
  it("lists what Ollama has pulled, and the models of the settings that it lacks", async () => {
    const deps = await open({ SERVICE_PROVIDER: "ollama" })
    await deps.store.installation.setChoice("embedder", { value: "ollama", reason: "test" })
    expect(await listModelServers(deps)).toEqual([
      {
        provider: "ollama",
        uses: ["language", "embedding"],
        url: ollama.url,
        state: "ok",
        can_pull: true,
        models: [
          expect.objectContaining({
            name: "nomic-embed-text:latest",
            use: "embedding",
            state: "present",
            in_use: true,
          }),
          expect.objectContaining({ name: "gemma4:latest", use: "language", state: "absent", in_use: false }),
        ],
      },
    ])
  })

  it("lists an OpenAI-compatible server once, or twice if embeddings have another", async () => {
    const deps = await open({ ...openAiEnv(), SERVICE_PROVIDER: "openai" })
    const [, server, ...rest] = await listModelServers(deps)
    expect(rest).toEqual([])
    expect(server).toMatchObject({ provider: "openai", uses: ["language", "embedding"], state: "ok", can_pull: false })
    expect(server!.models.map(({ name, use, in_use, context }) => [name, use, in_use, context])).toEqual([
      ["bge-m3", "embedding", false, 8192],
      ["qwen3", "language", true, 8192],
    ])
    await deps.end()
    const both = await open({ ...openAiEnv(), SERVICE_OPENAI_EMBED_BASE_URL: "http://127.0.0.1:1/v1" })
    const servers = await listModelServers(both)
    expect(servers.map(({ uses, state }) => [uses, state])).toEqual([
      [["language", "embedding"], "ok"],
      [["language"], "ok"],
      [["embedding"], "down"],
    ])
    expect(servers[2]!.problem).toMatch(/cannot be reached \(ECONNREFUSED\)/)
  })

  it("says what is wrong with a server, without its key", async () => {
    openai.override = ({ authorization }, response) => {
      sendError(response, 401, `Incorrect API key provided: ${authorization}`)
      return true
    }
    await ollama.close()
    const servers = await listModelServers(await open(openAiEnv()))
    expect(servers.map(({ state, can_pull }) => [state, can_pull])).toEqual([
      ["down", false],
      ["down", false],
    ])
    expect(servers[1]!.problem).toMatch(/rejected the API key \(HTTP 401\)/)
    expect(JSON.stringify(servers)).not.toContain("secret-key")
  })
})

describe("pullModel", () => {
  const gemma = async () => (await listModelServers(node!))[0]!.models.find(({ name }) => name === "gemma4:latest")

  it("pulls through Ollama, and the list shows how far it is", async () => {
    const deps = await open()
    const release = ollama.hold("pull")
    expect(await pullModel(deps, "gemma4")).toEqual({ pulling: "gemma4:latest" })
    await ollama.waitUntilHeld()
    await expect.poll(async () => (await gemma())!.fetched_bytes).toBe(4_000_000)
    expect(await gemma()).toMatchObject({ state: "absent", pulling: true, bytes: 8_000_000 })
    expect(await pullModel(deps, "gemma4:latest")).toEqual({ pulling: "gemma4:latest" })
    release()
    await expect.poll(async () => (await gemma())!.state).toBe("present")
    expect(await gemma()).toMatchObject({ pulling: false, fetched_bytes: 0 })
    expect(ollama.requests.filter(({ path }) => path === "/api/pull")).toHaveLength(1)
  })

  it("keeps the reason of a failed pull until the next one", async () => {
    const deps = await open()
    ollama.fail(500, 1)
    await pullModel(deps, "gemma4")
    await expect.poll(async () => (await gemma())!.problem).toBeDefined()
    expect(await gemma()).toMatchObject({ pulling: false, problem: expect.stringMatching(/couldn't pull 'gemma4'/) })
    await pullModel(deps, "gemma4")
    await expect.poll(async () => (await gemma())!.state).toBe("present")
    expect((await gemma())!.problem).toBeUndefined()
  })

  it("rejects a name that Ollama does not know at once", async () => {
    const deps = await open()
    await expect(pullModel(deps, "gema4")).rejects.toMatchObject({ status: 404 })
    await expect(pullModel(deps, "no such name")).rejects.toMatchObject({ status: 404 })
    expect(deps.modelPulls.size).toBe(0)
  })

  it("pulls nothing if downloads are disabled", async () => {
    const deps = await open({ SERVICE_MODELS_OFFLINE: "true" })
    await expect(pullModel(deps, "gemma4")).rejects.toMatchObject({ status: 503 })
    expect(ollama.requests.filter(({ path }) => path === "/api/pull")).toEqual([])
  })
})
