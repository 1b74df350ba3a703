import type { QueryEvent, QueryRequest, QueryResult } from "../../api/documents.ts"
import type { QuerySource } from "../../domain/documents.ts"
import { AppError } from "../../domain/errors.ts"
import { validCitations } from "../../engines/language/citations.ts"
import { type Answerer, noAnswerMessage } from "../../engines/language/types.ts"
import type { Deps } from "../deps.ts"
import { fillClips } from "../documents/index-clips.ts"
import { cite } from "./retrieval/cite.ts"
import { isCovered } from "./retrieval/coverage.ts"
import { insertSentenceBreaks } from "./retrieval/insert-sentence-breaks.ts"
import { type Retrieved, retrieve } from "./retrieval/retrieve.ts"

const toSource = ({ chunk: { documentId, ordinal, text, metadata }, score }: Retrieved): QuerySource => ({
  chunk: { id: `${documentId}:${ordinal}`, doc_id: documentId, text, metadata },
  score,
})

const titleOf = ({ chunk: { metadata } }: QuerySource): string =>
  [metadata.title, metadata.heading].filter(Boolean).join(" — ")

type Opened = { readonly sources: QuerySource[]; readonly answerer: Answerer; readonly pieces: AsyncGenerator<string> }

async function* only(text: string): AsyncGenerator<string> {
  yield text
}

/** Finds the passages and begins the answer: what can be refused is refused here, before anything is sent. */
const open = async (deps: Deps, { question, scope, top_k }: QueryRequest, signal: AbortSignal): Promise<Opened> => {
  const embedder = await deps.engines.embedder()
  if (scope !== "documents") await fillClips(deps, embedder, signal)
  const topK = top_k ?? deps.config.documents.topK
  const sources = (await retrieve(deps, embedder, { question, scope, topK, signal })).map(toSource)
  const answerer = await deps.engines.answerer()
  const passages = await Promise.all(
    sources.map(async (s) => ({ text: await insertSentenceBreaks(deps, s), title: titleOf(s) })),
  )
  const known = await isCovered(deps.index, question, scope, passages)
  const nowhere = noAnswerMessage(scope)
  const answer = known ? answerer.answer({ question, passages, nowhere }, signal) : only(nowhere)
  return { sources, answerer, pieces: validCitations(answer, sources.length) }
}

/**
 * Answers a question from the documents, the clips or both. Every `[n]` of the answer names one of the sources.
 * @throws AppError `unavailable` when a model server cannot be reached
 */
export const query = async (deps: Deps, request: QueryRequest, signal: AbortSignal): Promise<QueryResult> => {
  const { sources, answerer, pieces } = await open(deps, request, signal)
  let answer = ""
  for await (const piece of pieces) answer += piece
  const citations = await cite(deps, answer, sources)
  return { answer: answer.trim(), sources, citations, provider: answerer.provider, model: answerer.model }
}

/** The same as a stream of events. @throws as `query`, before the first event */
export const openQuery = async (
  deps: Deps,
  request: QueryRequest,
  signal: AbortSignal,
): Promise<AsyncGenerator<QueryEvent>> => {
  const opened = await open(deps, request, signal)
  const first = await opened.pieces.next()
  return events(deps, opened, first)
}

async function* events(deps: Deps, opened: Opened, first: IteratorResult<string>): AsyncGenerator<QueryEvent> {
  const { sources, answerer, pieces } = opened
  yield { event: "sources", data: { sources } }
  let answer = ""
  try {
    for (let piece = first; !piece.done; piece = await pieces.next()) {
      answer += piece.value
      yield { event: "delta", data: { text: piece.value } }
    }
    const citations = await cite(deps, answer, sources)
    const { provider, model } = answerer
    yield { event: "done", data: { answer: answer.trim(), citations, provider, model } }
  } catch (error) {
    deps.log.warn({ err: error }, "an answer broke off")
    const detail = AppError.is(error) ? error.message : "The answer broke off; the service's log says why."
    yield { event: "error", data: { detail } }
  }
}
