import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type Installation, openInstallation } from "../fixtures/installation.ts"
import { type OllamaServer, startOllamaServer } from "../fixtures/ollama-server.ts"
import { speechWords } from "../fixtures/speech-words.ts"

describe("a worker that receives a signal", () => {
  let installation: Installation
  let ollama: OllamaServer
  beforeAll(async () => {
    ollama = await startOllamaServer()
    // The lease outlives the test, so a worker that takes over did not wait for it to expire.
    installation = await openInstallation({
      SERVICE_PROVIDER: "ollama",
      SERVICE_OLLAMA_BASE_URL: ollama.url,
      SERVICE_LEASE_S: "120",
    })
  })
  afterEach(() => ollama.reset())
  afterAll(async () => {
    await installation.close()
    await ollama.close()
  })

  const holdDecide = async (name: string) => {
    const release = ollama.hold({ kind: "decide" })
    const id = await installation.submit({ source: `https://example.org/${name}`, transcription: speechWords() })
    await ollama.waitUntilHeld()
    return { id, release }
  }

  it("finishes a short stage on SIGTERM and queues its successors", async () => {
    const worker = await installation.worker()
    const { id, release } = await holdDecide("moment")
    worker.kill("SIGTERM")
    await sleep(300)
    release()
    expect(await worker.exited).toEqual([0, null])
    const job = await installation.job(id)
    expect(job.stages.decide).toBe("done")
    expect(job.stage_attempts.decide).toBe(1)

    await installation.worker()
    await installation.until(id, (j) => j.status === "done")
  })

  it("requeues a longer stage after the drain timeout, and another worker claims it immediately", async () => {
    const [, worker] = installation.workers
    const { id, release } = await holdDecide("longer")
    const killedAt = Date.now()
    worker!.kill("SIGTERM")
    expect(await worker!.exited).toEqual([0, null])
    expect(Date.now() - killedAt).toBeLessThan(11_000)
    expect((await installation.job(id)).stages.decide).toBe("queued")
    release()
    await installation.worker()
    const job = await installation.until(id, (j) => j.status === "done" || j.status === "error")
    expect(job.error).toBeUndefined()
    expect(job.stage_attempts).toMatchObject({ whisper: 1, l1: 1, decide: 2, l2: 1 })
  })

  it("exits immediately with code 1 on a second signal", async () => {
    const worker = installation.workers.at(-1)!
    await holdDecide("impatient")
    worker.kill("SIGINT")
    await sleep(200)
    worker.kill("SIGINT")
    expect(await worker.exited).toEqual([1, null])
  })
})
