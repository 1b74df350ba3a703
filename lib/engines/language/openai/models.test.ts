import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { listedModel, type OpenAiTestServer, sendJson, startOpenAiServer } from "#test/fixtures/openai-server.ts"
import { chooseModel, createModelRegister, findModel, listModels, type OfferedModel } from "./models.ts"
import type { OpenAiServer } from "./server.ts"
import { resolveBase } from "./server.ts"

const settings = { url: "U", key: "K", model: "SERVICE_LLM_MODEL" }
let server: OpenAiTestServer
const openAi = (use: OpenAiServer["use"] = "language"): OpenAiServer => ({
  use,
  settings,
  base: resolveBase(server.url),
  apiKey: undefined,
  timeoutMs: 2000,
})
beforeAll(async () => {
  server = await startOpenAiServer()
})
afterAll(() => server.close())

const listing = (answers: Readonly<Record<string, object>>) => {
  server.override = ({ path }, response) => {
    if (!(path in answers)) return false
    sendJson(response, 200, answers[path]!)
    return true
  }
}
const offered = (...ids: string[]): OfferedModel[] => ids.map((id) => ({ id, names: [id], context: null }))

describe("resolveBase", () => {
  it.each([
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080/v1"],
    ["http://127.0.0.1:1234/v1/", "http://127.0.0.1:1234/v1"],
    ["https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1"],
    ["https://host/v1beta/openai", "https://host/v1beta/openai"],
    ["http://host/v1/chat/completions", "http://host/v1"],
    ["http://host/llm", "http://host/llm/v1"],
  ])("of %s is %s", (url, base) => {
    expect(resolveBase(url)).toBe(base)
  })
})

describe("the context of a model", () => {
  it.each([
    ["llama.cpp", listedModel("m"), 8192],
    ["vLLM", { id: "m", owned_by: "vllm", max_model_len: 4096 }, 4096],
    ["OpenRouter", { id: "m", context_length: 32_000 }, 32_000],
    ["Groq", { id: "m", context_window: 16_000 }, 16_000],
    ["OpenAI", { id: "m", owned_by: "openai" }, null],
    ["a server with a wrong number", { id: "m", max_model_len: "many" }, null],
  ])("is read from the list of %s", async (_, model, context) => {
    listing({ "/v1/models": { data: [model] } })
    expect(await listModels(openAi())).toMatchObject([{ id: "m", context }])
  })

  it("is read from the properties of an older llama.cpp", async () => {
    listing({
      "/v1/models": { data: [listedModel("m", { meta: { n_ctx_train: 8 } })] },
      "/props": { default_generation_settings: { n_ctx: 5000 } },
    })
    expect(await listModels(openAi())).toMatchObject([{ context: 5000 }])
  })

  it("is read from LM Studio's own list, where it is known while the model is loaded", async () => {
    const ids = ["a", "b"].map((id) => ({ id, owned_by: "organization_owner" }))
    listing({
      "/v1/models": { data: ids },
      "/api/v0/models": { data: [{ id: "a", loaded_context_length: 4096, max_context_length: 99_999 }] },
    })
    expect(await listModels(openAi())).toMatchObject([
      { id: "a", context: 4096 },
      { id: "b", context: null },
    ])
  })
})

describe("a model", () => {
  it("is found by its ID, an alias, its file, and without the tag latest or a variant", () => {
    const [model] = [
      { id: "/models/Qwen3-4B.gguf", names: ["/models/Qwen3-4B.gguf", "qwen", "Qwen3-4B"], context: null },
    ]
    for (const name of ["/models/Qwen3-4B.gguf", "QWEN", "qwen3-4b", "qwen:latest"])
      expect(findModel([model], name)).toBe(model)
    expect(findModel(offered("gemma4:latest"), "gemma4")?.id).toBe("gemma4:latest")
    expect(findModel(offered("meta/llama"), "meta/llama:free")?.id).toBe("meta/llama")
    expect(findModel(offered("gemma4:latest"), "gemma4:27b")).toBeUndefined()
  })

  it("is chosen if it is the default or the only one of its kind", () => {
    expect(chooseModel(openAi(), offered("a", "gemma4:latest"), "gemma4:latest")).toBe("gemma4:latest")
    expect(chooseModel(openAi(), offered("qwen3", "text-embedding-nomic"), "none")).toBe("qwen3")
    expect(chooseModel(openAi("embedding"), offered("qwen3", "text-embedding-nomic"), "none")).toBe(
      "text-embedding-nomic",
    )
    expect(chooseModel(openAi("embedding"), offered("tiny"), "none")).toBe("tiny")
  })

  it.each([
    [offered("a", "b", "c", "d", "e", "f"), /offers several models: 'a', .*'e' and 1 more\. Set SERVICE_LLM_MODEL/],
    [[], /offers no model/],
    [null, /has no list of models\. Set SERVICE_LLM_MODEL/],
  ])("must be set otherwise", (models, message) => {
    expect(() => chooseModel(openAi(), models, "none")).toThrow(message)
  })
})

describe("the register of models", () => {
  it("reads the list once a minute, and again after a failure", async () => {
    let time = 0
    const register = createModelRegister(openAi(), () => time)
    server.reset()
    server.override = (_, response) => {
      sendJson(response, 400, { error: { message: "no" } })
      return true
    }
    await expect(register.require("tiny", undefined)).rejects.toThrow(/HTTP 400/)
    server.reset()
    await Promise.all([register.require("tiny", undefined), register.require("tiny", undefined)])
    expect(server.calls).toHaveLength(1)
    time = 60_000
    await register.require("tiny", undefined)
    expect(server.calls).toHaveLength(2)
  })

  it("accepts every model of a server without a list", async () => {
    server.reset()
    server.override = (_, response) => {
      sendJson(response, 404, { error: { message: "File Not Found" } })
      return true
    }
    expect(await createModelRegister(openAi()).require("anything", undefined)).toBeNull()
  })

  it("does not make an aborted caller wait", async () => {
    server.reset()
    server.override = () => true
    const abort = new AbortController()
    const waiting = createModelRegister(openAi()).require("tiny", abort.signal)
    abort.abort(new Error("cancelled"))
    await expect(waiting).rejects.toThrow("cancelled")
  })
})
