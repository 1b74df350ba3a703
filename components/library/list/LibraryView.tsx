"use client"
import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import { errorMessage, isUnreachable } from "../../api/client.ts"
import { type ClipPage, useClips } from "../../api/clips.ts"
import { useHiddenRecordings } from "../../api/delete-recording.ts"
import { useDebouncedValue } from "../../search/use-library-search.ts"
import { useKeyHints } from "../../shell/keys/keys-store.ts"
import { Button } from "../../ui/Button.tsx"
import { formatCount } from "../../ui/format.ts"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { usePersistedChoice } from "../../ui/use-persisted-choice.ts"
import { useStableList } from "../use-stable-list.ts"
import { FilterBar } from "./FilterBar.tsx"
import { type ClipRow, countFilters, DEFAULT_SORT, toClipsQuery } from "./library-params.ts"
import { Recordings } from "./Recordings.tsx"
import { useSelection } from "./selection.ts"
import { LAYOUTS, Toolbar } from "./Toolbar.tsx"
import { LIBRARY_KEYS, useLibraryKeys } from "./use-library-keys.ts"
import { useLibraryParams } from "./use-library-params.ts"
import type { VirtualRowsHandle } from "./VirtualRows.tsx"

const SearchResults = lazyWithRetry(() => import("./SearchResults.tsx").then((m) => m.SearchResults))
const RenameDialog = lazyWithRetry(() => import("./RenameDialog.tsx").then((m) => m.RenameDialog), {
  overlay: true,
  onDismiss: (p) => p.onClose(),
})
const TagDialog = lazyWithRetry(() => import("./TagDialog.tsx").then((m) => m.TagDialog), {
  overlay: true,
  onDismiss: (p) => p.onClose(),
})
const BulkBar = lazyWithRetry(() => import("./BulkBar.tsx").then((m) => m.BulkBar))

/** A library with more recordings than this is shown as a table unless another layout was chosen. */
const MAX_CARDS = 24

const clipId = (clip: ClipRow): string => clip.id

const LoadingRows = () => (
  <ul aria-busy="true" className="grid animate-pulse gap-px">
    {[0, 1, 2, 3, 4, 5, 6, 7].map((n) => (
      <li key={n} className="h-14 rounded-sm bg-surface" />
    ))}
    <li className="sr-only">Loading recordings</li>
  </ul>
)

type LibraryViewProps = {
  offline: boolean
  /** The first page of the list, as the server has rendered it, and when it did. */
  initial: ClipPage | undefined
  initialNow: number
  /** True if the library had no recordings when the page was requested. Another part of the page then offers to add some. */
  wasEmpty: boolean
  onAdd: () => void
}

