import { describe, expect, it } from "vitest"
import { AppError } from "../../domain/errors.ts"
import { createLogger } from "../../platform/logger.ts"
import { EngineUnavailableError } from "../errors.ts"
import { withFallbackEngine } from "./fallback-engine.ts"
import type { TranscribeRequest, Transcriber, Transcript } from "./types.ts"

const log = createLogger("silent", "test")
const request: TranscribeRequest = {
  path: "/a.wav",
  language: "en",
  model: "tiny",
  speakers: undefined,
  signal: new AbortController().signal,
  progress: () => {},
}

const engine = (name: Transcriber["name"], error: Error | null, available = true) => {
  const requests: TranscribeRequest[] = []
  const transcriber: Transcriber = {
    name,
    probe: async () => ({ available, detail: name }),
    transcribe: async (r): Promise<Transcript> => {
      requests.push(r)
      if (error) throw error
      const transcript = {
        words: [],
        duration_s: 1,
        language: "en",
        model: "m",
        diarized: false,
        estimatedTimes: false,
      }
      return { ...transcript, engine: name, notes: ["its own note"] }
    },
    close: async () => {},
  }
  return { transcriber, requests }
}

describe("withFallbackEngine", () => {
  it("uses the next engine that can run if the chosen one is unavailable, and says so in the first note", async () => {
    const sherpa = engine("sherpa", new EngineUnavailableError("unavailable", "Couldn't download the model x."))
    const [openai, sphinx] = [engine("openai", null, false), engine("pocketsphinx", null)]
    const withFallback = withFallbackEngine(
      sherpa.transcriber,
      [() => openai.transcriber, () => sphinx.transcriber],
      log,
    )
    const transcript = await withFallback.transcribe(request)
    expect(transcript.engine).toBe("pocketsphinx")
    expect(transcript.notes).toEqual([
      "Transcribed by pocketsphinx instead of sherpa: Couldn't download the model x.",
      "its own note",
    ])
    expect(openai.requests).toEqual([])
    expect(sphinx.requests).toEqual([{ ...request, model: undefined }])
  })

  it("does not fall back after any other error", async () => {
    const failure = new AppError("unavailable", "The speech engine sherpa stopped (signal SIGABRT)", { retry: "retry" })
    const next = engine("pocketsphinx", null)
    await expect(
      withFallbackEngine(engine("sherpa", failure).transcriber, [() => next.transcriber], log).transcribe(request),
    ).rejects.toBe(failure)
    expect(next.requests).toEqual([])
  })

  it("skips an engine that rejects the request, and reports both reasons if none is left", async () => {
    const failure = new EngineUnavailableError("unavailable", "No network.")
    const rejection = new AppError("invalid", "PocketSphinx supports only English.")
    const [sphinx, openai] = [engine("pocketsphinx", rejection), engine("openai", null)]
    const sherpa = engine("sherpa", failure).transcriber
    expect(
      (await withFallbackEngine(sherpa, [() => sphinx.transcriber, () => openai.transcriber], log).transcribe(request))
        .engine,
    ).toBe("openai")
    await expect(withFallbackEngine(sherpa, [() => sphinx.transcriber], log).transcribe(request)).rejects.toMatchObject(
      {
        code: "unavailable",
        message: "No network. PocketSphinx supports only English.",
      },
    )
  })

  it("fails with the error of the chosen engine if no other can run", async () => {
    const failure = new EngineUnavailableError("unavailable", "No network.")
    const none = withFallbackEngine(
      engine("sherpa", failure).transcriber,
      [() => engine("pocketsphinx", null, false).transcriber],
      log,
    )
    await expect(none.transcribe(request)).rejects.toBe(failure)
  })
})
