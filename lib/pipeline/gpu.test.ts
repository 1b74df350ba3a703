import { expect, it } from "vitest"
import { recordLog } from "#test/fixtures/recorded-log.ts"
import { AppError } from "../domain/errors.ts"
import { createLogger } from "../platform/logger.ts"
import { createGpuSlot } from "./gpu.ts"

const claim = { jobId: "j", stage: "whisper", attempt: 1, tries: 1, owner: "o" } as const
const unavailable = new AppError("unavailable", "the database does not answer")

const slotOn = (
  resources: Parameters<typeof createGpuSlot>[0]["resources"],
  over: Partial<Parameters<typeof createGpuSlot>[0]> = {},
) =>
  createGpuSlot({
    resources,
    claim,
    gpus: { speech: "host", ollama: "box", openai: "box" },
    signal: new AbortController().signal,
    untimed: (work) => work,
    log: createLogger("silent", "test"),
    ...over,
  })

it("asks for the GPU of its kind of work once, outside the time limit of the stage", async () => {
  const requests: unknown[] = []
  const acquireGpu = async (request: unknown) => requests.push(request) > 0
  const { log, lines } = recordLog()
  let untimed = 0
  const slot = slotOn(
    { acquireGpu, releaseGpu: async () => {} },
    {
      log,
      untimed: (work) => {
        untimed++
        return work
      },
    },
  )
  await Promise.all([slot.acquire("ollama"), slot.acquire("ollama")])
  await slot.acquire("ollama")
  expect(requests).toEqual([{ claim, gpu: "box", kind: "llm", turnMs: 60_000, lingerMs: 2_000 }])
  expect([untimed, lines]).toEqual([1, []])
})

it("logs once that it waits, and how long it took", async () => {
  const answers = [false, false, true]
  const { log, lines } = recordLog()
  await slotOn({ acquireGpu: async () => answers.shift()!, releaseGpu: async () => {} }, { log }).acquire("speech")
  const place = { gpu: "host", kind: "whisper" }
  expect(lines).toEqual([
    { level: "info", ...place, msg: "waiting for the GPU" },
    { level: "info", ...place, ms: expect.any(Number), msg: "acquired the GPU" },
  ])
  expect(lines[1]!.ms).toBeGreaterThanOrEqual(490)
  expect(lines[1]!.ms).toBeLessThan(60_000)
})

it("neither asks for a GPU that is shared, nor releases one that it did not ask for", async () => {
  const unused = () => Promise.reject(new Error("not asked"))
  const shared = slotOn({ acquireGpu: unused, releaseGpu: unused }, { gpus: null })
  await shared.acquire("ollama")
  await shared.release()
  await slotOn({ acquireGpu: unused, releaseGpu: unused }).release()
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
  const slot = slotOn({ acquireGpu, releaseGpu: async () => {} }, { signal: AbortSignal.timeout(20) })
  await expect(slot.acquire("speech")).rejects.toThrow(/abort/)
})

it("does not fail the stage if the GPU cannot be released", async () => {
  const { log, lines } = recordLog()
  const slot = slotOn({ acquireGpu: async () => true, releaseGpu: () => Promise.reject(unavailable) }, { log })
  await slot.acquire("speech")
  await expect(slot.release()).resolves.toBeUndefined()
  expect(lines).toEqual([{ level: "warn", detail: "the database does not answer", msg: "failed to release the GPU" }])
})
