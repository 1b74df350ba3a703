import type { QueryEvent, QueryRequest, QueryResponse } from "../../api/documents.ts"
import type { QuerySource } from "../../domain/documents.ts"
import { AppError } from "../../domain/errors.ts"
import { filterCitations } from "../../engines/language/citations.ts"
import { type Answerer, noAnswerMessage } from "../../engines/language/types.ts"
import type { StoredChunk } from "../../storage/stores/ports/documents.ts"
import type { Deps } from "../deps.ts"
import { indexClips } from "../documents/index-clips.ts"
import { toAnswerTexts } from "./chunk-words.ts"
import { locateCitations } from "./citations.ts"
import { loadCoverageTest } from "./coverage.ts"
import { resolveScope } from "./query-scope.ts"
import { type RetrievedChunk, retrieve } from "./retrieve.ts"

/**
 * Answers a question from the documents, the clips or both. Every `[n]` in the answer refers to a source.
 * @throws AppError `unavailable` if a model server is unreachable
 */
export const query = async (deps: Deps, request: QueryRequest, signal: AbortSignal): Promise<QueryResponse> => {
  const { chunks, sources, answerer, deltas } = await startAnswer(deps, request, signal)
  let answer = ""
  for await (const delta of deltas) answer += delta
  const citations = await locateCitations(deps, answer, chunks)
  return { answer: answer.trim(), sources, citations, provider: answerer.provider, model: answerer.model }
}

/**
 * Answers a question as a stream of events.
 * @throws AppError `unavailable` before the first event, so that the caller can still send an error status
 */
export const streamQuery = async (
  deps: Deps,
  request: QueryRequest,
  signal: AbortSignal,
): Promise<AsyncGenerator<QueryEvent>> => {
  const started = await startAnswer(deps, request, signal)
  const first = await started.deltas.next()
  return streamEvents(deps, started, first)
}

type StartedAnswer = {
  readonly chunks: readonly StoredChunk[]
  readonly sources: QuerySource[]
  readonly answerer: Answerer
  readonly deltas: AsyncGenerator<string>
}

/** Retrieves the sources and starts the answer. */
const startAnswer = async (
  deps: Deps,
  { question, scope, filter, top_k }: QueryRequest,
  signal: AbortSignal,
): Promise<StartedAnswer> => {
  const embedder = await deps.engines.getEmbedder()
  if (scope !== "documents") await indexClips(deps, embedder, signal)
  const topK = top_k ?? deps.config.documents.topK
  const chunkScope = await resolveScope(deps, { scope, filter })
  const retrieved = await retrieve(deps, embedder, { ...chunkScope, question, topK, signal })
  const chunks = retrieved.map(({ chunk }) => chunk)
  const answerer = await deps.engines.getAnswerer()
  const texts = await toAnswerTexts(deps, chunks, filter?.speakers)
  const quotable = chunks.map((chunk, i) => ({
    text: texts[i]!,
    title: titleOf(chunk),
    document: chunk.documentId,
    isSpoken: chunk.metadata.start_s !== undefined,
  }))
  const noAnswer = noAnswerMessage(scope)
  const isCovered = await loadCoverageTest(deps.index, question, chunkScope)
  const answer = isCovered(quotable.map(({ title, text }) => `${title}\n${text}`))
    ? answerer.answer({ question, chunks: quotable, noAnswer }, signal)
    : yieldOnce(noAnswer)
  return { chunks, sources: retrieved.map(toSource), answerer, deltas: filterCitations(answer, chunks.length) }
}

const toSource = ({ chunk: { documentId, ordinal, text, metadata }, score }: RetrievedChunk): QuerySource => ({
  chunk: { id: `${documentId}:${ordinal}`, doc_id: documentId, text, metadata },
  score,
})

const titleOf = ({ metadata }: StoredChunk): string => [metadata.title, metadata.heading].filter(Boolean).join(" — ")

async function* yieldOnce(text: string): AsyncGenerator<string> {
  yield text
}

async function* streamEvents(
  deps: Deps,
  { chunks, sources, answerer, deltas }: StartedAnswer,
  first: IteratorResult<string>,
): AsyncGenerator<QueryEvent> {
  yield { event: "sources", data: { sources } }
  let answer = ""
  try {
    for (let delta = first; !delta.done; delta = await deltas.next()) {
      answer += delta.value
      yield { event: "delta", data: { text: delta.value } }
    }
    const citations = await locateCitations(deps, answer, chunks)
    const { provider, model } = answerer
    yield { event: "done", data: { answer: answer.trim(), citations, provider, model } }
  } catch (error) {
    deps.log.warn({ err: error }, "answer stopped before its end")
    const detail = AppError.is(error)
      ? error.message
      : "The answer stopped before its end. The log of the service contains the error."
    yield { event: "error", data: { detail } }
  }
}
