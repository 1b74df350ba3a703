import { splitTranscript } from "../../documents/clip-chunks.ts"
import type { JobOptions } from "../../domain/jobs/jobs.ts"
import type { CallContext, Embedder, TopicModel } from "../../engines/language/types.ts"
import { mapConcurrently } from "../../platform/concurrency.ts"
import { createMemoryIndex } from "../../storage/stores/memory/document-index.ts"
import type { DocumentIndex } from "../../storage/stores/ports/documents.ts"
import type { Deps } from "../deps.ts"
import { retrieve } from "../search/retrieve.ts"
import { scoreBoundaries } from "./boundary-scores.ts"
import { buildWords, type EvaluatedRecording, listReferenceNodes, toUtteranceBoundaries } from "./recordings.ts"
import { rougeL, rougeTokens } from "./rouge.ts"
import { compareStems } from "./title-scores.ts"

/** The number of passages in which the right one is looked for. */
const TOP_K = 10

/** The scores of one recording. Each is better if higher, except `pk`; `count` is best at 1. */
export type RecordingScores = {
  /** F1 of the boundaries found, within half the tolerance of Pk. */
  readonly boundary_f1: number
  readonly pk: number
  /** The number of topics found divided by that of people. */
  readonly count: number
  /** The share of titles with a content word of the title that people gave the same passage. */
  readonly shared_word: number
  readonly rouge_l: number
  /** The share of titles for which one of the first ten passages is in the topic of that title. */
  readonly found: number
  readonly mrr: number
}
export type Score = keyof RecordingScores

/** Mean and standard deviation over the recordings. */
export type Spread = { readonly mean: number; readonly sd: number }

export type Evaluation = {
  readonly provider: string
  readonly model: string | null
  readonly embedder: string
  readonly recordings: number
  readonly topics: number
  readonly scores: Readonly<Record<Score, Spread>>
  /** How often the builtin provider answered because an answer of the model was unusable. */
  readonly unusable: number
  readonly seconds: number
}

export type EvaluateOptions = Pick<JobOptions, "provider"> & {
  readonly llm_model?: string | undefined
  readonly recordings: readonly EvaluatedRecording[]
  readonly signal: AbortSignal
  /** Reports calls done and calls in total. */
  readonly onProgress?: (done: number, total: number) => void
}

const CALL = { numCtx: 8192, reasoning: false, concurrency: 8 }

type Context = CallContext & { readonly onCall: () => void }

const evaluateTopics = async (topics: TopicModel, recording: EvaluatedRecording, ctx: Context) => {
  const words = buildWords(recording)
  const within = { start_s: 0, end_s: words.at(-1)!.end }
  const found = await topics.findBoundaries({ words, within, level: 1, detail: "normal", blockSeconds: 30 }, ctx)
  ctx.onCall()
  const boundaries = toUtteranceBoundaries(recording, found)
  const { f1, pk, count } = scoreBoundaries(recording.utterances.length, recording.boundaries, boundaries)
  // Titles are written for the topics of people, so that they can be compared whatever the boundaries.
  const nodes = listReferenceNodes(recording, words)
  const titles = await mapConcurrently(nodes, CALL.concurrency, ctx.signal, async (node) => {
    const { title } = await topics.summarize({ words, node, siblings: nodes }, ctx)
    ctx.onCall()
    return title
  })
  const compared = titles.map((title, i) => ({
    shared: compareStems(recording.titles[i]!, title).shared_word,
    rouge: rougeL(rougeTokens(recording.titles[i]!), rougeTokens(title)),
  }))
  return {
    boundary_f1: f1,
    pk,
    count,
    shared_word: mean(compared.map(({ shared }) => shared)),
    rouge_l: mean(compared.map(({ rouge }) => rouge)),
  }
}

