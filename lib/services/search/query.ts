import type { QueryEvent, QueryRequest, QueryResponse } from "../../api/documents.ts"
import type { QueryCitation, QueryCounts, QueryFound, QuerySource } from "../../domain/documents.ts"
import { AppError } from "../../domain/errors.ts"
import type { Turn } from "../../domain/threads.ts"
import { filterCitations } from "../../engines/language/citations.ts"
import { isSupported } from "../../engines/language/support.ts"
import { type AnswerChunk, type Answerer, noAnswerMessage } from "../../engines/language/types.ts"
import type { ChunkScope, StoredChunk } from "../../storage/stores/ports/documents.ts"
import { type Deps, requireStore } from "../deps.ts"
import { indexClips } from "../documents/index-clips.ts"
import { unknownThread } from "../threads/threads.ts"
import { toAnswerTexts } from "./chunk-words.ts"
import { locateCitations, locateSentences } from "./citations.ts"
import { loadCoverageTest } from "./coverage.ts"
import { MAX_PAST_TURNS, rewriteFollowUp } from "./follow-up.ts"
import { resolveScope } from "./query-scope.ts"
import { type RetrievedChunk, retrieve } from "./retrieve.ts"

/** The number of chunks in which recordings that answer are counted, if no language model answers. */
const COUNTED_CHUNKS = 30

/**
 * Answers a question from the documents, the clips or both. Every `[n]` in the answer refers to a source.
 * @throws AppError `unavailable` if a model server is unreachable, `not_found` for an unknown thread
 */
export const query = async (deps: Deps, request: QueryRequest, signal: AbortSignal): Promise<QueryResponse> => {
  const started = await startAnswer(deps, request, signal)
  let answer = ""
  for await (const delta of started.deltas) answer += delta
  return { sources: started.sources, ...(await completeAnswer(deps, request, started, answer)) }
}

/**
 * Answers a question as a stream of events. Its thread keeps an answer that is stopped, too.
 * @throws AppError `unavailable` before the first event, so that the caller can still send an error status
 */
export const streamQuery = async (
  deps: Deps,
  request: QueryRequest,
  signal: AbortSignal,
): Promise<AsyncGenerator<QueryEvent>> => {
  const started = await startAnswer(deps, request, signal)
  const first = await started.deltas.next()
  return streamEvents(deps, request, started, first)
}

type StartedAnswer = {
  readonly chunks: readonly StoredChunk[]
  readonly sources: QuerySource[]
  readonly answerer: Answerer
  readonly deltas: AsyncGenerator<string>
  readonly rewritten_question: string | null
  readonly searched: QueryCounts
  readonly found: QueryFound | null
}

/** Retrieves the sources and starts the answer. */
const startAnswer = async (deps: Deps, request: QueryRequest, signal: AbortSignal): Promise<StartedAnswer> => {
  const { scope, filter, top_k } = request
  const answerer = await deps.engines.getAnswerer()
  const rewritten_question = await rewriteQuestion(deps, request, answerer, signal)
  const question = rewritten_question ?? request.question
  const embedder = await deps.engines.getEmbedder()
  if (scope !== "documents") await indexClips(deps, embedder, signal)
  const chunkScope = await resolveScope(deps, { scope, filter })
  const topK = top_k ?? deps.config.documents.topK
  const depth = answerer.findExtracts ? Math.max(topK, COUNTED_CHUNKS) : topK
  const retrieved = await retrieve(deps, embedder, { ...chunkScope, question, topK: depth, signal })
  const texts = await toAnswerTexts(
    deps,
    retrieved.map(({ chunk }) => chunk),
    filter?.speakers,
  )
  const quotable = retrieved.map(({ chunk }, i) => ({
    text: texts[i]!,
    title: titleOf(chunk),
    document: chunk.documentId,
    isSpoken: chunk.metadata.start_s !== undefined,
  }))
  const offered = quotable.slice(0, topK)
  const chunks = retrieved.slice(0, topK).map(({ chunk }) => chunk)
  const noAnswer = noAnswerMessage(scope)
  const isCovered = (await loadCoverageTest(deps.index, question, chunkScope))(offered.map(toPassage))
  const answer = isCovered ? answerer.answer({ question, chunks: offered, noAnswer }, signal) : yieldOnce(noAnswer)
  const isCitedRightly = ({ source, text }: { readonly source: number; readonly text: string }): boolean =>
    // The builtin engine quotes.
    answerer.model === null || isSupported(text, toPassage(offered[source - 1]!))
  return {
    chunks,
    sources: retrieved.slice(0, topK).map(toSource),
    answerer,
    deltas: filterCitations(answer, chunks.length, isCitedRightly),
    rewritten_question,
    searched: await countSearched(deps, chunkScope),
    found: isCovered ? await findExtracts(deps, answerer, { question, quotable, retrieved, chunks }) : null,
  }
}

const toPassage = ({ title, text }: AnswerChunk): string => `${title}\n${text}`

