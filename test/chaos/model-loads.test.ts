import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type Installation, openInstallation } from "../fixtures/installation.ts"
import { type OllamaServer, startOllamaServer } from "../fixtures/ollama-server.ts"
import { speechWords } from "../fixtures/speech-words.ts"

const MODEL = "gemma4:latest"
const EMBED_MODEL = "nomic-embed-text:latest"

describe("model loads and evictions per job", () => {
  let installation: Installation
  let ollama: OllamaServer
  beforeAll(async () => {
    ollama = await startOllamaServer()
    installation = await openInstallation({
      SERVICE_PROVIDER: "ollama",
      SERVICE_OLLAMA_BASE_URL: ollama.url,
      // The end of a stage evicts the model, not the next sweep.
      SERVICE_SWEEP_S: "60",
    })
    await Promise.all([installation.worker(), installation.worker()])
  })
  afterEach(() => {
    ollama.reset()
    ollama.setModels([MODEL, EMBED_MODEL])
  })
  afterAll(async () => {
    await installation.close()
    await ollama.close()
  })

  const submit = (name: string, options: object = {}) =>
    installation.submit({ source: `https://example.org/${name}`, transcription: speechWords(), ...options })
  const untilDone = async (id: string) => {
    const job = await installation.until(id, (j) => j.status === "done" || j.status === "error")
    expect(job.error).toBeUndefined()
  }
  const expectCost = async (loads: number) => {
    await expect.poll(() => ollama.stats().calls.unload, { timeout: 3_000 }).toBeGreaterThan(0)
    expect(ollama.stats()).toMatchObject({ loads: { [MODEL]: loads }, evictions: { [MODEL]: 1 }, calls: { unload: 1 } })
    expect(Object.keys(ollama.stats().resident)).toEqual([EMBED_MODEL])
  }

  it("a job loads and evicts the model once and keeps the embedding model loaded", async () => {
    await untilDone(await submit("one"))
    await expectCost(1)
  })

  it("a job with another num_ctx_l1 loads the model twice and evicts it once", async () => {
    await untilDone(await submit("two", { num_ctx_l1: 16_384 }))
    await expectCost(2)
  })

  it("two overlapping jobs load and evict the model once", async () => {
    const release = ollama.hold({ kind: "boundaries", level: 1 })
    const ids = await Promise.all([submit("first"), submit("second")])
    await ollama.waitUntilHeld(2)
    release()
    await Promise.all(ids.map(untilDone))
    await expectCost(1)
  })

  it("a job whose model is not pulled fails immediately with the documented message", async () => {
    ollama.setModels([EMBED_MODEL])
    const job = await installation.until(await submit("missing"), (j) => j.status === "error")
    expect(job.error?.stage).toBe("l1")
    expect(job.error?.detail).toMatch(/^model not available: 'gemma4:latest' .*ollama pull gemma4:latest/)
    expect(job.stage_attempts.l1).toBe(1)
    expect(ollama.stats().loads).toEqual({})
  })
})