/** All recordings: search, filters, and the list as table, cards or timeline. */
export const LibraryView = ({ offline, initial, initialNow, wasEmpty, onAdd }: LibraryViewProps) => {
  const [params, setParams] = useLibraryParams()
  const [query, setQuery] = useState(params.q ?? "")
  const debouncedQuery = useDebouncedValue(query).trim()
  // The address follows the field, and the field follows links and saved views.
  const written = useRef(params.q ?? "")
  useEffect(() => {
    if ((params.q ?? "") !== written.current) {
      written.current = params.q ?? ""
      setQuery(written.current)
    }
  }, [params.q])
  useEffect(() => {
    if (debouncedQuery === written.current) return
    written.current = debouncedQuery
    const { q: _, ...others } = params
    setParams(debouncedQuery ? { ...others, q: debouncedQuery } : others)
  }, [debouncedQuery, params, setParams])

  const listQuery = useMemo(() => toClipsQuery(params), [params])
  const [firstQuery] = useState(listQuery)
  const clips = useClips(listQuery, listQuery === firstQuery ? initial : undefined)
  const hidden = useHiddenRecordings()
  const listed = useStableList(
    useMemo(() => clips.data?.pages.flatMap((page) => page.clips), [clips.data]),
    clipId,
  )
  const shown = useMemo(() => listed.filter((clip) => !hidden.has(clip.id)), [listed, hidden])
  const total = Math.max(0, (clips.data?.pages[0]?.total ?? 0) - (listed.length - shown.length))
  const hasFilters = countFilters(params) > 0

  const [chosenLayout, setLayout] = usePersistedChoice("earmark.look", ["auto", ...LAYOUTS], "auto")
  const layout = chosenLayout !== "auto" ? chosenLayout : total > MAX_CARDS || hasFilters ? "table" : "cards"
  const selection = useSelection(shown)
  const selected = useMemo(() => shown.filter(({ id }) => selection.ids.has(id)), [shown, selection.ids])
  const [renamed, setRenamed] = useState<ClipRow | null>(null)
  const [tagged, setTagged] = useState<readonly ClipRow[]>([])
  const search = useRef<HTMLInputElement>(null)
  const rows = useRef<VirtualRowsHandle>(null)

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = clips
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const tag = useCallback((clip: ClipRow) => setTagged([clip]), [])
  useLibraryKeys({
    clips: debouncedQuery ? [] : shown,
    scrollTo: (index) => rows.current?.scrollTo(index),
    onSelect: selection.toggle,
    onRename: setRenamed,
    onTag: tag,
    onSearch: () => search.current?.focus(),
    onEscape: selection.clear,
  })
  useKeyHints("Library", LIBRARY_KEYS)
  const { ids } = selection
  const isSelected = useCallback((id: string) => ids.has(id), [ids])

  if (clips.isSuccess && total === 0 && !hasFilters && !debouncedQuery)
    return wasEmpty ? null : (
      <p className="flex items-center gap-4 text-muted">
        There are no recordings.
        <Button variant="primary" icon="plus" onClick={onAdd} aria-label="Add a recording">
          Add
        </Button>
      </p>
    )
  return (
    <section aria-labelledby="recordings" className="grid grid-cols-1 gap-3">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="recordings" className="text-xl font-[620]">
          Recordings
        </h2>
        <p role="status" className="numeric text-sm text-muted">
          {clips.isSuccess && !debouncedQuery && formatCount(total, "recording")}
        </p>
      </div>
      <div className="sticky top-0 z-20 -mx-4 grid grid-cols-1 gap-2 bg-paper px-4 py-2 sm:-mx-8 sm:px-8">
        <Toolbar
          {...{ params, query, layout, onAdd, search }}
          onChange={setParams}
          onQuery={setQuery}
          onLayout={setLayout}
        />
        <FilterBar params={params} onChange={setParams} />
      </div>
      {clips.isError && !offline && !isUnreachable(clips.error) && (
        <Notice title="Couldn't load the recordings" onRetry={() => clips.refetch()}>
          {errorMessage(clips.error)}
        </Notice>
      )}
      {debouncedQuery ? (
        <SearchResults query={debouncedQuery} params={params} />
      ) : (
        <>
          {clips.isPending && <LoadingRows />}
          {clips.isSuccess && shown.length === 0 && (
            <p className="py-6 text-muted">
              No recordings match these filters.{" "}
              <button
                type="button"
                onClick={() => setParams(params.sort ? { sort: params.sort } : {})}
                className="rounded-sm text-accent underline underline-offset-3"
              >
                Clear filters
              </button>
            </p>
          )}
          {shown.length > 0 && (
            <Recordings
              key={layout}
              clips={shown}
              layout={layout}
              sort={params.sort ?? DEFAULT_SORT}
              initialNow={initialNow}
              onEnd={loadMore}
              handle={rows}
              actions={{ isSelected, onSelect: selection.toggle, onRename: setRenamed, onTag: tag }}
            />
          )}
          {isFetchingNextPage && (
            <p role="status" className="animate-pulse py-3 text-center text-sm text-muted">
              Loading more…
            </p>
          )}
        </>
      )}
      {selected.length > 0 && (
        <BulkBar
          clips={selected}
          onTag={() => setTagged(selected)}
          onSelectAll={selection.selectAll}
          onClear={selection.clear}
        />
      )}
      {renamed && <RenameDialog clip={renamed} onClose={() => setRenamed(null)} />}
      {tagged.length > 0 && <TagDialog clips={tagged} onClose={() => setTagged([])} />}
    </section>
  )
}
