import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { transcript } from "#lib/domain/transcript/words.ts"
import type { TranscribeProgress } from "#lib/engines/speech/types.ts"
import { putModels, TONE_MODEL, toneEngine } from "#test/fixtures/speech-models.ts"
import { type Said, spoken, writeWav } from "#test/fixtures/tones.ts"
import { request, until } from "./helpers.ts"

let dir: string
let recording: string
const LENGTH_S = 130
/** Low words for half a minute, then high ones, in turns; one about every second and a half, a pause between turns. */
const said: { word: Said; at: number }[] = []
for (let at = 0.5, i = 0; at < LENGTH_S - 3; at += 1.6, i++) {
  const high = Math.floor(at / 30) % 2 === 1
  said.push({ word: high ? "delta." : i % 2 ? "bravo" : "alpha", at })
}

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "earmark-sherpa-"))
  putModels(join(dir, "models"))
  recording = join(dir, "tones.wav")
  writeWav(recording, spoken(said), LENGTH_S)
})
afterAll(() => rmSync(dir, { recursive: true }))

const ended = async (pid: number): Promise<void> =>
  until(() => {
    try {
      return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
    } catch {
      return true
    }
  })

describe("sherpa, through its real loaders", () => {
  it("hears every word at its time, tells the voices apart, and reports seconds of sound", async () => {
    const told: TranscribeProgress[] = []
    const { engine } = toneEngine(join(dir, "models"))
    const heard = await engine.transcribe(request(recording, { progress: (p) => told.push(p) }))
    await engine.close()

    expect(heard).toMatchObject({
      engine: "sherpa",
      model: TONE_MODEL,
      language: "en",
      diarized: true,
      estimatedTimes: false,
      notes: [],
    })
    expect(transcript.parse(heard.words)).toEqual(heard.words)
    expect(heard.words.map((w) => w.word)).toEqual(said.map((w) => w.word))
    for (const [i, word] of heard.words.entries()) expect(Math.abs(word.start - said[i]!.at)).toBeLessThan(0.12)
    expect(heard.words.at(-1)!.end).toBeLessThanOrEqual(heard.duration_s)
    expect(heard.words.map((w) => w.speaker)).toEqual(said.map((w) => (w.word === "delta." ? "1" : "0")))

    for (const phase of ["speech", "speakers"] as const) {
      const done = told.filter((p) => p.phase === phase).map((p) => p.done)
      expect(done.length).toBeGreaterThan(5)
      expect(done).toEqual([...done].sort((a, b) => a - b))
      expect(done.at(-1)).toBeCloseTo(LENGTH_S, 1)
    }
    expect(told.every((p) => p.total >= p.done && p.total <= LENGTH_S + 1)).toBe(true)
  })

  it("comes to the end of recordings that are no whole number of milliseconds long", async () => {
    const { engine } = toneEngine(join(dir, "models"))
    for (const samples of [192_001, 192_007]) {
      const odd = join(dir, `odd-${samples}.wav`)
      writeWav(odd, spoken(said.slice(0, 6)), samples / 16_000)
      expect((await engine.transcribe(request(odd))).words).toHaveLength(6)
    }
    await engine.close()
  }, 20_000)

  it("loads the model once and keeps it; a child that dies is replaced, and that is counted", async () => {
    const { engine, loads, pid } = toneEngine(join(dir, "models"))
    const one = request(recording, { speakers: 1 })
    await engine.transcribe(one)
    await engine.transcribe(one)
    expect(loads()).toHaveLength(1)
    const first = pid()
    process.kill(first, "SIGKILL")
    await ended(first)
    expect((await engine.transcribe(one)).words).toHaveLength(said.length)
    expect(loads().map((l) => l.restarts)).toEqual([0, 1])
    await engine.close()
    await ended(pid())
  })

  it("makes a child that aborts at work an error to be tried again, and the next attempt a success", async () => {
    const { engine, pid } = toneEngine(join(dir, "models"))
    await engine.transcribe(request(recording, { speakers: 1 }))
    const running = engine.transcribe(
      request(recording, { speakers: 1, progress: ({ done }) => done > 0 && process.kill(pid(), "SIGABRT") }),
    )
    await expect(running).rejects.toMatchObject({
      code: "unavailable",
      retry: "retry",
      message: expect.stringMatching(/sherpa stopped \(signal SIGABRT\)/),
    })
    expect((await engine.transcribe(request(recording, { speakers: 1 }))).words).toHaveLength(said.length)
    await engine.close()
  })

  it("gives up at once when told to, keeps the model, and hears the next recording whole", async () => {
    const { engine, loads } = toneEngine(join(dir, "models"))
    const abort = new AbortController()
    const reason = new Error("cancelled by the caller")
    const running = engine.transcribe(
      request(recording, { signal: abort.signal, progress: ({ done }) => done > 0 && abort.abort(reason) }),
    )
    await expect(running).rejects.toBe(reason)
    expect((await engine.transcribe(request(recording, { speakers: 1 }))).words).toHaveLength(said.length)
    expect(loads()).toHaveLength(1)
    await engine.close()
  })

  it("is silent about silence: no words, no error", async () => {
    const silence = join(dir, "silence.wav")
    writeWav(silence, [], 40)
    const { engine } = toneEngine(join(dir, "models"))
    expect(await engine.transcribe(request(silence))).toMatchObject({ words: [], duration_s: 40 })
    await engine.close()
  })

  it("keeps the words when the diarizer cannot be had, and says so", async () => {
    const models = join(dir, "without-speakers")
    putModels(models, [TONE_MODEL, "silero-vad"])
    const { engine } = toneEngine(models)
    const heard = await engine.transcribe(request(recording))
    expect(new Set(heard.words.map((w) => w.speaker))).toEqual(new Set(["0"]))
    expect(heard).toMatchObject({
      diarized: false,
      notes: [expect.stringMatching(/Speakers could not be told apart.*speaker-segmentation/)],
    })
    await engine.close()
  })

  it("keeps the words when the diarizer aborts", async () => {
    const models = join(dir, "broken-speakers")
    putModels(models)
    writeFileSync(join(models, "speaker-segmentation", "manifest.json"), '{"files":[]}')
    truncateSync(join(models, "speaker-segmentation", "model.onnx"), 700)
    const { engine } = toneEngine(models)
    const heard = await engine.transcribe(request(recording))
    expect(heard.words).toHaveLength(said.length)
    expect(heard).toMatchObject({
      diarized: false,
      notes: [expect.stringMatching(/Speakers could not be told apart.*stopped/)],
    })
    await engine.close()
  })

  it("refuses a damaged model before native code sees it, with the line that mends it", async () => {
    const models = join(dir, "damaged")
    putModels(models)
    truncateSync(join(models, "silero-vad", "silero_vad.onnx"), 300)
    const { engine, loads } = toneEngine(models)
    await expect(engine.transcribe(request(recording))).rejects.toThrow(
      /silero-vad is damaged.*earmark models pull silero-vad/,
    )
    expect(loads()).toEqual([])
    await engine.close()
  })

  it("survives a model file that passes for whole and makes native code abort", async () => {
    const models = join(dir, "own-broken")
    putModels(models)
    writeFileSync(join(models, "silero-vad", "manifest.json"), '{"files":[]}')
    truncateSync(join(models, "silero-vad", "silero_vad.onnx"), 300)
    const { engine } = toneEngine(models)
    await expect(engine.transcribe(request(recording))).rejects.toMatchObject({ code: "unavailable", retry: "retry" })
    await engine.close()
  })
})
