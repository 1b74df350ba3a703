import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Clip } from "#lib/domain/clips.ts"
import type { JobProgress, JobRecord } from "#lib/domain/jobs/jobs.ts"
import { readTranscript } from "#lib/domain/transcript/given/read-transcript.ts"
import { type Installation, openInstallation } from "#test/fixtures/installation.ts"
import { putModels, TONE_MODEL } from "#test/fixtures/speech-models.ts"
import { openSpeechServer } from "#test/fixtures/speech-server.ts"
import { makeSamplePart, wordErrorRate } from "./helpers.ts"

/** Runs a part of the bundled recording with two subjects through the whole pipeline, once per engine. */
const [FROM_S, TO_S] = [33, 78.4]
let recording: string
let truth: ReturnType<typeof makeSamplePart>
let installation: Installation
let server: Awaited<ReturnType<typeof openSpeechServer>>
const JOB_OPTIONS = {
  pocketsphinx: { speech_engine: "pocketsphinx" },
  sherpa: { speech_engine: "sherpa", whisper_model: TONE_MODEL },
  openai: { speech_engine: "openai", whisper_model: "large-v3" },
} as const
type Engine = keyof typeof JOB_OPTIONS
const results = new Map<Engine, { job: JobRecord; clip: Clip; reported: JobProgress[] }>()

/** The answer of a perfect speech server, with evenly spaced words. */
const idealResponse = (): object => {
  const { text, duration_s } = truth
  const words = text.split(/\s+/)
  const step = duration_s / words.length
  return { text, words: words.map((word, i) => ({ word, start: i * step, end: (i + 0.9) * step })) }
}

const transcribeSample = async (engine: Engine): Promise<void> => {
  const id = await installation.submit({ source: recording, force_retranscribe: true, ...JOB_OPTIONS[engine] })
  const reported: JobProgress[] = []
  const ended = ({ progress, status }: JobRecord): boolean => {
    if (progress?.stage === "whisper" && progress.done !== reported.at(-1)?.done) reported.push(progress)
    return ["done", "error"].includes(status)
  }
  const job = await installation.until(id, ended, 240_000)
  results.set(engine, { job, clip: (await installation.store.clips.get(job.session_id))!, reported })
}

beforeAll(async () => {
  server = await openSpeechServer()
  server.onTranscribe(() => ({ body: idealResponse() }))
  installation = await openInstallation({
    SERVICE_SPEECH_URL: server.url,
    SERVICE_PROVIDER: "builtin",
    SERVICE_HEARTBEAT_S: "0.3",
  })
  recording = join(installation.dir, "recording.flac")
  truth = makeSamplePart(recording, FROM_S, TO_S)
  putModels(join(installation.dir, "models"))
  await installation.worker()
  for (const engine of ["openai", "sherpa", "pocketsphinx"] as const) await transcribeSample(engine)
}, 300_000)
afterAll(async () => {
  await installation.close()
  await server.close()
})

describe.each(["openai", "sherpa", "pocketsphinx"] as const)(
  "a part of the bundled recording, transcribed by %s",
  (engine) => {
    const of = () => results.get(engine)!

    it("is done, and its clip names the engine", () => {
      expect([of().job.status, of().job.error]).toEqual(["done", undefined])
      expect(of().clip.speech_engine).toBe(engine)
      expect(of().clip.whisper_model).toBe({ pocketsphinx: "en-us", sherpa: TONE_MODEL, openai: "large-v3" }[engine])
    })

    it("has words with nondecreasing times within the recording", () => {
      const { transcription, duration_s } = of().clip
      expect(readTranscript(transcription).words).toEqual(transcription)
      expect(transcription.length).toBeGreaterThan(50)
      for (const [i, { start, end }] of transcription.entries()) {
        expect(start).toBeGreaterThanOrEqual(transcription[i - 1]?.start ?? 0)
        expect(end).toBeGreaterThanOrEqual(start)
      }
      expect(duration_s).toBeCloseTo(truth.duration_s, 1)
      expect(transcription.at(-1)!.end).toBeLessThanOrEqual(duration_s)
    })

    it("has the same clip fields as with the other engines, and a topic tree", () => {
      const shape = (clip: Clip) => Object.entries(clip).map(([key, value]) => [key, Array.isArray(value)])
      expect(shape(of().clip)).toEqual(shape(results.get("openai")!.clip))
      expect(of().clip.tree?.topics).toHaveLength(1)
      expect(of().clip.topics.length).toBeGreaterThan(0)
    })

    it("reports nondecreasing progress in seconds of audio", () => {
      const done = of()
        .reported.filter((p) => p.phase === "speech")
        .map((p) => p.done)
      expect(done).toEqual([...done].sort((a, b) => a - b))
      expect(of().reported.every((p) => p.total >= p.done && p.total < truth.duration_s + 1)).toBe(true)
    })
  },
)

describe("PocketSphinx on a part of the bundled recording", () => {
  const clip = () => results.get("pocketsphinx")!.clip

  it("has a word error rate below 20 %", () => {
    const words = clip().transcription.map((w) => w.word)
    expect(wordErrorRate(truth.text, words)).toBeLessThan(0.2)
    expect(words.filter((word) => /[<>[\]()+]/.test(word))).toEqual([])
  })

  it("starts the first word after each boundary within 0.15 s of it", () => {
    expect(truth.boundaries_s).toHaveLength(1)
    for (const boundary of truth.boundaries_s) {
      const nearest = Math.min(...clip().transcription.map((w) => Math.abs(w.start - boundary)))
      expect(nearest).toBeLessThan(0.15)
    }
  })

  it("does not diarize and notes it, and reports progress in several steps", () => {
    expect(new Set(clip().transcription.map((w) => w.speaker))).toEqual(new Set(["0"]))
    expect(clip()).toMatchObject({ diarized: false, estimated_times: false, language: "en" })
    expect(results.get("pocketsphinx")!.reported.length).toBeGreaterThan(1)
  })
})
