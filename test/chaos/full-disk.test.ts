import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Bench, openBench } from "../fixtures/speech-bench.ts"
import { speechWords } from "../fixtures/speech-words.ts"

const manyWords = (n: number) =>
  Array.from({ length: n }, (_, i) => ({ word: `word${i % 997}`, start: i / 10, end: i / 10 + 0.1, speaker: "0" }))
const asRoot = process.getuid?.() === 0

/** A real file system of 12 MB; only root may mount one. */
describe.skipIf(!asRoot)("a full disk (a small tmpfs, mounted as root)", () => {
  const disk = mkdtempSync(join(tmpdir(), "earmark-disk-"))
  const data = join(disk, "data")
  const filler = join(disk, "filler")
  let bench: Bench

  beforeAll(async () => {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=12m", "earmark", disk])
    bench = await openBench({ SERVICE_LEASE_S: "2", SERVICE_SWEEP_S: "0.5" }, data)
  })
  afterAll(async () => {
    await bench?.close()
    execFileSync("umount", [disk])
    rmSync(disk, { recursive: true })
  })

  const fill = () => {
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(filler, Buffer.alloc(bavail * bsize))
  }
  const talk = (name: string) => bench.submit({ source: `https://example.org/${name}`, transcription: speechWords() })

  it("fails the job with its stage and a message, and completes a retry and other jobs once space is freed", async () => {
    const first = await bench.worker()
    await bench.until(await talk("before"), (j) => j.status === "done")
    first.kill("SIGTERM")
    await first.exited

    // Half an hour of words: their place as a transcript is not there any more when whisper wants to write them.
    const id = await bench.submit({ source: "https://example.org/long", transcription: manyWords(20_000) })
    fill()
    await bench.worker()
    const failed = await bench.until(id, (j) => j.status === "error", 60_000)
    expect(failed).toMatchObject({ error: { stage: "whisper" }, stage_attempts: { whisper: 3 } })
    expect(failed.error?.detail).toMatch(/disk .* is full\. Free some space/)

    rmSync(filler)
    await bench.until(await talk("after"), (j) => j.status === "done")
    await bench.store.jobs.retry(id)
    const again = await bench.until(id, (j) => j.status === "done", 60_000)
    expect(again.attempts).toBe(2)
    expect((await bench.store.clips.get(again.session_id))?.transcription).toHaveLength(20_000)
  })
})
