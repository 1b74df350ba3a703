"use client"
import { useState } from "react"
import { errorMessage } from "../api/client.ts"
import { Button } from "../ui/Button.tsx"
import { copyText } from "../ui/copy-text.ts"
import { cx } from "../ui/cx.ts"
import { Notice } from "../ui/Notice.tsx"
import { notifyError } from "../ui/toast-queue.ts"
import { findOnMap, saveAsNote, toMarkdown } from "./answer-actions.ts"
import { Chips } from "./Chips.tsx"
import { CitationChip } from "./CitationChip.tsx"
import { getSourceName, isFromRecording, splitAtCitations } from "./citations.ts"
import type { Turn } from "./conversation.ts"
import { SourceList, WhatWasFound } from "./Sources.tsx"
import { toChips } from "./scope-chips.ts"

const AnswerText = ({ turn }: { turn: Turn }) => (
  <p className="max-w-[46rem] text-lg leading-[1.65] whitespace-pre-line [overflow-wrap:anywhere]">
    {splitAtCitations(turn.answer, turn.sources.length, turn.citations).map((part, i) =>
      "text" in part ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only appended
        <bdi key={i}>{part.text}</bdi>
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <CitationChip key={i} cited={{ ...part, source: turn.sources[part.source - 1]!, number: part.source }} />
      ),
    )}
    {turn.state === "writing" && (
      <span
        aria-hidden="true"
        className="ml-0.5 inline-block h-5 w-2 translate-y-1 animate-pulse rounded-sm bg-accent"
      />
    )}
  </p>
)

/** A longer question is collapsed to its first lines, so that pasted text does not push the answer out of view. */
const MAX_HEADING_CHARS = 400

const QuestionHeading = ({ question }: { question: string }) => {
  const [isExpanded, setExpanded] = useState(false)
  const long = question.length > MAX_HEADING_CHARS
  return (
    <div className="grid justify-items-start gap-1">
      <h2 className={cx("text-xl font-[640] [overflow-wrap:anywhere]", long && !isExpanded && "line-clamp-4")}>
        <bdi>{question}</bdi>
      </h2>
      {long && (
        <Button variant="quiet" className="-ml-3.5" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? "Show less" : "Show full question"}
        </Button>
      )}
    </div>
  )
}

/** Where the question was asked, and what it was understood as. */
const Conditions = ({ turn }: { turn: Turn }) => {
  const nameOf = (kind: "clip" | "document", id: string) => {
    const source = turn.sources.find(({ chunk }) => (kind === "clip" ? chunk.metadata.source : chunk.doc_id) === id)
    return source && getSourceName(source.chunk)
  }
  const chips = toChips(turn.filter, nameOf)
  if (chips.length === 0 && turn.rewritten === null) return null
  return (
    <div className="-mt-2 grid gap-2">
      {turn.rewritten !== null && (
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          Searched for “<bdi>{turn.rewritten}</bdi>”
        </p>
      )}
      {chips.length > 0 && <Chips chips={chips} />}
    </div>
  )
}

const AnswerActions = ({ turn }: { turn: Turn }) => {
  const hasRecordings = turn.sources.some(({ chunk }) => isFromRecording(chunk))
  const showOnMap = async () => {
    try {
      const href = await findOnMap(turn)
      if (href) window.location.assign(href)
      else notifyError("The cited sentences are in no topic on the map.")
    } catch (error) {
      notifyError(errorMessage(error))
    }
  }
  return (
    <div className="-ml-3 flex flex-wrap gap-1">
      <Button
        variant="quiet"
        icon="copy"
        onClick={() => void copyText(toMarkdown(turn, window.location.origin), "Answer")}
      >
        Copy with sources
      </Button>
      <Button variant="quiet" icon="note" onClick={() => void saveAsNote(turn)}>
        Save as note
      </Button>
      {hasRecordings && (
        <Button variant="quiet" icon="map" onClick={() => void showOnMap()}>
          Show on map
        </Button>
      )}
    </div>
  )
}

type AnswerProps = { turn: Turn; onRetry: () => void }

/** A question, its streamed answer and the sources. */
export const Answer = ({ turn, onRetry }: AnswerProps) => {
  const cited = new Set([
    ...splitAtCitations(turn.answer, turn.sources.length).flatMap((p) => ("source" in p ? [p.source] : [])),
    ...(turn.found?.extracts ?? []).map(({ source }) => source),
  ])
  return (
    <article aria-label={turn.question.slice(0, MAX_HEADING_CHARS)} className="grid gap-4">
      <QuestionHeading question={turn.question} />
      <Conditions turn={turn} />
      <div aria-live="polite" aria-busy={turn.state === "asking" || turn.state === "writing"} className="grid gap-3">
        {turn.state === "asking" && <p className="animate-pulse text-muted">Searching your sources…</p>}
        {turn.found ? (
          <WhatWasFound found={turn.found} sources={turn.sources} />
        ) : (
          turn.answer && <AnswerText turn={turn} />
        )}
        {turn.state === "failed" && <Notice onRetry={onRetry}>{turn.error}</Notice>}
        {turn.state === "stopped" && (
          <p className="flex items-center gap-3 text-sm text-muted">
            Stopped.
            <Button variant="quiet" icon="retry" onClick={onRetry}>
              Ask again
            </Button>
          </p>
        )}
      </div>
      {turn.state === "done" && cited.size > 0 && <AnswerActions turn={turn} />}
      {(turn.sources.length > 0 || turn.state === "done") && <SourceList turn={turn} cited={cited} />}
      {turn.state === "done" && turn.by && (
        <p className="text-xs text-muted">Answered by {turn.by === "builtin" ? "the built-in engine" : turn.by}</p>
      )}
    </article>
  )
}
