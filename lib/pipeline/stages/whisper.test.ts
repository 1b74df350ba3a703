import { describe, expect, it } from "vitest"
import { AppError } from "../../domain/errors.ts"
import { jobOptions } from "../../domain/jobs/jobs.ts"
import type { Transcriber } from "../../engines/speech/types.ts"
import { createLogger } from "../../platform/logger.ts"
import type { JobSnapshot } from "../../storage/stores/ports/stages.ts"
import { STAGES } from "./index.ts"

const ID = "fa678091-b771-53c5-bb5c-b97259498be6"
const OTHER_ID = "0b2f9f39-28a9-5a0f-9a35-6d2f2f6d4b11"
const word = { word: "hello", start: 0.5, end: 1, speaker: "0" }

const EMBEDDINGS = {
  embedder: "sherpa:test",
  thresholds: { apply: 1, suggest: 1, margin: 0, minSeconds: 0 },
  speakers: [{ speaker: "0", vector: Float32Array.of(1), seconds: 3 }],
}

const job = (over: Partial<Omit<JobSnapshot, "options">> = {}, options: object = {}): JobSnapshot => ({
  jobId: "j",
  sessionId: ID,
  title: "talk",
  source: { kind: "file", path: "/r/talk.wav" },
  given: null,
  words: null,
  duration_s: 0,
  made_by: null,
  state: {},
  options: jobOptions.parse(options),
  ...over,
})

/** Runs whisper with an engine that returns one word, and records the order of the calls. */
const run = async (
  snapshot: JobSnapshot,
  opened: { path: string; sessionId?: string } | AppError,
  fails?: (path: string) => AppError,
) => {
  const asked: string[] = []
  const shown: string[] = []
  const progress: [number, number, string | undefined][] = []
  const engine: Transcriber = {
    name: "pocketsphinx",
    probe: async () => ({ available: true, detail: "" }),
    transcribe: async (request) => {
      asked.push(`transcribe ${request.path}`)
      if (request.terms?.length) asked.push(`terms ${request.terms.join(", ")}`)
      if (fails) throw fails(request.path)
      request.progress({ phase: "model", done: 1, total: 9 })
      request.progress({ phase: "speech", done: 2, total: 4 })
      request.onWords?.([word])
      const heard = { words: [word], duration_s: 4, language: request.language, model: "en-us" }
      return { ...heard, engine: "pocketsphinx", diarized: false, estimatedTimes: false, notes: ["n"] }
    },
    close: async () => {},
  }
  const output = STAGES.whisper.perform(snapshot, {
    signal: new AbortController().signal,
    log: createLogger("silent", "test"),
    models: {
      topics: () => Promise.reject(new Error("no model server")),
      embedder: () => Promise.reject(new Error("no model server")),
    },
    speech: {
      pick: async (choice) => {
        asked.push(`pick ${choice}`)
        return engine
      },
      embedSpeakers: async ({ path, words }) => {
        asked.push(`embed ${path} ${words.length}`)
        if (path.includes("silent")) throw new Error("no speech")
        return EMBEDDINGS
      },
    },
    openSource: async () => {
      asked.push("open")
      if (opened instanceof AppError) throw opened
      return { path: opened.path, sessionId: opened.sessionId, keptAt: opened.path }
    },
    progress: (done, total, phase) => progress.push([done, total, phase]),
    showWords: (words) => void shown.push(...words.map((w) => w.word)),
  })
  return { output: await output.catch((error: unknown) => error), asked, progress, shown }
}
const here = { path: "/r/talk.wav", sessionId: ID }

