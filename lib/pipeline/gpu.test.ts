import { expect, it } from "vitest"
import { AppError } from "../domain/errors.ts"
import { createLogger } from "../platform/logger.ts"
import { createGpuSlot } from "./gpu.ts"

const claim = { jobId: "j", stage: "whisper", attempt: 1, tries: 1, owner: "o" } as const
const unavailable = new AppError("unavailable", "the database does not answer")

const slotOn = (resources: Parameters<typeof createGpuSlot>[0]["resources"], signal = new AbortController().signal) =>
  createGpuSlot({
    resources,
    claim,
    gpus: { speech: "host", ollama: "host", openai: "host" },
    signal,
    untimed: (work) => work,
    log: createLogger("silent", "test"),
  })

it("keeps waiting for the GPU while the store is unavailable", async () => {
  const answers = [false, unavailable, true]
  const acquireGpu = async () => {
    const answer = answers.shift()!
    if (answer instanceof Error) throw answer
    return answer
  }
  await slotOn({ acquireGpu, releaseGpu: async () => {} }).acquire("speech")
  expect(answers).toEqual([])
})

it("stops waiting for an unavailable store when the stage is aborted", async () => {
  const acquireGpu = () => Promise.reject(unavailable)
  const slot = slotOn({ acquireGpu, releaseGpu: async () => {} }, AbortSignal.timeout(20))
  await expect(slot.acquire("speech")).rejects.toThrow(/abort/)
})

it("does not fail the stage if the GPU cannot be released", async () => {
  const slot = slotOn({ acquireGpu: async () => true, releaseGpu: () => Promise.reject(unavailable) })
  await slot.acquire("speech")
  await expect(slot.release()).resolves.toBeUndefined()
})
