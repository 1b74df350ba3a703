import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { type Installation, openInstallation } from "../fixtures/installation.ts"
import { speechWords } from "../fixtures/speech-words.ts"

const manyWords = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ word: `word${i % 997}`, start: i / 10, end: i / 10 + 0.1, speaker: "0" }))
const isRoot = process.getuid?.() === 0

/** Needs root to mount a file system of 12 MB. */
describe.skipIf(!isRoot)("a full disk (a small tmpfs, mounted as root)", () => {
  const disk = mkdtempSync(join(tmpdir(), "earmark-disk-"))
  const data = join(disk, "data")
  const filler = join(disk, "filler")
  let installation: Installation

  beforeAll(async () => {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=12m", "earmark", disk])
    installation = await openInstallation({ SERVICE_LEASE_S: "2", SERVICE_SWEEP_S: "0.5" }, data)
  })
  afterAll(async () => {
    await installation?.close()
    // Until child processes of the workers have ended, they use the disk.
    await vi.waitFor(() => execFileSync("umount", [disk], { stdio: "pipe" }), { timeout: 30_000, interval: 200 })
    rmSync(disk, { recursive: true })
  })

  const fill = () => {
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(filler, Buffer.alloc(bavail * bsize))
  }
  const talk = (name: string) =>
    installation.submit({ source: `https://example.org/${name}`, transcription: speechWords() })

  it("keeps a result until space is freed, says so on the job, and completes other jobs afterwards", async () => {
    const first = await installation.worker()
    await installation.until(await talk("before"), (j) => j.status === "done")
    first.kill("SIGTERM")
    await first.exited

    // Half an hour of words, for which the disk has no space when whisper stores them as a transcript.
    const id = await installation.submit({ source: "https://example.org/long", transcription: manyWords(20_000) })
    fill()
    await installation.worker()
    const waiting = await installation.until(id, (j) => j.progress?.waiting !== undefined)
    expect(waiting.progress).toMatchObject({
      stage: "whisper",
      waiting: { reason: expect.stringMatching(/disk .* is full\. Free some space/) },
    })

    rmSync(filler)
    await installation.until(await talk("after"), (j) => j.status === "done")
    const done = await installation.until(id, (j) => j.status === "done", 60_000)
    expect(done).toMatchObject({ attempts: 1, stage_attempts: { whisper: 1 } })
    expect((await installation.store.clips.get(done.session_id))?.transcription).toHaveLength(20_000)
  })
})
