import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { STAGE_NAMES, type StageName } from "#lib/domain/jobs/stages.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { HELD_CALL, type HeldStage } from "../fixtures/held-calls.ts"
import { type Installation, openInstallation } from "../fixtures/installation.ts"
import { type OllamaServer, startOllamaServer } from "../fixtures/ollama-server.ts"
import { speechWords } from "../fixtures/speech-words.ts"

const LEASE_MS = 2_000
const SWEEP_MS = 500
/** For the relay, the queue and a busy machine. */
const MARGIN_MS = 1_500

/** The stage of the parallel branch that must have ended before the kill, so that only one stage is in flight. */
const OTHER_BRANCH: Partial<Record<StageName, StageName>> = {
  decide: "summarize_l1",
  l2: "summarize_l1",
  summarize_l2: "summarize_l1",
  summarize_l1: "summarize_l2",
}

describe("kill -9 of the worker that runs a stage", () => {
  let installation: Installation
  let ollama: OllamaServer
  beforeAll(async () => {
    ollama = await startOllamaServer()
    installation = await openInstallation({
      SERVICE_PROVIDER: "ollama",
      SERVICE_OLLAMA_BASE_URL: ollama.url,
      SERVICE_LEASE_S: String(LEASE_MS / 1000),
      SERVICE_HEARTBEAT_S: "0.5",
      SERVICE_SWEEP_S: String(SWEEP_MS / 1000),
    })
    await Promise.all([installation.worker(), installation.worker()])
  })
  afterEach(() => ollama.reset())
  afterAll(async () => {
    await installation.close()
    await ollama.close()
  })

  /** Kills the worker that runs `stage` and starts another. @returns the ms until the stage was claimed again */
  const killIn = async (id: string, stage: StageName, release: () => void): Promise<number> => {
    const other = OTHER_BRANCH[stage]
    await installation.until(id, (j) => j.stages[stage] === "running" && (!other || j.stages[other] === "done"), 90_000)
    if (stage === "whisper") await installation.until(id, (j) => (j.progress?.done ?? 0) > 0, 60_000)
    else await ollama.waitUntilHeld()
    const killedAt = Date.now()
    const victim = installation.runnerOf(id, stage)
    victim.kill("SIGKILL")
    expect(await victim.exited).toEqual([null, "SIGKILL"])
    await installation.until(id, (j) => j.stage_attempts[stage] === 2)
    const recoveredAfter = Date.now() - killedAt
    release()
    await installation.worker()
    return recoveredAfter
  }

  const expectOneRepeatedStage = async (id: string, killed: StageName): Promise<void> => {
    const job = await installation.until(id, (j) => j.status === "done" || j.status === "error", 120_000)
    expect(job.error).toBeUndefined()
    expect(job.stage_attempts).toEqual(Object.fromEntries(STAGE_NAMES.map((s) => [s, s === killed ? 2 : 1])))
    expect((await installation.store.clips.get(job.session_id))!.topics.length).toBeGreaterThan(4)
  }

  for (const [stage, held] of Object.entries(HELD_CALL) as [HeldStage, (typeof HELD_CALL)[HeldStage]][])
    it(`${stage}: another worker takes over, and finished stages do not run again`, async () => {
      const release = ollama.hold(held)
      const id = await installation.submit({ source: `https://example.org/${stage}`, transcription: speechWords() })
      const recoveredAfter = await killIn(id, stage, release)
      expect(recoveredAfter).toBeLessThan(LEASE_MS + SWEEP_MS + MARGIN_MS)
      await expectOneRepeatedStage(id, stage)
    })

  it("whisper: another worker transcribes a real recording from its start", async () => {
    const recording = join(installation.dir, "recording.flac")
    const sample = join(packageRoot(), "public/samples/three-subjects.flac")
    execFileSync("ffmpeg", ["-v", "error", "-t", "25", "-i", sample, recording])
    const id = await installation.submit({ source: recording })
    const recoveredAfter = await killIn(id, "whisper", () => {})
    expect(recoveredAfter).toBeLessThan(LEASE_MS + SWEEP_MS + MARGIN_MS)
    const job = await installation.until(id, (j) => j.status === "done" || j.status === "error", 150_000)
    expect(job.error).toBeUndefined()
    expect(job.stage_attempts).toEqual(Object.fromEntries(STAGE_NAMES.map((s) => [s, s === "whisper" ? 2 : 1])))
  })
})
