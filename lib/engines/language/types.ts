import type { QueryScope } from "../../domain/documents.ts"
import type { ProviderName } from "../../domain/jobs/jobs.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"

/** A stretch of the recording, in seconds. */
export type Span = { readonly start_s: number; readonly end_s: number }

/** A stretch with the id under which every stage knows it: "1" for the first L1 topic, "1.2" for its second part. */
export type Node = Span & { readonly id: string }

export type CallContext = {
  readonly signal: AbortSignal
  /** Tokens of context to ask the model for. */
  readonly numCtx: number
  /** Let a model that can think do so. */
  readonly reasoning: boolean
  /** Calls that the process may have open at once; as many as there are when not said. */
  readonly concurrency?: number
  /** Told of calls done of calls in all, where one request needs many. */
  readonly progress?: ((done: number, total: number) => void) | undefined
  /** Takes a sentence for the reader of the clip: something was not made as asked. */
  readonly note?: ((sentence: string) => void) | undefined
}

export type BoundaryRequest = {
  /** All words of the recording, starts not falling. */
  readonly words: readonly WordSpan[]
  /** The part of it to divide. */
  readonly within: Span
  readonly level: 1 | 2
  /** Width of a time bucket of the boundary text, in seconds. */
  readonly blockSeconds: number
}

export type SummaryRequest = {
  readonly words: readonly WordSpan[]
  readonly node: Node
  /** All nodes of the same level, this one among them: a title must tell them apart. */
  readonly siblings: readonly Node[]
}

export type Summary = { readonly title: string; readonly summary: string }
export type OverviewRequest = {
  readonly words: readonly WordSpan[]
  /** The L1 topics in order, with the summaries of their parts. */
  readonly topics: readonly (Node & Summary & { readonly children: readonly (Node & Summary)[] })[]
}

/**
 * Finds and names topics. An implementation is safe to call concurrently. Every method throws AppError `unavailable`
 * (retry) when its server cannot be reached and AppError (never) when its model is not there.
 */
export interface TopicModel {
  readonly provider: ProviderName
  /** Name of the language model, or null when there is none. */
  readonly model: string | null
  /** Throws the promised sentence when the model cannot be used. */
  check(signal: AbortSignal): Promise<void>
  /** Parts that tile `within` in order, first start = within.start_s, last end = within.end_s; at least one. */
  boundaries(request: BoundaryRequest, ctx: CallContext): Promise<Span[]>
  decide(request: SummaryRequest, ctx: CallContext): Promise<{ reason: string; subdivide: boolean }>
  /** Title of at most 120 characters, summary of one or two sentences. */
  summarize(request: SummaryRequest, ctx: CallContext): Promise<Summary>
  /** Title of at most 120 characters, summary of two to four sentences. */
  overview(request: OverviewRequest, ctx: CallContext): Promise<Summary>
  /** Frees what the model holds (graphics memory); the next call loads it again. Never throws for a server that is gone. */
  release(): Promise<void>
}

/** Turns texts into vectors of unit length, one each, in order. Stateless: equal text, equal vector. */
export interface Embedder {
  /** Name under which its vectors are kept; one map never mixes names. */
  readonly name: string
  /** Cosine up to which a text has nothing to do with a question, as far as these vectors tell; 0 when unknown. */
  readonly unrelated: number
  embed(texts: readonly string[], kind: "document" | "query", signal?: AbortSignal): Promise<Float32Array[]>
}

/** What an answer may be made from: passages in order of relevance, `[1]` the first. */
export type AnswerRequest = {
  readonly question: string
  readonly passages: readonly { readonly text: string; readonly title: string }[]
  /** What to say when they do not hold it; `NOT_IN_DOCUMENTS` when not given. */
  readonly nowhere?: string
}

const ASKED: Readonly<Record<QueryScope, string>> = {
  documents: "documents",
  clips: "recordings",
  all: "recordings and documents",
}

/** What every answerer says when the passages do not hold the answer, by what was asked. */
export const noAnswerMessage = (scope: QueryScope): string => `The answer is not in the ${ASKED[scope]}.`
export const NOT_IN_DOCUMENTS = noAnswerMessage("documents")

/**
 * Answers questions from passages and nothing else, with `[n]` after what it takes from passage n. An implementation is
 * safe to call concurrently. Throws AppError `unavailable` when its server cannot be reached or its model is not there,
 * before the first piece of text where it can.
 */
export interface Answerer {
  readonly provider: ProviderName
  /** Name of the language model, or null when there is none. */
  readonly model: string | null
  /** The answer in pieces, as they come. */
  answer(request: AnswerRequest, signal: AbortSignal): AsyncGenerator<string>
}
