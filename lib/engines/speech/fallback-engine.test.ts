import { describe, expect, it } from "vitest"
import { AppError } from "../../domain/errors.ts"
import { createLogger } from "../../platform/logger.ts"
import { EngineUnavailableError } from "./errors.ts"
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
  const asked: TranscribeRequest[] = []
  const made: Transcriber = {
    name,
    probe: async () => ({ available, detail: name }),
    transcribe: async (r): Promise<Transcript> => {
      asked.push(r)
      if (error) throw error
      const heard = { words: [], duration_s: 1, language: "en", model: "m", diarized: false, estimatedTimes: false }
      return { ...heard, engine: name, notes: ["its own note"] }
    },
    close: async () => {},
  }
  return { made, asked }
}

describe("withNext", () => {
  it("hears by the next engine that can run when the chosen one is unfit, and says so first", async () => {
    const sherpa = engine("sherpa", new EngineUnavailableError("unavailable", "the model x could not be fetched"))
    const [openai, sphinx] = [engine("openai", null, false), engine("pocketsphinx", null)]
    const both = withFallbackEngine(sherpa.made, [() => openai.made, () => sphinx.made], log)
    const heard = await both.transcribe(request)
    expect(heard.engine).toBe("pocketsphinx")
    expect(heard.notes).toEqual([
      "Heard by pocketsphinx in place of sherpa: the model x could not be fetched.",
      "its own note",
    ])
    expect(openai.asked).toEqual([])
    expect(sphinx.asked).toEqual([{ ...request, model: undefined }])
  })

  it("never changes the engine for another failure", async () => {
    const failure = new AppError("unavailable", "the speech engine sherpa stopped (signal SIGABRT)", { retry: "retry" })
    const next = engine("pocketsphinx", null)
    await expect(
      withFallbackEngine(engine("sherpa", failure).made, [() => next.made], log).transcribe(request),
    ).rejects.toBe(failure)
    expect(next.asked).toEqual([])
  })

  it("passes over one that refuses the request, and says both sentences when nobody is left", async () => {
    const failure = new EngineUnavailableError("unavailable", "no network")
    const refusal = new AppError("invalid", "PocketSphinx only knows English")
    const [sphinx, openai] = [engine("pocketsphinx", refusal), engine("openai", null)]
    const sherpa = engine("sherpa", failure).made
    expect(
      (await withFallbackEngine(sherpa, [() => sphinx.made, () => openai.made], log).transcribe(request)).engine,
    ).toBe("openai")
    await expect(withFallbackEngine(sherpa, [() => sphinx.made], log).transcribe(request)).rejects.toMatchObject({
      code: "unavailable",
      message: "no network. PocketSphinx only knows English",
    })
  })

  it("fails with the reason of the chosen one where there is no other", async () => {
    const failure = new EngineUnavailableError("unavailable", "no network")
    const none = withFallbackEngine(
      engine("sherpa", failure).made,
      [() => engine("pocketsphinx", null, false).made],
      log,
    )
    await expect(none.transcribe(request)).rejects.toBe(failure)
  })
})