describe("whisper", () => {
  it.each([
    [{ kind: "upload", path: "/u/ab12", name: "talk.mp3" }, "'talk.mp3' cannot be decoded: talk.mp3 is cut"],
    [
      { kind: "url", url: "https://host/talk.mp3" },
      "'https://host/talk.mp3' cannot be decoded: https://host/talk.mp3 is cut",
    ],
    [{ kind: "file", path: "/r/.incoming-1-x" }, "'/r/.incoming-1-x' cannot be decoded: /r/.incoming-1-x is cut"],
  ] as const)("speaks of %j by the name that people know", async (source, sentence) => {
    const opened = { path: "/r/.incoming-1-x", sessionId: ID }
    const broken = (path: string) =>
      new AppError("unsupported_media", `'${path}' cannot be decoded: .incoming-1-x is cut`, { retryInMs: 7 })
    const { output } = await run(job({ source }), opened, broken)
    expect(output).toMatchObject({ code: "unsupported_media", retry: "never", retryInMs: 7, message: sentence })
  })

  it("tells the engine the terms of the vocabulary, and replaces what it has instead of them", async () => {
    const vocabulary = [{ term: "Halo", sounds_like: ["hello"] }, { term: "Ada" }]
    const { output, asked } = await run(job({}, { vocabulary }), here)
    expect(asked).toContain("terms Halo, Ada")
    expect(output).toMatchObject({ words: [{ ...word, word: "Halo" }] })
    const given = { words: [word], estimated_times: false }
    expect((await run(job({ given }, { vocabulary }), here)).output).toMatchObject({ words: [word] })
  })

  it("opens the source, then picks the engine, then transcribes, with progress in seconds of audio", async () => {
    const { output, asked, progress, shown } = await run(job(), here)
    expect(shown).toEqual([word.word])
    expect(asked).toEqual(["open", "pick auto", "transcribe /r/talk.wav"])
    expect(progress).toEqual([
      [1, 9, "model"],
      [2, 4, "speech"],
    ])
    expect(output).toEqual({
      kind: "words",
      words: [word],
      duration_s: 4,
      language: "en",
      speech_engine: "pocketsphinx",
      whisper_model: "en-us",
      diarized: false,
      estimated_times: false,
      transcript_notes: ["n"],
      file_path: "/r/talk.wav",
    })
  })

  it("picks no engine if the source cannot be opened", async () => {
    const gone = new AppError("not_found", "no such file: /r/talk.wav")
    expect(await run(job(), gone)).toMatchObject({ output: gone, asked: ["open"] })
  })

  it("uses the caller's words first, with the end of the last word as duration", async () => {
    const given = [
      { ...word, end: 9 },
      { ...word, start: 1, end: 2 },
    ]
    const transcript = { words: given, estimated_times: true }
    const { output, asked } = await run(job({ given: transcript, words: [word] }, { force_retranscribe: true }), here)
    expect(output).toMatchObject({
      kind: "words",
      words: given,
      duration_s: 9,
      speech_engine: null,
      estimated_times: true,
    })
    expect(asked).toEqual([])
  })

  it("keeps the existing transcript unless a new one is forced", async () => {
    expect(await run(job({ words: [] }), here)).toMatchObject({ output: { kind: "kept" }, asked: [] })
    const forced = await run(job({ words: [word] }, { force_retranscribe: true }), here)
    expect(forced.output).toMatchObject({ kind: "words" })
  })

  it.each([
    [{ language: "de", is_language_given: true }, "words"],
    [{ whisper_model: "whisper-small" }, "words"],
    [{ language: "en-US", is_language_given: true }, "kept"],
    [{ language: "de", is_language_given: false }, "kept"],
    [{ language: null, is_language_given: true }, "kept"],
    [{ whisper_model: "parakeet" }, "kept"],
  ])(
    "gives %j of a job the output '%s' if the transcript is English and by the model parakeet",
    async (options, kind) => {
      const made_by = { speech_engine: "sherpa", whisper_model: "parakeet", language: "en" }
      const snapshot = job({ words: [word], made_by })
      const { output } = await run({ ...snapshot, options: { ...snapshot.options, ...options } }, here)
      expect(output).toMatchObject({ kind })
    },
  )

  it("keeps words of the caller when a later job asks for another language or model", async () => {
    const made_by = { speech_engine: null, whisper_model: null, language: "en" }
    const snapshot = job({ words: [word], made_by }, { whisper_model: "whisper-small" })
    const options = { ...snapshot.options, language: "de", is_language_given: true }
    expect(await run({ ...snapshot, options }, here)).toMatchObject({ output: { kind: "kept" }, asked: [] })
  })

  it("compares the speakers of one voice each, also those of given words with an upload, and never fails by it", async () => {
    expect((await run(job({}, { speakers: 1 }), here)).output).toMatchObject({ speaker_embeddings: EMBEDDINGS })
    expect((await run(job(), here)).output).not.toHaveProperty("speaker_embeddings")
    const silent = await run(job({}, { speakers: 1 }), { path: "/r/silent.wav", sessionId: ID })
    expect(silent.asked.at(-1)).toBe("embed /r/silent.wav 1")
    expect(silent.output).toMatchObject({ kind: "words", words: [word] })
    expect(silent.output).not.toHaveProperty("speaker_embeddings")

    const given = { words: [word], estimated_times: false }
    const source = { kind: "upload", path: "/u/1", name: "talk.mp3" } as const
    const uploaded = await run(job({ given, source }), { path: "/u/1" })
    expect(uploaded).toMatchObject({ output: { speaker_embeddings: EMBEDDINGS }, asked: ["open", "embed /u/1 1"] })
    const gone = await run(job({ given, source }), new AppError("not_found", "the upload is gone"))
    expect(gone.output).toMatchObject({ kind: "words", words: [word] })
  })

  it("reports a moved source before it transcribes, but not for uploads", async () => {
    const moved = await run(job(), { path: "/r/real.wav", sessionId: OTHER_ID })
    expect(moved).toMatchObject({
      output: { kind: "moved", session_id: OTHER_ID, file_path: "/r/real.wav" },
      asked: ["open"],
    })
    expect((await run(job(), { path: "/u/1" })).output).toMatchObject({ kind: "words", file_path: "/u/1" })
  })
})
