import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Clip } from "#lib/domain/clips.ts"
import type { AudioJobInput, JobRecord } from "#lib/domain/jobs/jobs.ts"
import { type Installation, openInstallation } from "#test/fixtures/installation.ts"
import { openModelHost } from "#test/fixtures/model-host.ts"
import { putModels, putWhisper, whisperFiles } from "#test/fixtures/speech-models.ts"
import { spoken, writeWav } from "#test/fixtures/tones.ts"
import { make, SAMPLE } from "./helpers.ts"

/** Jobs on an installation without a speech model, and a test host that serves one. */
let host: Awaited<ReturnType<typeof openModelHost>>
let installation: Installation
let tones: string
let isUp: boolean

const open = async (env: Record<string, string>): Promise<void> => {
  installation = await openInstallation({
    SERVICE_PROVIDER: "builtin",
    SERVICE_HEARTBEAT_S: "0.3",
    SERVICE_MODELS_OFFLINE: "false",
    SERVICE_MODELS_MIRROR: host.url,
    SERVICE_SPEECH_MODEL: "tiny",
    ...env,
  })
  putModels(join(installation.dir, "models"), ["silero-vad"])
  tones = join(installation.dir, "tones.wav")
  writeWav(tones, spoken([1, 3, 5].map((at) => ({ word: "delta.", at }))), 8)
}
beforeEach(async () => {
  host = await openModelHost()
  isUp = true
  for (const [name, content] of whisperFiles("tiny")) host.files.set(name, content)
})
afterEach(async () => {
  await installation.close()
  if (isUp) await host.close()
})

const transcribe = async (request: AudioJobInput): Promise<{ job: JobRecord; clip: Clip | null }> => {
  const id = await installation.submit({ speakers: 1, ...request })
  const job = await installation.until(id, ({ status }) => ["done", "error"].includes(status), 90_000)
  return { job, clip: await installation.store.clips.get(job.session_id) }
}

describe("the first use of a model by a job", () => {
  it("is reported as downloaded bytes of the whisper stage, then as seconds of audio", async () => {
    await open({ SERVICE_SPEECH_ENGINE: "sherpa" })
    await installation.worker()
    const release = host.holdHalf("tiny-decoder.int8.onnx")
    const id = await installation.submit({ source: tones, speakers: 1 })
    const bytes = [...whisperFiles("tiny").values()].reduce((sum, file) => sum + file.length, 0)
    const { progress, status } = await installation.until(
      id,
      ({ progress: p }) => p?.phase === "model" && p.done > bytes / 4,
      60_000,
    )
    expect(status).toBe("running")
    expect(progress).toMatchObject({ stage: "whisper", phase: "model" })
    expect(progress!.done).toBeLessThan(bytes)
    expect(progress!.total).toBeGreaterThanOrEqual(bytes)
    release()
    const job = await installation.until(id, (j) => ["done", "error"].includes(j.status), 60_000)
    expect([job.status, job.error]).toEqual(["done", undefined])
    expect(await installation.store.clips.get(job.session_id)).toMatchObject({
      speech_engine: "sherpa",
      whisper_model: "whisper-tiny",
      transcript_notes: [],
    })
  })

  it("uses English by default, and detects the language for null and an empty value", async () => {
    await open({ SERVICE_SPEECH_ENGINE: "sherpa" })
    await installation.worker()
    putWhisper(join(installation.dir, "models"), "tiny")
    for (const [options, language] of [
      [{}, "en"],
      [{ language: null }, "de"],
      [{ language: "" }, "de"],
      [{ language: "ja" }, "ja"],
    ] as const) {
      const { clip } = await transcribe({ source: tones, force_retranscribe: true, ...options })
      expect([options, clip?.language]).toEqual([options, language])
      expect(clip?.transcription.map((w) => w.word)).toEqual(["delta.", "delta.", "delta."])
    }
  })
})

describe("auto falls back to another engine and notes it on the clip", () => {
  const speech = (): string => {
    const path = join(installation.dir, "speech.flac")
    make("-i", SAMPLE, "-t", "6", path)
    return path
  }
  /** Selects sherpa while its model host answers, as on a first start with a network. */
  const chosen = async (): Promise<void> => {
    await open({})
    expect((await installation.node.engines.speech.pick("auto")).name).toBe("sherpa")
  }
  const byPocketSphinx = async (why: RegExp): Promise<void> => {
    const worker = await installation.worker()
    const { job, clip } = await transcribe({ source: speech() })
    expect([job.status, job.error, job.stage_attempts.whisper]).toEqual(["done", undefined, 1])
    expect(clip?.speech_engine).toBe("pocketsphinx")
    expect(clip?.transcription.length).toBeGreaterThan(5)
    expect(clip?.transcript_notes[0]).toMatch(
      /^Transcribed by pocketsphinx instead of sherpa: Couldn't download the model whisper-tiny/,
    )
    expect(clip?.transcript_notes[0]).toMatch(why)
    expect(worker.lines.map(({ msg }) => msg)).toContain("falling back to another speech engine")
  }

  it("when there is no network", async () => {
    await chosen()
    await host.close()
    isUp = false
    await byPocketSphinx(/ECONNREFUSED.*SERVICE_MODELS_PROXY.*`npx earmark models pull whisper-tiny`/)
  })

  it("when the checksum is wrong", async () => {
    await chosen()
    host.trouble("tiny-encoder.int8.onnx", { kind: "corrupt", times: 99, after: 0 })
    await byPocketSphinx(/wrong checksum.*`npx earmark models pull whisper-tiny`/)
  })

  it("but fails the job with both messages for a language that no other engine supports", async () => {
    await chosen()
    await host.close()
    isUp = false
    await installation.worker()
    const { job } = await transcribe({ source: tones, language: "de" })
    expect(job).toMatchObject({ status: "error", stage_attempts: { whisper: 1 } })
    expect(job.error?.detail).toMatch(/Couldn't download the model whisper-tiny.*PocketSphinx supports only English/)
  })

  it("but not if the job names the engine", async () => {
    await chosen()
    await host.close()
    isUp = false
    await installation.worker()
    const { job } = await transcribe({ source: tones, speech_engine: "sherpa" })
    expect(job.error).toEqual({
      stage: "whisper",
      detail: expect.stringMatching(/^Couldn't download the model whisper-tiny/),
    })
  })
})