/** Indexes the transcripts as questions about recordings find them. */
const indexRecordings = async (
  recordings: readonly EvaluatedRecording[],
  embedder: Embedder,
  { config, signal }: { readonly config: Deps["config"]; readonly signal: AbortSignal },
): Promise<DocumentIndex> => {
  const index = createMemoryIndex()
  for (const recording of recordings) {
    const { id } = recording
    const chunks = splitTranscript({ title: id, transcription: buildWords(recording) }, config.documents.chunkSize)
    const texts = chunks.map(({ text }) => text)
    const vectors = await embedder.embed(texts, "document", signal)
    await index.put({
      id,
      kind: "clip",
      source: id,
      fingerprint: id,
      embedModel: embedder.name,
      chunks: chunks.map((chunk, i) => ({ ...chunk, vector: vectors[i]! })),
    })
  }
  return index
}

/** Searches the recordings for each title. A passage is right if its middle is in the topic of that title. */
const evaluateRetrieval = async (
  config: Deps["config"],
  index: DocumentIndex,
  embedder: Embedder,
  recording: EvaluatedRecording,
  signal: AbortSignal,
) => {
  const nodes = listReferenceNodes(recording, buildWords(recording))
  const ranks: number[] = []
  for (const [i, title] of recording.titles.entries()) {
    const { start_s, end_s } = nodes[i]!
    const request = { question: title, scope: "clips", topK: TOP_K, signal } as const
    const passages = await retrieve({ index, store: null, config }, embedder, request)
    ranks.push(
      passages.findIndex(({ chunk: { metadata } }) => {
        const middle = ((metadata.start_s ?? 0) + (metadata.end_s ?? 0)) / 2
        return metadata.source === recording.id && middle >= start_s && middle < end_s
      }),
    )
  }
  return {
    found: mean(ranks.map((rank) => (rank < 0 ? 0 : 1))),
    mrr: mean(ranks.map((rank) => (rank < 0 ? 0 : 1 / (rank + 1)))),
  }
}

const mean = (list: readonly number[]): number => list.reduce((sum, x) => sum + x, 0) / Math.max(1, list.length)
const round = (value: number): number => Number(value.toFixed(4))

const summarizeScores = (list: readonly RecordingScores[]): Record<Score, Spread> => {
  const entries = (Object.keys(list[0]!) as Score[]).map((score) => {
    const values = list.map((scores) => scores[score])
    const average = mean(values)
    const sd = Math.sqrt(values.reduce((sum, x) => sum + (x - average) ** 2, 0) / Math.max(1, values.length - 1))
    return [score, { mean: round(average), sd: round(sd) }] as const
  })
  return Object.fromEntries(entries) as Record<Score, Spread>
}

/**
 * Measures boundaries, titles and retrieval of a provider and of the embedder of the installation on recordings that people
 * have divided. Stores nothing.
 * @throws AppError `unavailable` if a model is
 */
export const evaluateModels = async (
  { engines, config }: Pick<Deps, "engines" | "config">,
  { provider, llm_model, recordings, signal, onProgress }: EvaluateOptions,
): Promise<Evaluation> => {
  const topics = await engines.getTopicModel({ provider, llm_model })
  const embedder = await engines.getEmbedder()
  await topics.check(signal)
  const started = performance.now()
  const titles = recordings.reduce((sum, recording) => sum + recording.titles.length, 0)
  const total = titles + recordings.length
  let done = 0
  let unusable = 0
  const ctx = {
    ...CALL,
    signal,
    onNote: () => unusable++,
    onCall: () => onProgress?.(++done, total),
  }
  onProgress?.(0, total)
  const index = await indexRecordings(recordings, embedder, { config, signal })
  const scores: RecordingScores[] = []
  for (const recording of recordings) {
    signal.throwIfAborted()
    const found = await evaluateRetrieval(config, index, embedder, recording, signal)
    scores.push({ ...(await evaluateTopics(topics, recording, ctx)), ...found })
  }
  await topics.release()
  return {
    provider: topics.provider,
    model: topics.model,
    embedder: embedder.name,
    recordings: recordings.length,
    topics: titles,
    scores: summarizeScores(scores),
    unusable,
    seconds: round((performance.now() - started) / 1000),
  }
}
