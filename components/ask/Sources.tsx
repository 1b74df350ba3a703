import Link from "next/link"
import type { QueryExtract, QueryFound, QuerySource } from "#lib/domain/documents.ts"
import { formatClock, formatCount } from "../ui/format.ts"
import { Icon } from "../ui/Icon.tsx"
import { CitationChip, SourceName } from "./CitationChip.tsx"
import { describeLocation, getSourceHref, groupBy, isFromRecording } from "./citations.ts"
import type { Turn } from "./conversation.ts"
import { playSource } from "./play-source.ts"

const describeCounts = ({ recordings, documents }: Pick<QueryFound, "recordings" | "documents">): string | null => {
  const parts = [
    ...(recordings > 0 ? [`${formatCount(recordings, "recording")}`] : []),
    ...(documents > 0 ? [`${formatCount(documents, "document")}`] : []),
  ]
  if (recordings + documents < 2) return null
  return `${recordings > 0 ? "Said" : "Found"} in ${parts.join(" and ")}`
}

const Extract = ({ extract, source }: { extract: QueryExtract; source: QuerySource }) => {
  const { start_s, speaker, text } = extract
  const isSpoken = isFromRecording(source.chunk)
  const place = isSpoken ? (start_s === undefined ? "" : formatClock(start_s)) : describeLocation(source.chunk)
  return (
    <li className="flex gap-2.5">
      {isSpoken && (
        <button
          type="button"
          aria-label={`Play from ${place}`}
          onClick={() => void playSource(source.chunk.metadata.source, start_s ?? 0)}
          className="mt-0.5 grid size-7 shrink-0 place-items-center rounded-full bg-accent-wash text-accent transition hover:bg-accent hover:text-accent-ink max-sm:size-10"
        >
          <Icon name="play" size={13} className="fill-current" />
        </button>
      )}
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="max-w-[46rem] text-base leading-[1.6] [overflow-wrap:anywhere]">
          <bdi>{text}</bdi>
          <CitationChip cited={{ source, number: extract.source, start_s, speaker }} />
        </p>
        {(speaker || place) && (
          <span className="numeric text-xs text-muted">{[speaker, place].filter(Boolean).join(" · ")}</span>
        )}
      </div>
    </li>
  )
}

/** Sentences that answer a question, grouped by recording and document. */
export const WhatWasFound = ({ found, sources }: { found: QueryFound; sources: readonly QuerySource[] }) => {
  const sourceOf = ({ source }: QueryExtract): QuerySource => sources[source - 1]!
  const counts = describeCounts(found)
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h3 className="text-sm font-[620]">What was found</h3>
        {counts && <span className="text-sm text-muted">{counts}</span>}
      </div>
      {groupBy(found.extracts, (extract) => sourceOf(extract).chunk.doc_id).map((extracts) => (
        <section key={sourceOf(extracts[0]!).chunk.doc_id} className="grid gap-2 border-l-2 border-line pl-3.5">
          <SourceName source={sourceOf(extracts[0]!)} className="text-sm" />
          <ul className="grid gap-2.5">
            {extracts.map((extract) => (
              <Extract key={`${extract.source} ${extract.text}`} extract={extract} source={sourceOf(extract)} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

type SourceListProps = { turn: Turn; cited: ReadonlySet<number> }

/** The sources of an answer, one group for each recording and document. Numbers are those of the citations. */
const SourceGroups = ({ turn, cited }: SourceListProps) => {
  const numbered = turn.sources.map((source, i) => ({ source, number: i + 1 }))
  return (
    <div className="grid grid-cols-1 gap-3">
      {groupBy(numbered, ({ source }) => source.chunk.doc_id).map((group) => (
        <section
          key={group[0]!.source.chunk.doc_id}
          className="grid gap-1 rounded-md border border-line px-3 py-2.5 text-sm"
        >
          <SourceName source={group[0]!.source} />
          <ul className="grid gap-0.5">
            {group.map(({ source, number }) => {
              const cited_s = turn.citations?.find((c) => c.source === number)?.start_s
              return (
                <li key={source.chunk.id}>
                  <Link
                    href={getSourceHref(source, cited_s)}
                    prefetch={false}
                    className="-mx-1.5 flex gap-2 rounded-sm px-1.5 py-1 transition hover:bg-accent-wash"
                  >
                    {cited.has(number) && <span className="numeric text-xs font-[620] text-accent">{number}</span>}
                    <span className="numeric w-24 shrink-0 truncate text-xs text-muted">
                      {describeLocation(source.chunk, cited_s)}
                    </span>
                    <span className="line-clamp-2 min-w-0 flex-1 text-xs text-soft">
                      <bdi>{source.chunk.text}</bdi>
                    </span>
                  </Link>
                </li>
              )
            })}
          </ul>
        </section>
      ))}
    </div>
  )
}

const describeSearched = ({ searched }: Turn): string | null => {
  if (!searched) return null
  const { recordings, documents } = searched
  if (recordings + documents === 0) return "Nothing was searched: no recording or document matches these conditions."
  const parts = [
    ...(recordings > 0 ? [formatCount(recordings, "recording")] : []),
    ...(documents > 0 ? [formatCount(documents, "document")] : []),
  ]
  return `Searched ${parts.join(" and ")}.`
}

/** The sources of an answer, folded. If nothing answers, it says what was searched. */
export const SourceList = ({ turn, cited }: SourceListProps) => {
  const isUncited = turn.state === "done" && cited.size === 0
  const { length } = turn.sources
  return (
    <div className="grid gap-2">
      {isUncited && <p className="text-sm text-muted">{describeSearched(turn)}</p>}
      {length > 0 && (
        <details className="group grid gap-2">
          <summary className="w-fit cursor-pointer rounded-sm text-sm font-[560] text-soft hover:text-ink">
            {isUncited ? `Closest matches (${length})` : `${formatCount(length, "source")}`}
          </summary>
          <div className="pt-2">
            <SourceGroups turn={turn} cited={cited} />
          </div>
        </details>
      )}
    </div>
  )
}