/** @throws AppError `not_found` for an unknown thread */
const rewriteQuestion = async (
  deps: Deps,
  { question, thread_id }: QueryRequest,
  answerer: Answerer,
  signal: AbortSignal,
): Promise<string | null> => {
  if (thread_id === undefined) return null
  const past = await requireStore(deps).threads.listPast(thread_id, MAX_PAST_TURNS)
  if (past === null) throw unknownThread(thread_id)
  return rewriteFollowUp(answerer, question, past, signal)
}

const countSearched = async ({ index }: Deps, scope: ChunkScope): Promise<QueryCounts> => {
  const { clips, files, chunks } = await index.countInScope(scope)
  return { recordings: clips, documents: files, chunks }
}

type Retrieved = {
  readonly question: string
  readonly quotable: readonly AnswerChunk[]
  readonly retrieved: readonly RetrievedChunk[]
  /** The first of `retrieved`, which are the sources. */
  readonly chunks: readonly StoredChunk[]
}

/** Returns the sentences that answer a question; null with a language model, and if none answers. */
const findExtracts = async (
  deps: Deps,
  answerer: Answerer,
  { question, quotable, retrieved, chunks }: Retrieved,
): Promise<QueryFound | null> => {
  const found = answerer.findExtracts?.({ question, chunks: quotable }, chunks.length)
  if (!found || found.extracts.length === 0) return null
  const sentences = found.extracts.map(({ text, chunk }) => ({ source: chunk + 1, text }))
  const located = await locateSentences(deps, sentences, chunks)
  const isClip = new Map(retrieved.map(({ chunk }) => [chunk.documentId, chunk.kind === "clip"]))
  const recordings = found.documents.filter((id) => isClip.get(id)).length
  return {
    extracts: sentences.map(({ text }, i) => ({ ...located[i]!, text })),
    recordings,
    documents: found.documents.length - recordings,
  }
}

const toSource = ({ chunk: { documentId, ordinal, text, metadata }, score }: RetrievedChunk): QuerySource => ({
  chunk: { id: `${documentId}:${ordinal}`, doc_id: documentId, text, metadata },
  score,
})

const titleOf = ({ metadata }: StoredChunk): string => [metadata.title, metadata.heading].filter(Boolean).join(" — ")

async function* yieldOnce(text: string): AsyncGenerator<string> {
  yield text
}

/** Locates the citations of a complete answer and adds it to its thread. */
const completeAnswer = async (
  deps: Deps,
  request: QueryRequest,
  started: StartedAnswer,
  text: string,
): Promise<Omit<QueryResponse, "sources">> => {
  const { chunks, answerer, rewritten_question, searched, found } = started
  const answer = text.trim()
  const citations = await locateCitations(deps, answer, chunks)
  const turn = await saveTurn(deps, request, started, { state: "done", answer, citations, error: null })
  const { provider, model } = answerer
  return { answer, citations, provider, model, rewritten_question, searched, found, ...(turn !== null && { turn }) }
}

type Ending = Pick<Turn, "state" | "answer" | "error"> & { readonly citations: QueryCitation[] }

/** Adds a question to its thread. Returns its number; null without a thread, and if the thread has been deleted. */
const saveTurn = async (
  deps: Deps,
  { question, scope, filter, thread_id }: QueryRequest,
  { sources, answerer, rewritten_question, searched, found }: StartedAnswer,
  ending: Ending,
): Promise<number | null> => {
  if (thread_id === undefined) return null
  const { provider, model } = answerer
  const asked = { question, rewritten_question, scope, filter: filter ?? null }
  return requireStore(deps).threads.addTurn(thread_id, {
    ...asked,
    sources,
    searched,
    found: ending.state === "done" ? found : null,
    provider,
    model,
    ...ending,
  })
}

async function* streamEvents(
  deps: Deps,
  request: QueryRequest,
  started: StartedAnswer,
  first: IteratorResult<string>,
): AsyncGenerator<QueryEvent> {
  const { sources, rewritten_question, searched, deltas } = started
  let answer = ""
  let ending: Pick<Ending, "state" | "error"> | null = { state: "stopped", error: null }
  try {
    yield { event: "sources", data: { sources, rewritten_question, searched } }
    for (let delta = first; !delta.done; delta = await deltas.next()) {
      answer += delta.value
      yield { event: "delta", data: { text: delta.value } }
    }
    const data = await completeAnswer(deps, request, started, answer)
    ending = null
    yield { event: "done", data }
  } catch (error) {
    deps.log.warn({ err: error }, "answer stopped before its end")
    const detail = AppError.is(error)
      ? error.message
      : "The answer stopped before its end. The log of the service contains the error."
    if (!isAbort(error)) ending = { state: "failed", error: detail }
    yield { event: "error", data: { detail } }
  } finally {
    // Reached at a `yield`, too, if the caller goes away.
    if (ending) await saveUnfinished(deps, request, started, { ...ending, answer: answer.trim(), citations: [] })
  }
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === "AbortError"

const saveUnfinished = async (
  deps: Deps,
  request: QueryRequest,
  started: StartedAnswer,
  ending: Ending,
): Promise<void> => {
  try {
    await saveTurn(deps, request, started, ending)
  } catch (err) {
    deps.log.warn({ err }, "an unfinished answer was not added to its thread")
  }
}
