import { join } from "node:path"
import { parseEngineValue } from "../../domain/engine-value.ts"
import type { EngineTest } from "../../domain/engines.ts"
import { AppError, messageOf } from "../../domain/errors.ts"
import type { ChoiceKind } from "../../domain/installation.ts"
import { jobOptions, type ProviderName } from "../../domain/jobs/jobs.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import type { CallContext, Embedder } from "../../engines/language/types.ts"
import { createTranscriber } from "../../engines/speech/index.ts"
import { packageRoot } from "../../platform/package-root.ts"
import type { Deps } from "../deps.ts"
import { checkEngineName } from "./engine-choices.ts"
import { describeSentenceModels, isProviderName } from "./sentence-models.ts"

/** A language model may have to be loaded from a slow disk first. */
const TIMEOUT_MS = 120_000

/** The tests in progress, so that simultaneous requests share one. */
const running = new Map<string, Promise<EngineTest>>()

/**
 * Calls an engine with a short sample. Chooses and downloads nothing. A failure is part of the result.
 * @throws AppError `invalid` for an unknown engine
 */
export const testEngine = async (deps: Deps, kind: ChoiceKind, requested: string): Promise<EngineTest> => {
  const value = await checkEngineName(deps, kind, requested)
  const key = `${kind} ${value}`
  const test = running.get(key) ?? runTest(deps, kind, value).finally(() => running.delete(key))
  running.set(key, test)
  return test
}

const runTest = async (deps: Deps, kind: ChoiceKind, value: string): Promise<EngineTest> => {
  const started = performance.now()
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const result = async (): Promise<Omit<EngineTest, "took_ms">> => {
    try {
      if (kind === "provider") return await testProvider(deps, value, signal)
      return await (kind === "embedder" ? testEmbedder(deps, value, signal) : testSpeech(deps, value, signal))
    } catch (error) {
      const detail = signal.aborted ? `It gave no result within ${TIMEOUT_MS / 1000} s.` : messageOf(error)
      return { ok: false, detail }
    }
  }
  return { ...(await result()), took_ms: Math.round(performance.now() - started) }
}

const SAMPLE_TEXT =
  "The bees leave the hive in the first warm days of spring. They fly to the apple trees and collect nectar there. In autumn the keeper feeds the bees with sugar, so that the hive survives the winter."
const SECONDS_PER_WORD = 0.4

const sampleWords = (): WordSpan[] =>
  SAMPLE_TEXT.split(" ").map((word, i) => ({
    word,
    start: i * SECONDS_PER_WORD,
    end: (i + 1) * SECONDS_PER_WORD,
    speaker: "0",
  }))

const testProvider = async (deps: Deps, value: string, signal: AbortSignal) => {
  const { engine, model } = parseEngineValue(value)
  const topics = await deps.engines.getTopicModel({
    provider: engine as ProviderName,
    ...(model && { llm_model: model }),
  })
  await topics.check(signal)
  const words = sampleWords()
  const node = { id: "1", start_s: 0, end_s: words.at(-1)!.end }
  const notes: string[] = []
  const { num_ctx_fanout: numCtx } = jobOptions.parse({})
  const ctx: CallContext = { signal, numCtx, reasoning: false, onNote: (note) => void notes.push(note) }
  const { title } = await topics.summarize({ words, node, siblings: [node] }, ctx)
  // The builtin engine writes what the model does not.
  if (notes.length > 0) return { ok: false, detail: `The model ${topics.model} gave no usable answer: ${notes[0]}` }
  const by = topics.model === null ? "" : ` with ${topics.model}`
  return { ok: true, detail: `Wrote the title “${title}” for a sample${by}.` }
}

const SENTENCES = [
  "We do not have enough money for the repair.",
  "The budget is too small to fix it.",
  "Bees visit apple trees in spring.",
] as const

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0)

const testEmbedder = async (deps: Deps, value: string, signal: AbortSignal) => {
  if (!isProviderName(parseEngineValue(value).engine)) {
    const model = (await describeSentenceModels(deps.config)).find(({ name }) => name === value)
    if (model && !model.isInstalled) return { ok: false, detail: `The model ${value} is not downloaded.` }
  }
  const embedder: Embedder = await deps.engines.findEmbedder(value)
  const [a, b, c] = (await embedder.embed(SENTENCES, "document", signal)) as [Float32Array, Float32Array, Float32Array]
  const [alike, unlike] = [cosine(a, b), cosine(a, c)]
  const figures = `${a.length} dimensions. Similarity of two sentences about money: ${alike.toFixed(2)}; of one about money and one about bees: ${unlike.toFixed(2)}.`
  if (embedder.isLexical) return { ok: true, detail: `Computed vectors of words with ${figures}` }
  return alike > unlike
    ? { ok: true, detail: `Computed vectors with ${figures}` }
    : { ok: false, detail: `The vectors do not tell meanings apart. They have ${figures} Use a model for embeddings.` }
}

/** Five seconds of speech from the bundled recording. */
const SPEECH_SAMPLE = "public/samples/speech-test.flac"
const SPEECH_SAMPLE_LANGUAGE = "en"

const testSpeech = async ({ config, log }: Deps, value: string, signal: AbortSignal) => {
  const engine = createTranscriber(config, log, value)
  const downloads = new AbortController()
  try {
    const probe = await engine.probe()
    if (!probe.available) return { ok: false, detail: probe.detail }
    const { words, model } = await engine.transcribe({
      path: join(packageRoot(), SPEECH_SAMPLE),
      language: SPEECH_SAMPLE_LANGUAGE,
      model: undefined,
      speakers: 1,
      signal: AbortSignal.any([signal, downloads.signal]),
      progress: ({ phase }) => {
        if (phase === "model")
          downloads.abort(
            new AppError("unavailable", "The models of this engine are not downloaded. Download them first."),
          )
      },
    })
    const text = words.map(({ word }) => word).join(" ")
    if (text === "") return { ok: false, detail: `${model} heard no words in a sample of speech.` }
    return { ok: true, detail: `Transcribed five seconds with ${model}: “${text}”` }
  } finally {
    await engine.close()
  }
}
