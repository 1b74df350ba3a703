import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { childrenNamed, request, SAMPLE, sphinx, until } from "./helpers.ts"

const PROGRAM = "pocketsphinx_continuous"
let temp: string
const originalTmpdir = process.env.TMPDIR

describe("the PocketSphinx process pool", () => {
  beforeAll(() => {
    temp = mkdtempSync(join(tmpdir(), "earmark-supervision-"))
    process.env.TMPDIR = temp
  })
  afterAll(() => {
    if (originalTmpdir === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = originalTmpdir
    rmSync(temp, { recursive: true })
  })
  beforeEach(() => {
    expect([childrenNamed(PROGRAM), childrenNamed("ffmpeg"), readdirSync(temp)]).toEqual([[], [], []])
  })

  const nothingIsLeft = (): void => {
    expect([childrenNamed(PROGRAM), childrenNamed("ffmpeg"), readdirSync(temp)]).toEqual([[], [], []])
  }

  it("stops immediately when aborted, and leaves no process and no file", async () => {
    const abort = new AbortController()
    const running = sphinx().transcribe(request(SAMPLE, { signal: abort.signal }))
    running.catch(() => {})
    await until(() => childrenNamed(PROGRAM).length > 0)
    const reason = new Error("cancelled by the caller")
    const abortedAt = performance.now()
    abort.abort(reason)
    await expect(running).rejects.toBe(reason)
    expect(performance.now() - abortedAt).toBeLessThan(2000)
    nothingIsLeft()
  })

  it("does not start for a request that is already aborted", async () => {
    const signal = AbortSignal.abort(new Error("too late"))
    await expect(sphinx().transcribe(request(SAMPLE, { signal }))).rejects.toThrow("too late")
    nothingIsLeft()
  })

  it("turns a killed child into a retryable error and stops the other children", async () => {
    const running = sphinx().transcribe(request(SAMPLE))
    running.catch(() => {})
    await until(() => childrenNamed(PROGRAM).length > 0)
    process.kill(childrenNamed(PROGRAM).at(-1)!, "SIGKILL")
    const killed = performance.now()
    await expect(running).rejects.toMatchObject({
      code: "unavailable",
      retry: "retry",
      message: expect.stringMatching(/PocketSphinx stopped \(signal SIGKILL\)/),
    })
    expect(performance.now() - killed).toBeLessThan(2000)
    nothingIsLeft()
  })

  it("does not blame the file when the decoder is killed", async () => {
    const abort = new AbortController()
    const running = sphinx().transcribe(request(SAMPLE, { signal: abort.signal }))
    running.catch(() => {})
    await until(() => childrenNamed(PROGRAM).length > 0)
    for (const pid of childrenNamed("ffmpeg")) process.kill(pid, "SIGKILL")
    await expect(running).rejects.toMatchObject({ code: "unavailable", retry: "retry" })
    nothingIsLeft()
  })

  it("stops its children when the engine is closed", async () => {
    const engine = sphinx()
    const running = engine.transcribe(request(SAMPLE))
    running.catch(() => {})
    await until(() => childrenNamed(PROGRAM).length > 0)
    await engine.close()
    await expect(running).rejects.toMatchObject({ code: "unavailable", retry: "later" })
    nothingIsLeft()
  })
})
