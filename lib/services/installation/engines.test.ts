import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type OllamaServer, startOllamaServer } from "#test/fixtures/ollama-server.ts"
import { type OpenAiTestServer, startOpenAiServer } from "#test/fixtures/openai-server.ts"
import { recordLog } from "#test/fixtures/recorded-log.ts"
import { loadConfig } from "../../platform/config/config.ts"
import { createLogger } from "../../platform/logger.ts"
import { createEngines } from "./engines.ts"
import { type Node, openNode } from "./open-node.ts"

const log = createLogger("silent", "test")
const AUTO = { provider: "auto" } as const

describe("createEngines", () => {
  let ollama: OllamaServer
  let dir: string
  const open: Node[] = []
  beforeEach(async () => {
    ollama = await startOllamaServer()
    dir = mkdtempSync(join(tmpdir(), "earmark-engines-"))
  })
  afterEach(async () => {
    for (const node of open.splice(0)) await node.close()
    await ollama.close()
    rmSync(dir, { recursive: true, force: true })
  })

  const config = (env: Record<string, string> = {}) =>
    loadConfig({ SERVICE_DATA_DIR: dir, SERVICE_MODELS_OFFLINE: "true", SERVICE_OLLAMA_BASE_URL: ollama.url, ...env })
  const node = async (env: Record<string, string> = {}) => {
    const opened = await openNode(config(env), log)
    open.push(opened)
    return opened
  }

  it("chooses Ollama if its server has both models, also for every later process", async () => {
    const { engines } = await node()
    expect(await engines.getTopicModel(AUTO)).toMatchObject({ provider: "ollama", model: "gemma4:latest" })
    const chosen = (await engines.getEmbedder()).name
    await ollama.close()

    const later = await node()
    expect((await later.engines.getTopicModel(AUTO)).provider).toBe("ollama")
    expect((await later.engines.getEmbedder()).name).toBe(chosen)
    expect(await later.engines.getChoice("provider")).toMatchObject({
      value: "ollama",
      reason: expect.stringContaining("gemma4:latest is pulled"),
    })
  })

  it.each([
    ["no server", async () => ollama.close(), "no Ollama server answers"],
    ["no language model", async () => ollama.setModels(["nomic-embed-text"]), "gemma4:latest is not pulled"],
  ])("chooses builtin engines for %s, with the reason", async (_, prepare, reason) => {
    await prepare()
    const { engines } = await node()
    expect((await engines.getTopicModel(AUTO)).provider).toBe("builtin")
    expect((await engines.getChoice("provider")).reason).toContain(reason)
    expect((await engines.getChoice("embedder")).value).toBe("builtin")
  })

  describe("with the URL of an OpenAI-compatible server", () => {
    let openai: OpenAiTestServer
    beforeEach(async () => {
      openai = await startOpenAiServer({ apiKey: "sk-secret" })
    })
    afterEach(() => openai.close())
    const settings = (more: Record<string, string> = {}) => ({
      SERVICE_OPENAI_BASE_URL: openai.url,
      SERVICE_OPENAI_API_KEY: "sk-secret",
      ...more,
    })

    it("prefers it to Ollama, and uses the only model of each kind that it offers", async () => {
      const { engines } = await node(settings())
      expect(await engines.getTopicModel(AUTO)).toMatchObject({ provider: "openai", model: "tiny" })
      expect(await engines.getAnswerer()).toMatchObject({ provider: "openai", model: "tiny" })
      expect((await engines.getEmbedder()).name).toBe("tiny-embed")
      expect((await engines.getChoice("provider")).reason).toBe(`tiny on ${openai.url}`)
      expect(JSON.stringify([await engines.getChoice("provider"), await engines.getChoice("embedder")])).not.toContain(
        "sk-",
      )
    })

    it("uses the models that are set", async () => {
      const { engines } = await node(settings({ SERVICE_LLM_MODEL: "tiny-embed", SERVICE_EMBED_MODEL: "tiny" }))
      expect((await engines.getTopicModel(AUTO)).model).toBe("tiny-embed")
      expect((await engines.getEmbedder()).name).toBe("tiny")
    })

    it("uses another provider, with the reason, if the server cannot be used", async () => {
      const { engines } = await node(
        settings({ SERVICE_OPENAI_API_KEY: "sk-wrong", SERVICE_OLLAMA_BASE_URL: "http://127.0.0.1:9" }),
      )
      expect((await engines.getTopicModel(AUTO)).provider).toBe("builtin")
      expect((await engines.getChoice("provider")).reason).toMatch(
        /rejected the API key \(HTTP 401\)\. Check SERVICE_OPENAI_API_KEY/,
      )
    })

    it("does not give the key to an embedding server of another origin", async () => {
      const other = await startOpenAiServer()
      const { engines } = await node(settings({ SERVICE_OPENAI_EMBED_BASE_URL: other.url }))
      await (await engines.getEmbedder()).embed(["soil"], "query")
      expect(other.calls.length).toBeGreaterThan(0)
      expect(other.calls.every(({ authorization }) => authorization === undefined)).toBe(true)
      await other.close()
    })
  })

  it("says what to set if a job asks for a server that is not configured", async () => {
    const { engines } = await node()
    await expect(engines.getTopicModel({ provider: "openai" })).rejects.toThrow(
      /no server\. Set SERVICE_OPENAI_BASE_URL/,
    )
  })

  it("uses builtin embeddings if the server lacks only the embedding model", async () => {
    ollama.setModels(["gemma4:latest"])
    const { engines } = await node()
    expect((await engines.getTopicModel(AUTO)).provider).toBe("ollama")
    expect(await engines.getChoice("embedder")).toMatchObject({
      value: "builtin",
      reason: expect.stringMatching(/nomic/),
    })
  })

  it("uses the provider and model of a job for its topics only", async () => {
    const { engines } = await node()
    expect((await engines.getTopicModel({ provider: "builtin" })).provider).toBe("builtin")
    expect((await engines.getTopicModel({ provider: "auto", llm_model: "other" })).model).toBe("other")
    expect((await engines.getChoice("embedder")).value).toBe("ollama")
  })

  it("follows a setting without recording a choice", async () => {
    const set = await node({ SERVICE_PROVIDER: "builtin" })
    expect((await set.engines.getTopicModel(AUTO)).provider).toBe("builtin")
    expect(await set.engines.getChoice("provider")).toMatchObject({ reason: "set by SERVICE_PROVIDER" })
    expect(await set.store!.installation.listChoices()).toEqual([])
  })

  it("detects an engine once for concurrent calls", async () => {
    const { engines, store } = await node()
    await Promise.all(Array.from({ length: 5 }, () => engines.getTopicModel(AUTO)))
    expect((await store!.installation.listChoices()).map((c) => c.kind)).toEqual(["provider"])
    expect(ollama.requests.filter((r) => r.kind === "tags")).toHaveLength(1)
  })

  it("follows `engines set` while running", async () => {
    const { engines, store } = await node()
    expect((await engines.getTopicModel(AUTO)).provider).toBe("ollama")
    await store!.installation.setChoice("provider", { value: "builtin", reason: "set" })
    expect((await engines.getTopicModel(AUTO)).provider).toBe("builtin")
  })

  it("keeps choices in memory without a store", async () => {
    const engines = createEngines({ config: config(), log, store: null })
    expect((await engines.getTopicModel(AUTO)).provider).toBe("ollama")
    await ollama.close()
    expect((await engines.getTopicModel(AUTO)).provider).toBe("ollama")
    await engines.close()
  })

  it("answers with the provider, embeds with the embedder, and unloads models of Ollama", async () => {
    const own = await node()
    expect([(await own.engines.getAnswerer()).provider, (await own.engines.getEmbedder()).isLexical]).toEqual([
      "ollama",
      false,
    ])
    expect(await own.engines.getTopicModel(AUTO)).toBe(await own.engines.getTopicModel(AUTO))
    await own.engines.releaseModel("gemma4:latest")
    expect(ollama.requests.some((request) => request.kind === "unload")).toBe(true)
    const builtin = createEngines({ config: config({ SERVICE_PROVIDER: "builtin" }), log, store: null })
    expect([(await builtin.getAnswerer()).provider, (await builtin.getEmbedder()).isLexical]).toEqual(["builtin", true])
    expect(await builtin.getChoice("embedder")).toMatchObject({ value: "builtin", reason: "follows the provider" })
    await builtin.close()
  })

  it("keeps the embedding model of Ollama while its server is unreachable", async () => {
    await ollama.close()
    const { engines } = await node({ SERVICE_PROVIDER: "ollama" })
    expect(await engines.getChoice("embedder")).toMatchObject({
      value: "ollama",
      reason: expect.stringMatching(/^follows the provider: nomic-embed-text.* on http/),
    })
  })

  it("logs what it has chosen once", async () => {
    const { log: recorded, lines } = recordLog()
    const engines = createEngines({ config: config(), log: recorded, store: null })
    await engines.getChoice("provider")
    await engines.getChoice("provider")
    expect(lines).toEqual([
      {
        level: "info",
        engine: "ollama",
        reason: expect.stringContaining("is pulled on"),
        msg: "provider chosen for this installation",
      },
    ])
    await engines.close()
  })
})
