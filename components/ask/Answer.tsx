"use client"
import Link from "next/link"
import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { cx } from "../ui/cx.ts"
import { Icon } from "../ui/Icon.tsx"
import { Notice } from "../ui/Notice.tsx"
import { describeLocation, getSourceHref, getSourceName, isFromRecording, splitAtCitations } from "./citations.ts"
import type { Turn } from "./conversation.ts"

const AnswerText = ({ turn }: { turn: Turn }) => (
  <p className="max-w-[46rem] text-lg leading-[1.65] whitespace-pre-line [overflow-wrap:anywhere]">
    {splitAtCitations(turn.answer, turn.sources.length, turn.citations).map((part, i) =>
      "text" in part ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts are only appended
        <bdi key={i}>{part.text}</bdi>
      ) : (
        <Link
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={i}
          href={getSourceHref(turn.sources[part.source - 1]!, part.start_s)}
          prefetch={false}
          aria-label={`Source ${part.source}: ${getSourceName(turn.sources[part.source - 1]!.chunk)}`}
          className="numeric mx-0.5 inline-grid h-5 min-w-5 -translate-y-0.5 place-items-center rounded-full bg-accent-wash px-1 text-xs font-[620] text-accent transition hover:bg-accent hover:text-accent-ink"
        >
          {part.source}
        </Link>
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

/** The sources of an answer, with the cited ones emphasized. If the answer cites none, they are listed as closest matches. */
const SourceList = ({ turn }: { turn: Turn }) => {
  const cited = new Set(
    splitAtCitations(turn.answer, turn.sources.length).flatMap((p) => ("source" in p ? [p.source] : [])),
  )
  const isUncited = turn.state === "done" && cited.size === 0
  const List = isUncited ? "ul" : "ol"
  return (
    <>
      {isUncited && <h3 className="-mb-2 text-sm font-[560] text-muted">Closest matches</h3>}
      <List className="grid grid-cols-1 gap-1.5 sm:grid-cols-2" aria-label={isUncited ? "Closest matches" : "Sources"}>
        {turn.sources.map((source, i) => {
          const { chunk } = source
          const cited_s = turn.citations?.find((c) => c.source === i + 1)?.start_s
          return (
            <li key={chunk.id}>
              <Link
                href={getSourceHref(source, cited_s)}
                prefetch={false}
                className={cx(
                  "grid h-full gap-x-2 rounded-md border px-3 py-2.5 text-sm transition hover:border-line-strong",
                  !isUncited && "grid-cols-[1.5rem_minmax(0,1fr)]",
                  cited.has(i + 1) ? "border-line-strong bg-surface" : "border-line",
                )}
              >
                {!isUncited && <span className="numeric font-[620] text-accent">{i + 1}</span>}
                <span className="grid min-w-0 grid-cols-1 gap-0.5">
                  <span className="flex min-w-0 items-center gap-1.5">
                    <Icon name={isFromRecording(chunk) ? "wave" : "file"} size={14} className="shrink-0 text-muted" />
                    <bdi className="truncate font-[560]">{getSourceName(chunk)}</bdi>
                  </span>
                  <span className="numeric truncate text-xs text-muted">{describeLocation(chunk, cited_s)}</span>
                  <span className="line-clamp-2 text-xs text-soft">
                    <bdi>{chunk.text}</bdi>
                  </span>
                </span>
              </Link>
            </li>
          )
        })}
      </List>
    </>
  )
}

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

type AnswerProps = { turn: Turn; onRetry: () => void }

/** A question, its streamed answer and the sources. */
export const Answer = ({ turn, onRetry }: AnswerProps) => (
  <article aria-label={turn.question.slice(0, MAX_HEADING_CHARS)} className="grid gap-4">
    <QuestionHeading question={turn.question} />
    <div aria-live="polite" aria-busy={turn.state === "asking" || turn.state === "writing"} className="grid gap-3">
      {turn.state === "asking" && <p className="animate-pulse text-muted">Searching your sources…</p>}
      {turn.answer && <AnswerText turn={turn} />}
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
    {turn.sources.length > 0 && <SourceList turn={turn} />}
    {turn.by && (
      <p className="text-xs text-muted">Answered by {turn.by === "builtin" ? "the built-in engine" : turn.by}</p>
    )}
  </article>
)
