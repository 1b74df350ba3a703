"use client"
import { useMemo, useState } from "react"
import type { ClipEntry } from "#lib/domain/clips.ts"
import { errorMessage, isUnreachable } from "../../api/client.ts"
import { useClips } from "../../api/clips.ts"
import { useHiddenRecordings } from "../../api/delete-recording.ts"
import { useDebouncedValue } from "../../search/use-library-search.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { formatCount } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { lazyWithRetry } from "../../ui/lazy-with-retry.tsx"
import { Menu, MenuGroup, MenuItem } from "../../ui/Menu.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { usePersistedChoice } from "../../ui/use-persisted-choice.ts"
import { useStableList } from "../use-stable-list.ts"
import { ClipCard } from "./ClipCard.tsx"
import {
  DEFAULT_FILTERS,
  filterAndSort,
  LENGTHS,
  type LibraryFilters,
  SORTS,
  SPEAKER_COUNTS,
} from "./library-filters.ts"

const ClipTable = lazyWithRetry(() => import("./ClipTable.tsx").then((m) => m.ClipTable))
const SearchResults = lazyWithRetry(() => import("./SearchResults.tsx").then((m) => m.SearchResults))
const RenameDialog = lazyWithRetry(() => import("./RenameDialog.tsx").then((m) => m.RenameDialog), {
  overlay: true,
  onDismiss: (p) => p.onClose(),
})

const GRID = "grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3"

const LoadingCards = () => (
  <ul aria-busy="true" className={`${GRID} animate-pulse`}>
    {[0, 1, 2, 3, 4, 5].map((n) => (
      <li key={n} className="h-52 rounded-lg border border-line bg-surface" />
    ))}
    <li className="sr-only">Loading recordings</li>
  </ul>
)

const OptionGroup = <T extends string>(p: {
  label: string
  options: Readonly<Record<T, string>>
  value: T
  onPick: (value: T) => void
}) => (
  <MenuGroup label={p.label}>
    {(Object.entries(p.options) as [T, string][]).map(([value, label]) => (
      <MenuItem key={value} onSelect={() => p.onPick(value)} checked={value === p.value}>
        {label}
      </MenuItem>
    ))}
  </MenuGroup>
)

type ToolbarProps = {
  query: string
  onQuery: (query: string) => void
  filters: LibraryFilters
  onFilters: (filters: LibraryFilters) => void
  layout: Layout
  onLayout: (layout: Layout) => void
}
type Layout = "cards" | "table"

const Toolbar = ({ query, onQuery, filters, onFilters, layout, onLayout }: ToolbarProps) => {
  const activeFilters = Number(filters.length !== "any") + Number(filters.speakers !== "any")
  return (
    <div className="flex flex-wrap items-center gap-2">
      <search className="relative flex min-w-0 flex-1 basis-64 items-center">
        <Icon name="search" size={17} className="pointer-events-none absolute left-3 text-muted" />
        <input
          type="search"
          value={query}
          onChange={(event) => onQuery(event.target.value.slice(0, 200))}
          aria-label="Search titles, topics and transcripts"
          placeholder="Search titles, topics, transcripts"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          className="h-9 w-full rounded-full border border-line bg-surface pr-4 pl-9.5 text-sm text-ellipsis transition placeholder:text-muted hover:border-line-strong"
        />
      </search>
      <Menu
        align="end"
        trigger={
          <Button icon="split" aria-label={`Sort and filter: ${SORTS[filters.sort]}`}>
            <span className="max-sm:hidden">{SORTS[filters.sort]}</span>
            {activeFilters > 0 && (
              <span className="numeric rounded-full bg-accent px-1.5 text-xs text-accent-ink">{activeFilters}</span>
            )}
          </Button>
        }
      >
        <OptionGroup
          label="Sort"
          options={SORTS}
          value={filters.sort}
          onPick={(sort) => onFilters({ ...filters, sort })}
        />
        <OptionGroup
          label="Length"
          options={LENGTHS}
          value={filters.length}
          onPick={(length) => onFilters({ ...filters, length })}
        />
        <OptionGroup
          label="Speakers"
          options={SPEAKER_COUNTS}
          value={filters.speakers}
          onPick={(speakers) => onFilters({ ...filters, speakers })}
        />
      </Menu>
      <IconButton
        name={layout === "cards" ? "list" : "cards"}
        label={layout === "cards" ? "Show as table" : "Show as cards"}
        onClick={() => onLayout(layout === "cards" ? "table" : "cards")}
      />
    </div>
  )
}

const clipId = (clip: ClipEntry): string => clip.id

const LAYOUTS = ["cards", "table"] as const

/** All recordings with search, sorting and filters. While `offline`, errors are hidden because the page already shows why. */
export const LibraryView = ({ offline }: { offline: boolean }) => {
  const clips = useClips()
  const hidden = useHiddenRecordings()
  const [layout, setLayout] = usePersistedChoice("earmark.look", LAYOUTS, "cards")
  const [filters, setFilters] = useState<LibraryFilters>(DEFAULT_FILTERS)
  const [query, setQuery] = useState("")
  const [renamed, setRenamed] = useState<ClipEntry | null>(null)
  const debouncedQuery = useDebouncedValue(query)
  const listed = useStableList(
    useMemo(() => clips.data?.pages.flatMap((page) => page.clips), [clips.data]),
    clipId,
  )
  const all = listed.filter((clip) => !hidden.has(clip.id))
  const shown = filterAndSort(all, filters)
  if (clips.isSuccess && all.length === 0) return null
  return (
    <section aria-labelledby="recordings" className="grid grid-cols-1 gap-4">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="recordings" className="text-xl font-[620]">
          Recordings
        </h2>
        <p className="numeric text-sm text-muted">
          {clips.isSuccess &&
            !debouncedQuery.trim() &&
            (shown.length === all.length ? formatCount(all.length, "recording") : `${shown.length} of ${all.length}`)}
        </p>
      </div>
      <Toolbar {...{ query, filters, layout }} onQuery={setQuery} onFilters={setFilters} onLayout={setLayout} />
      {clips.isError && !offline && !isUnreachable(clips.error) && (
        <Notice title="Couldn't load the recordings" onRetry={() => clips.refetch()}>
          {errorMessage(clips.error)}
        </Notice>
      )}
      {debouncedQuery.trim() ? (
        <SearchResults query={debouncedQuery} />
      ) : (
        <>
          {clips.isPending && <LoadingCards />}
          {clips.isSuccess && shown.length === 0 && (
            <p className="py-6 text-muted">
              No recordings match these filters.{" "}
              <button
                type="button"
                onClick={() => setFilters(DEFAULT_FILTERS)}
                className="rounded-sm text-accent underline underline-offset-3"
              >
                Clear filters
              </button>
            </p>
          )}
          {shown.length > 0 && layout === "table" && <ClipTable clips={shown} onRename={setRenamed} />}
          {shown.length > 0 && layout === "cards" && (
            <ul className={GRID}>
              {shown.map((clip) => (
                <ClipCard key={clip.id} clip={clip} onRename={() => setRenamed(clip)} />
              ))}
            </ul>
          )}
        </>
      )}
      {renamed && <RenameDialog clip={renamed} onClose={() => setRenamed(null)} />}
    </section>
  )
}
