import { describe, expect, it } from "vitest"
import { createLogger } from "../../../platform/logger.ts"
import { startSpeechProcess } from "./process.ts"

const log = createLogger("silent", "test")

describe("the speech process", () => {
  it("is killed with an error if it becomes unresponsive during a call", async () => {
    const child = startSpeechProcess(log, 500)
    process.kill(child.pid!, "SIGSTOP")
    await expect(child.call("begin", { language: "en", terms: [] })).rejects.toMatchObject({
      code: "unavailable",
      retry: "retry",
      message: expect.stringMatching(/no activity for 1 s.*SERVICE_SPEECH_TIMEOUT_S/),
    })
    expect(child.isAlive()).toBe(false)
    await expect.poll(() => isGone(child.pid!), { timeout: 10_000 }).toBe(true)
  })

  it("may be silent for any time without a pending call", async () => {
    const child = startSpeechProcess(log, 15_000)
    await expect(child.call("begin", { language: "en", terms: [] })).rejects.toThrow("the recognizer is not loaded")
    const idle = startSpeechProcess(log, 50)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect([child.isAlive(), idle.isAlive()]).toEqual([true, true])
    for (const one of [child, idle]) one.kill()
  })
})

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}
