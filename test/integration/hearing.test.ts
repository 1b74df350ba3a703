import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { hearingSettings } from "#lib/contracts/jobs.ts"
import { transcript } from "#lib/contracts/words.ts"
import { newId, uuid5 } from "#lib/ids.ts"
import { hearAgain } from "#lib/services/hear-again.ts"
import { transcriptOf } from "#lib/store/testing/fixtures.ts"
import { type Bench, openBench, type WorkerProcess } from "#test/fixtures/speech-bench.ts"
import { putModels, TONE_MODEL } from "#test/fixtures/speech-models.ts"
import { openSpeechServer } from "#test/fixtures/speech-server.ts"
import { type Said, spoken, writeWav } from "#test/fixtures/tones.ts"
import { make, SAMPLE } from "./speech-kit.ts"

type Line = { msg: string; child?: number; restarts?: number }
const loads = (worker: WorkerProcess): Line[] =>
  (worker.lines as readonly Line[]).filter(({ msg }) => msg === "speech model loaded")

let bench: Bench
let server: Awaited<ReturnType<typeof openSpeechServer>>
beforeEach(async () => {
  server = await openSpeechServer()
  bench = await openBench({ SERVICE_SPEECH_URL: server.url, SERVICE_PROVIDER: "builtin" })
  putModels(join(bench.dir, "models"))
})
afterEach(async () => {
  await bench.close()
  await server.close()
})

const recording = (name: string, length_s: number): string => {
  const words: { word: Said; at: number }[] = []
  for (let at = 1; at < length_s - 3; at += 2) words.push({ word: "alpha", at })
  const path = join(bench.dir, name)
  writeWav(path, spoken(words), length_s)
  return path
}
const ended = (id: string) => bench.until(id, ({ status }) => ["done", "error"].includes(status), 90_000)

describe("jobs that are heard by sherpa", () => {
  it("end well on the second attempt when the child aborts in mid-recording; no neighbour is touched", async () => {
    const worker = await bench.worker()
    const sherpa = { speech_engine: "sherpa", whisper_model: TONE_MODEL, speakers: 1 } as const
    const warm = await bench.submit({ source: recording("warm.wav", 20), ...sherpa })
    expect((await ended(warm)).status).toBe("done")
    const long = await bench.submit({ source: recording("long.wav", 3600), ...sherpa })
    const next = await bench.submit({ source: recording("next.wav", 30), ...sherpa })
    await bench.until(long, ({ progress }) => progress?.phase === "speech" && progress.done > 60, 60_000)
    process.kill(loads(worker)[0]!.child!, "SIGABRT")

    const [hit, neighbour] = [await ended(long), await ended(next)]
    expect([hit.status, hit.error, hit.stage_attempts.whisper]).toEqual(["done", undefined, 2])
    expect([neighbour.status, neighbour.stage_attempts.whisper]).toEqual(["done", 1])
    expect((await bench.store.getClip(hit.session_id))?.transcription).toHaveLength(1798)
    expect(loads(worker).map(({ restarts }) => restarts)).toEqual([0, 1])
    expect(worker.pid).toBe(bench.runnerOf(long, "whisper").pid)
  }, 200_000)

  it("become clips of one shape by every engine", async () => {
    server.onTranscribe(() => ({
      body: {
        text: "one two",
        words: [
          { word: "one", start: 1, end: 2 },
          { word: "two", start: 2, end: 3 },
        ],
      },
    }))
    await bench.worker()
    const source = join(bench.dir, "subjects.flac")
    make("-i", SAMPLE, "-ss", "30", "-t", "45", source)
    const shapes: string[][] = []
    for (const wish of [
      { speech_engine: "pocketsphinx" },
      { speech_engine: "sherpa", whisper_model: TONE_MODEL },
      { speech_engine: "openai" },
    ] as const) {
      const job = await ended(await bench.submit({ source, force_retranscribe: true, ...wish }))
      expect([wish.speech_engine, job.status, job.error]).toEqual([wish.speech_engine, "done", undefined])
      const clip = (await bench.store.getClip(job.session_id))!
      expect(clip.speech_engine).toBe(wish.speech_engine)
      expect(clip.duration_s).toBeCloseTo(45, 0)
      expect(transcript.parse(clip.transcription)).toEqual(clip.transcription)
      expect(clip.transcription.length).toBeGreaterThan(1)
      expect(clip.transcription.at(-1)!.end).toBeLessThanOrEqual(clip.duration_s)
      shapes.push(Object.keys(clip).sort())
    }
    expect(shapes[1]).toEqual(shapes[0])
    expect(shapes[2]).toEqual(shapes[0])
  }, 200_000)

  it("are heard once more at a wish, with what people corrected; words without a recording cannot be", async () => {
    const says = (...words: string[]) =>
      server.onTranscribe(() => ({
        body: { text: words.join(" "), words: words.map((word, i) => ({ word, start: i + 1, end: i + 2 })) },
      }))
    await bench.worker()
    says("won", "too")
    const first = await ended(await bench.submit({ source: recording("numbers.wav", 10), speech_engine: "openai" }))
    const id = first.session_id
    await bench.store.editWords(id, [{ kind: "text", start_s: 1, end_s: 2, words: ["One"] }])
    says("uno", "dos", "tres")
    const again = await hearAgain(bench.node, { id }, hearingSettings.parse({ speech_engine: "openai" }))
    expect([again.session_id, (await ended(again.job_id)).status]).toEqual([id, "done"])
    const clip = (await bench.store.getClip(id))!
    expect(clip.transcription.map((w) => w.word)).toEqual(["One", "dos", "tres"])
    expect([clip.title, (await bench.store.listTopicRuns(id))!.length]).toEqual(["numbers.wav", 2])

    const given = uuid5(newId())
    const nowhere = { title: "given", source_url: null, file_path: null }
    await bench.store.saveTranscript(given, nowhere, transcriptOf("words alone"))
    await expect(hearAgain(bench.node, { id: given }, hearingSettings.parse({}))).rejects.toMatchObject({
      code: "conflict",
    })
    await expect(hearAgain(bench.node, { id: "nobody" }, hearingSettings.parse({}))).rejects.toThrow("unknown clip")
  }, 100_000)
})
