import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { buildProfiles, recognizeSpeakers } from "#lib/domain/people/recognize.ts"
import { readTranscript } from "#lib/domain/transcript/given/read-transcript.ts"
import { createSpeech } from "#lib/engines/speech/index.ts"
import type { TranscribeProgress } from "#lib/engines/speech/types.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { putModels, TONE_MODEL, toneEngine } from "#test/fixtures/speech-models.ts"
import { type Said, spoken, writeWav } from "#test/fixtures/tones.ts"
import { request, until } from "./helpers.ts"

let dir: string
let recording: string
const LENGTH_S = 130
/** Alternates low and high words every half minute, one word per 1.5 s, with a pause between the turns. */
const spokenWords: { word: Said; at: number }[] = []
for (let at = 0.5, i = 0; at < LENGTH_S - 3; at += 1.6, i++) {
  const high = Math.floor(at / 30) % 2 === 1
  spokenWords.push({ word: high ? "delta." : i % 2 ? "bravo" : "alpha", at })
}

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "earmark-sherpa-"))
  putModels(join(dir, "models"))
  recording = join(dir, "tones.wav")
  writeWav(recording, spoken(spokenWords), LENGTH_S)
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

describe("sherpa with its real loaders", () => {
  it("returns words with times and speakers, and reports progress in seconds of audio", async () => {
    const reported: TranscribeProgress[] = []
    const { engine } = toneEngine(join(dir, "models"))
    const result = await engine.transcribe(request(recording, { progress: (p) => reported.push(p) }))
    await engine.close()

    expect(result).toMatchObject({
      engine: "sherpa",
      model: TONE_MODEL,
      language: "en",
      diarized: true,
      estimatedTimes: false,
      notes: [],
    })
    expect(readTranscript(result.words).words).toEqual(result.words)
    expect(result.words.map((w) => w.word)).toEqual(spokenWords.map((w) => w.word))
    for (const [i, word] of result.words.entries()) expect(Math.abs(word.start - spokenWords[i]!.at)).toBeLessThan(0.12)
    expect(result.words.at(-1)!.end).toBeLessThanOrEqual(result.duration_s)
    expect(result.words.map((w) => w.speaker)).toEqual(spokenWords.map((w) => (w.word === "delta." ? "1" : "0")))

    for (const phase of ["speech", "speakers"] as const) {
      const done = reported.filter((p) => p.phase === phase).map((p) => p.done)
      expect(done.length).toBeGreaterThan(5)
      expect(done).toEqual([...done].sort((a, b) => a - b))
      expect(done.at(-1)).toBeCloseTo(LENGTH_S, 1)
    }
    expect(reported.every((p) => p.total >= p.done && p.total <= LENGTH_S + 1)).toBe(true)
  })

  it("writes the terms of a vocabulary where the audio permits them, and nowhere else", async () => {
    const short = join(dir, "short.wav")
    writeWav(
      short,
      spoken([
        { word: "alpha", at: 1 },
        { word: "bravo", at: 3 },
        { word: "alpha", at: 5 },
      ]),
      8,
    )
    const { engine, loads } = toneEngine(join(dir, "models"))
    const wordsWith = async (...terms: string[]) =>
      (await engine.transcribe(request(short, { speakers: 1, terms }))).words.map(({ word }) => word)
    const ordinary = await wordsWith()
    expect(ordinary).toEqual(["alpha", "bravo", "alpha"])
    expect(await wordsWith("char", "東京/:#@", "Zürich")).toEqual(["alpha", "char", "alpha"])
    expect(await wordsWith("alpha bravo alpha bravo", "/:")).toEqual(ordinary)
    await engine.close()
    expect(loads()).toHaveLength(1)
  })

  it("reaches the end of recordings with a fractional number of milliseconds", async () => {
    const { engine } = toneEngine(join(dir, "models"))
    for (const samples of [192_001, 192_007]) {
      const odd = join(dir, `odd-${samples}.wav`)
      writeWav(odd, spoken(spokenWords.slice(0, 6)), samples / 16_000)
      expect((await engine.transcribe(request(odd))).words).toHaveLength(6)
    }
    await engine.close()
  })

  it("loads the model once, and replaces and counts a child that dies", async () => {
    const { engine, loads, pid } = toneEngine(join(dir, "models"))
    const one = request(recording, { speakers: 1 })
    await engine.transcribe(one)
    await engine.transcribe(one)
    expect(loads()).toHaveLength(1)
    const first = pid()
    process.kill(first, "SIGKILL")
    await ended(first)
    expect((await engine.transcribe(one)).words).toHaveLength(spokenWords.length)
    expect(loads().map((l) => l.restarts)).toEqual([0, 1])
    await engine.close()
    await ended(pid())
  })

  it("turns an aborted child into a retryable error, and succeeds on the next attempt", async () => {
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
    expect((await engine.transcribe(request(recording, { speakers: 1 }))).words).toHaveLength(spokenWords.length)
    await engine.close()
  })

  it("stops immediately when aborted, keeps the model, and transcribes the next recording completely", async () => {
    const { engine, loads } = toneEngine(join(dir, "models"))
    const abort = new AbortController()
    const reason = new Error("cancelled by the caller")
    const running = engine.transcribe(
      request(recording, { signal: abort.signal, progress: ({ done }) => done > 0 && abort.abort(reason) }),
    )
    await expect(running).rejects.toBe(reason)
    expect((await engine.transcribe(request(recording, { speakers: 1 }))).words).toHaveLength(spokenWords.length)
    expect(loads()).toHaveLength(1)
    await engine.close()
  })

  it("returns no words for silence", async () => {
    const silence = join(dir, "silence.wav")
    writeWav(silence, [], 40)
    const { engine } = toneEngine(join(dir, "models"))
    expect(await engine.transcribe(request(silence))).toMatchObject({ words: [], duration_s: 40 })
    await engine.close()
  })

  it("keeps the words if the diarizer is unavailable, and notes it", async () => {
    const models = join(dir, "without-speakers")
    putModels(models, [TONE_MODEL, "silero-vad"])
    const { engine } = toneEngine(models)
    const result = await engine.transcribe(request(recording))
    expect(new Set(result.words.map((w) => w.speaker))).toEqual(new Set(["0"]))
    expect(result).toMatchObject({
      diarized: false,
      notes: [expect.stringMatching(/No speaker labels.*speaker-segmentation/)],
    })
    await engine.close()
  })

  it("keeps the words if the diarizer aborts", async () => {
    const models = join(dir, "broken-speakers")
    putModels(models)
    writeFileSync(join(models, "speaker-segmentation", "manifest.json"), '{"files":[]}')
    truncateSync(join(models, "speaker-segmentation", "model.onnx"), 700)
    const { engine } = toneEngine(models)
    const result = await engine.transcribe(request(recording))
    expect(result.words).toHaveLength(spokenWords.length)
    expect(result).toMatchObject({
      diarized: false,
      notes: [expect.stringMatching(/No speaker labels.*stopped/)],
    })
    await engine.close()
  })

  it("rejects a damaged model before native code reads it, with the command that repairs it", async () => {
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

  it("survives a model file with a valid checksum that makes native code abort", async () => {
    const models = join(dir, "own-broken")
    putModels(models)
    writeFileSync(join(models, "silero-vad", "manifest.json"), '{"files":[]}')
    truncateSync(join(models, "silero-vad", "silero_vad.onnx"), 300)
    const { engine } = toneEngine(models)
    await expect(engine.transcribe(request(recording))).rejects.toMatchObject({ code: "unavailable", retry: "retry" })
    await engine.close()
  })

  it("computes an embedding per speaker, by which a voice is found in another recording", async () => {
    const env = { SERVICE_MODELS_DIR: join(dir, "models"), SERVICE_MODELS_OFFLINE: "true" }
    const embed = (path: string, words: typeof spokenWords, changes: Record<string, string> = {}) => {
      const config = loadConfig({ ...env, ...changes })
      const speech = createSpeech({ config, log: createLogger("silent", "test"), choose: async () => "sherpa" })
      const spans = words.map(({ word, at }) => {
        return { word, start: at, end: at + 1.6, speaker: word === "delta." ? "high" : "low" }
      })
      return speech.embedSpeakers({ path, words: spans, signal: new AbortController().signal })
    }
    const first = (await embed(recording, spokenWords))!
    expect(first.embedder).toBe("sherpa:nemo_en_titanet_small")
    expect(first.speakers.map(({ speaker, seconds }) => [speaker, Math.round(seconds)])).toEqual([
      ["low", 60],
      ["high", 60],
    ])
    const other = spokenWords.slice(30, 50)
    const next = join(dir, "next.wav")
    writeWav(next, spoken(other.map(({ word }, i) => ({ word, at: 1 + 1.6 * i }))), 40)
    const second = (await embed(
      next,
      other.map(({ word }, i) => ({ word, at: 1 + 1.6 * i })),
    ))!
    const people = first.speakers.map((voice) => ({ ...voice, person: { id: voice.speaker, name: voice.speaker } }))
    const recognized = recognizeSpeakers(second.speakers, buildProfiles(people), second.thresholds, () => false)
    expect(recognized.map(({ speaker, person }) => [speaker, person.id]).sort()).toEqual([
      ["high", "high"],
      ["low", "low"],
    ])
    expect(await embed(recording, spokenWords, { SERVICE_SPEAKER_EMBEDDINGS: "false" })).toBeNull()
  })
})
