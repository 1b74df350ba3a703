import type { QueryScope } from "../../domain/documents.ts"
import type { ProviderName, TopicDetail } from "../../domain/jobs/jobs.ts"
import type { StoredLine } from "../../domain/summaries.ts"
import type { SummaryKind } from "../../domain/summary-templates.ts"
import type { TopicNode } from "../../domain/topics/topic-tree.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"

/** A time range of the recording, in seconds. */
export type Span = { readonly start_s: number; readonly end_s: number }

/** The time range of a topic node, with its ID: "1" for the first topic, "1.2" for its second subtopic. */
export type NodeSpan = Span & { readonly id: string }

export type CallContext = {
  readonly signal: AbortSignal
  /** Context size to request from the model, in tokens. */
  readonly numCtx: number
  /** Enables thinking if the model supports it. */
  readonly reasoning: boolean
  /** Maximum number of concurrent calls of this process. Unlimited by default. */
  readonly concurrency?: number
  /** Reports how many calls of a request have completed, and how many it needs. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** Receives notes for the user, such as results that another engine produced. */
  readonly onNote?: ((sentence: string) => void) | undefined
}

export type BoundaryRequest = {
  /** All words of the recording. Starts must not decrease. */
  readonly words: readonly WordSpan[]
  /** The section to divide. */
  readonly within: Span
  readonly level: 1 | 2
  readonly detail: TopicDetail
  /** Length of a time block of the transcript that a language model gets, in seconds. */
  readonly blockSeconds: number
}

export type SummaryRequest = {
  readonly words: readonly WordSpan[]
  readonly node: NodeSpan
  /** All nodes of the same level, including this one. Their titles must differ. */
  readonly siblings: readonly NodeSpan[]
}

export type DecisionRequest = SummaryRequest & { readonly detail: TopicDetail }

export type Summary = { readonly title: string; readonly summary: string }
export type OverviewRequest = {
  readonly words: readonly WordSpan[]
  /** The topics in order, with their subtopics. */
  readonly topics: readonly (NodeSpan & Summary & { readonly children: readonly (NodeSpan & Summary)[] })[]
}

export type RegionRequest = {
  /** The titles of the most typical topics. */
  readonly titles: readonly string[]
  /** Phrases that are said there more often than elsewhere. */
  readonly phrases: readonly string[]
}

/**
 * Finds topics and writes their titles and summaries. Implementations are safe to call concurrently. Every method throws
 * AppError `unavailable`: to be retried if the server is unreachable, and not to be retried if the model is missing.
 */
export interface TopicModel {
  readonly provider: ProviderName
  /** The name of the language model, or null if none is used. */
  readonly model: string | null
  /** Throws AppError if the model is not available. */
  check(signal: AbortSignal): Promise<void>
  /** Splits `within` into at least one topic. The topics cover `within` in order, without gaps. */
  findBoundaries(request: BoundaryRequest, ctx: CallContext): Promise<Span[]>
  /** Decides whether a topic is divided into subtopics. */
  decide(request: DecisionRequest, ctx: CallContext): Promise<{ reason: string; subdivide: boolean }>
  /** Writes a title of at most 120 characters and a summary of one or two sentences. */
  summarize(request: SummaryRequest, ctx: CallContext): Promise<Summary>
  /** Writes a title of at most 120 characters and a summary of two to four sentences for the whole recording. */
  summarizeRecording(request: OverviewRequest, ctx: CallContext): Promise<Summary>
  /**
   * Names what topics of different recordings have in common, in one call. Returns null if their titles tell nothing.
   * Absent without a language model.
   */
  nameRegion?(request: RegionRequest, ctx: CallContext): Promise<string | null>
  /** Unloads the model from memory until the next call. Never throws. */
  release(): Promise<void>
}

/** Converts texts to vectors of unit length, in order. Equal texts have equal vectors. */
export interface Embedder {
  /** The name that is stored with its vectors. One map never mixes vectors of different names. */
  readonly name: string
  /** True if vectors only tell which words a text contains, so that the map weighs the words of topics itself. */
  readonly isLexical: boolean
  embed(texts: readonly string[], kind: "document" | "query", signal?: AbortSignal): Promise<Float32Array[]>
}

/** A source of an answer. */
export type AnswerChunk = {
  readonly text: string
  readonly title: string
  /** Identifies the document or recording. */
  readonly document?: string
  /** True if the text was spoken rather than written. */
  readonly isSpoken?: boolean
}

export type AnswerRequest = {
  readonly question: string
  /** The sources, in order of relevance. The answer cites the first as `[1]`. */
  readonly chunks: readonly AnswerChunk[]
  /** The answer if the chunks do not contain one. `NOT_IN_DOCUMENTS` by default. */
  readonly noAnswer?: string
}

export type RewriteRequest = {
  readonly question: string
  /** The questions before it with their answers, in order. */
  readonly past: readonly { readonly question: string; readonly answer: string }[]
}

/** Sentences of chunks that answer a question. */
export type Extracts = {
  /** Best first. `chunk` is the position of the chunk. */
  readonly extracts: readonly { readonly text: string; readonly chunk: number }[]
  /** The documents, by their `document`, in which a sentence answers. */
  readonly documents: readonly string[]
}

const SCOPE_NAMES: Readonly<Record<QueryScope, string>> = {
  documents: "documents",
  clips: "recordings",
  all: "recordings and documents",
}

/** Returns the answer for chunks that do not contain one. */
export const noAnswerMessage = (scope: QueryScope): string => `The answer is not in the ${SCOPE_NAMES[scope]}.`
export const NOT_IN_DOCUMENTS = noAnswerMessage("documents")

/**
 * Answers questions from chunks only, and cites chunk n as `[n]`. Implementations are safe to call concurrently. Throws
 * AppError `unavailable` if the server is unreachable or the model is missing, if possible before the first text.
 */
export interface Answerer {
  readonly provider: ProviderName
  /** The name of the language model, or null if none is used. */
  readonly model: string | null
  /** Streams the text of the answer. */
  answer(request: AnswerRequest, signal: AbortSignal): AsyncGenerator<string>
  /** Rewrites a question so that it can be understood without those before it. Absent without a language model. */
  rewrite?(request: RewriteRequest, signal: AbortSignal): Promise<string>
  /**
   * Finds the sentences that answer a question, rather of different documents. The first `quotable` chunks may be quoted, all
   * count for `documents`. Absent with a language model.
   */
  findExtracts?(request: AnswerRequest, quotable: number): Extracts
}

/** A form to fill in from a recording. */
export type SummaryForm = {
  readonly kind: SummaryKind
  /** What to write, for a form of kind `prompt`. */
  readonly prompt: string | null
  readonly words: readonly WordSpan[]
  /** The names of speakers by ID. */
  readonly speakers: Readonly<Record<string, string>>
  /** The main topics in order, with their subtopics. */
  readonly topics: readonly TopicNode[]
  /** The language of the recording; null if unknown. */
  readonly language: string | null
}

export type FilledForm = {
  readonly lines: readonly StoredLine[]
  /** How many lines were left out because their citation is not in the recording. */
  readonly dropped: number
}

/**
 * Fills in forms. Implementations are safe to call concurrently. Throws AppError `unavailable` if the server is unreachable or
 * the model is missing, and `conflict` if the engine cannot fill in the form.
 */
export interface Summarizer {
  readonly provider: ProviderName
  /** The name of the language model, or null if none is used. */
  readonly model: string | null
  fillIn(form: SummaryForm, ctx: CallContext): Promise<FilledForm>
}
