"use client"
import Link from "next/link"
import { useMemo, useState } from "react"
import type { SearchAnswer } from "#lib/domain/search.ts"
import { errorMessage } from "../../api/client.ts"
import { useClips } from "../../api/clips.ts"
import { ReplaceDialogHost } from "../../replace/ReplaceDialogHost.tsx"
import { openReplaceDialog } from "../../replace/replace-dialog-store.ts"
import { Highlighted } from "../../search/Highlighted.tsx"
import { togglePreview, usePreview } from "../../search/preview.ts"
import { getRecordingHref, useLibrarySearch } from "../../search/use-library-search.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { formatClock, formatCount } from "../../ui/format.ts"
import { Notice } from "../../ui/Notice.tsx"
import { type ClipRow, countFilters, type LibraryParams, toClipsQuery } from "./library-params.ts"
import { groupHits, type Hit, type ResultGroup } from "./search-groups.ts"
import { TopicStrip } from "./TopicStrip.tsx"

const MAX_HITS = 100
/** Hits of one recording that are shown before "more". */
const SHOWN_HITS = 3
/** Recordings that are shown before "Show all". */
const SHOWN_GROUPS = 20

const HitText = ({ hit }: { hit: Hit }) =>
  hit.kind === "topic" && hit.text !== hit.title ? (
    <>
      <bdi className="font-[560]">{hit.title}</bdi>
      <span className="text-soft">
        {" — "}
        <Highlighted {...hit} />
      </span>
    </>
  ) : (
    <span className={hit.kind === "topic" ? "font-[560]" : undefined}>
      {hit.kind === "note" && (
        <span className="mr-1.5 rounded-full border border-line-strong px-1.5 text-xs text-muted">Note</span>
      )}
      <Highlighted {...hit} />
    </span>
  )

const HitRow = ({ hit, clipId, title }: { hit: Hit; clipId: string; title: string }) => {
  const key = `${clipId} ${hit.kind} ${hit.start_s}`
  const isPlaying = usePreview((s) => s.playing === key)
  return (
    <li className="group/hit flex items-start rounded-md transition hover:bg-accent-wash">
      <IconButton
        name={isPlaying ? "pause" : "play"}
        label={`${isPlaying ? "Stop" : "Play"} ${title} from ${formatClock(hit.start_s)}`}
        aria-pressed={isPlaying}
        onClick={() => togglePreview(key, clipId, hit.start_s)}
        className="size-9 text-muted max-sm:size-11"
      />
      <Link
        href={getRecordingHref(clipId, hit.start_s)}
        prefetch={false}
        className="grid min-w-0 flex-1 grid-cols-[1fr_auto] items-baseline gap-x-4 rounded-md py-1.5 pr-3"
      >
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <HitText hit={hit} />
        </span>
        <span className="numeric text-sm text-accent">{formatClock(hit.start_s)}</span>
      </Link>
    </li>
  )
}

/** The strip of a recording with a tick for each hit. */
const HitStrip = ({ clip, hits }: { clip: ClipRow; hits: readonly Hit[] }) => (
  <span className="relative block w-44 shrink-0 py-1.5 max-sm:hidden">
    <TopicStrip strip={clip.strip} duration_s={clip.duration_s} />
    {[...new Set(hits.map(({ start_s }) => start_s))].map((start_s) => (
      <span
        key={start_s}
        aria-hidden="true"
        style={{ left: `${(100 * start_s) / Math.max(1, clip.duration_s)}%` }}
        className="absolute inset-y-0 w-0.5 rounded-full bg-ink"
      />
    ))}
  </span>
)

const Group = ({ group: { id, title, titleMarks, hits, clip } }: { group: ResultGroup }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="grid gap-1 border-b border-line pb-3 last:border-0">
      <div className="flex items-center gap-4 pl-2.5">
        <h3 className="min-w-0 flex-1 truncate font-[620]">
          <Link href={getRecordingHref(id)} prefetch={false} className="rounded-sm hover:text-accent">
            <Highlighted text={title} marks={titleMarks} />
          </Link>
        </h3>
        {clip && <HitStrip clip={clip} hits={hits} />}
      </div>
      <ul className="grid grid-cols-1">
        {(isOpen ? hits : hits.slice(0, SHOWN_HITS)).map((hit) => (
          <HitRow key={`${hit.kind} ${hit.start_s} ${hit.text}`} hit={hit} clipId={id} title={title} />
        ))}
      </ul>
      {hits.length > SHOWN_HITS && !isOpen && (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="h-8 justify-self-start rounded-full px-3 text-sm text-muted hover:text-ink max-sm:h-11"
        >
          {hits.length - SHOWN_HITS} more
        </button>
      )}
    </li>
  )
}

const countHits = ({ topics, words, notes }: SearchAnswer): number =>
  topics.length + words.length + notes.filter(({ clip_id }) => clip_id !== null).length

/** What the search finds, grouped by recording. Filters and the order of the list apply, too. */
export const SearchResults = ({ query, params }: { query: string; params: LibraryParams }) => {
  const found = useLibrarySearch(query, MAX_HITS)
  const listQuery = useMemo(() => ({ ...toClipsQuery(params), q: query }), [params, query])
  const clips = useClips(listQuery)
  const [areAllShown, setAllShown] = useState(false)
  const rows = useMemo(() => clips.data?.pages.flatMap((page) => page.clips) ?? [], [clips.data])
  const groups = useMemo(
    () =>
      found.data
        ? groupHits(found.data, rows, { isFiltered: countFilters(params) > 0, isSorted: params.sort !== undefined })
        : [],
    [found.data, rows, params],
  )
  const error = found.error ?? clips.error
  if (error)
    return (
      <Notice
        onRetry={() => {
          void found.refetch()
          void clips.refetch()
        }}
      >
        {errorMessage(error)}
      </Notice>
    )
  if (!found.data || !clips.data)
    return (
      <p role="status" className="animate-pulse py-6 text-sm text-muted">
        Searching…
      </p>
    )
  if (groups.length === 0)
    return (
      <p role="status" className="py-6 text-muted">
        No results for “{query}”{countFilters(params) > 0 && " with these filters"}.{" "}
        <Link href={`/viz?q=${encodeURIComponent(query)}`} className="text-accent underline underline-offset-3">
          Search the map
        </Link>
        .
      </p>
    )
  const isCapped = found.data.topics.length === MAX_HITS || found.data.words.length === MAX_HITS
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p role="status" className="numeric text-sm text-muted">
          {formatCount(groups.length, "recording")}, {isCapped ? "more than " : ""}
          {formatCount(countHits(found.data), "hit")}
        </p>
        <Button variant="quiet" icon="replace" onClick={() => openReplaceDialog(query)}>
          Replace words…
        </Button>
      </div>
      <ReplaceDialogHost />
      <ul className="grid grid-cols-1 gap-4">
        {(areAllShown ? groups : groups.slice(0, SHOWN_GROUPS)).map((group) => (
          <Group key={group.id} group={group} />
        ))}
      </ul>
      {groups.length > SHOWN_GROUPS && !areAllShown && (
        <button
          type="button"
          onClick={() => setAllShown(true)}
          className="h-9 justify-self-start rounded-full border border-line px-4 text-sm hover:border-line-strong max-sm:h-11"
        >
          Show all {groups.length}
        </button>
      )}
    </div>
  )
}
