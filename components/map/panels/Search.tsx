"use client"
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react"
import { errorMessage } from "../../api/client.ts"
import { useVizSearch } from "../../api/map.ts"
import { cx } from "../../ui/cx.ts"
import { formatCount } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { isTyping } from "../../ui/is-typing.ts"
import { Notice } from "../../ui/Notice.tsx"
import { getFiltered } from "../state/highlight.ts"
import type { MapModel } from "../state/model.ts"
import { hover, NONE, search, select, useMap } from "../state/store.ts"
import { listHighlightedHits, listHits, moveActiveRow } from "./map-search.ts"
import { NoHits, SearchHits } from "./SearchHits.tsx"

const DEBOUNCE_MS = 180

const useDebounced = (value: string): string => {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), value === "" ? 0 : DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return debounced
}

/** Focuses the input when `/` is pressed outside a text field. */
const useSlashKey = (input: RefObject<HTMLInputElement | null>) => {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "/" || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [input])
}

type SearchProps = {
  model: MapModel
  /** Shown to the left and right of the input. */
  before: ReactNode
  after: ReactNode
}

/** Searches while the user types. Arrow keys mark hits on the map, Enter opens one, and Escape clears the search. */
export const Search = ({ model, before, after }: SearchProps) => {
  const query = useMap((s) => s.query)
  const debouncedQuery = useDebounced(query.trim())
  const results = useVizSearch(debouncedQuery)
  const [active, setActive] = useState(NONE)
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  useSlashKey(input)

  const isSearching = query.trim() !== ""
  const filtered = useMap(getFiltered)
  const found = isSearching ? (results.data ?? []) : []
  const hits = listHits(found, filtered, model.points)
  useEffect(() => {
    setActive(NONE)
    const hits = debouncedQuery ? listHits(results.data ?? [], filtered, model.points) : []
    useMap.setState({ hits: listHighlightedHits(hits) })
  }, [results.data, debouncedQuery, filtered, model])

  const moveActive = (step: 1 | -1) => {
    const row = moveActiveRow(active, step, hits.length)
    setActive(row)
    hover(hits[row]?.point_index ?? NONE)
    document.getElementById(`${listId}-${row}`)?.scrollIntoView({ block: "nearest" })
  }
  const openHit = (row: number) => {
    const hit = hits[row]
    if (!hit) return
    hover(NONE)
    select(hit.point_index)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") moveActive(1)
    else if (event.key === "ArrowUp") moveActive(-1)
    else if (event.key === "Enter") openHit(active === NONE ? 0 : active)
    else if (event.key === "Escape") {
      search("")
      input.current?.blur()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <search className="flex min-h-0 flex-col">
      <div className="flex items-center gap-1 py-1 pr-1.5 pl-2">
        {before}
        <div className="relative flex min-w-0 flex-1 items-center rounded-full has-[input:focus-visible]:outline-2 has-[input:focus-visible]:-outline-offset-2 has-[input:focus-visible]:outline-accent">
          <Icon name="search" size={18} className="pointer-events-none absolute left-2.5 text-muted" />
          <input
            ref={input}
            value={query}
            onChange={(event) => search(event.target.value.slice(0, 512))}
            onKeyDown={onKey}
            role="combobox"
            aria-label="Search topics"
            aria-expanded={hits.length > 0}
            aria-controls={listId}
            aria-activedescendant={active === NONE ? undefined : `${listId}-${active}`}
            aria-busy={results.isFetching}
            placeholder="Search topics"
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            className="h-10 w-full rounded-full bg-transparent pr-9 pl-9 text-base outline-none placeholder:text-muted"
          />
          {isSearching ? (
            <button
              type="button"
              aria-label="Clear search"
              onClick={() => {
                search("")
                input.current?.focus()
              }}
              className="absolute right-1.5 grid size-7 place-items-center rounded-full text-muted hover:text-ink"
            >
              <Icon name="close" size={16} className={cx(results.isFetching && "animate-pulse")} />
            </button>
          ) : (
            <kbd className="absolute right-3 rounded-sm border border-line px-1.5 font-sans text-xs text-muted max-md:hidden">
              /
            </kbd>
          )}
        </div>
        {after}
      </div>
      {isSearching && (
        <div className="max-h-[46dvh] min-h-0 overflow-y-auto border-t border-line md:max-h-none">
          {results.isError && (
            <div className="p-2.5">
              <Notice onRetry={() => results.refetch()}>{errorMessage(results.error)}</Notice>
            </div>
          )}
          {!results.isError && hits.length > 0 && (
            <SearchHits id={listId} query={debouncedQuery} hits={hits} active={active} model={model} onOpen={openHit} />
          )}
          {results.isSuccess && !results.isPlaceholderData && debouncedQuery === query.trim() && found.length === 0 && (
            <NoHits query={debouncedQuery} model={model} />
          )}
          {found.length > hits.length && (
            <p role="status" className="numeric px-4 py-3 text-xs text-muted">
              {formatCount(found.length - hits.length, "more hit")} outside the topics that are highlighted
            </p>
          )}
        </div>
      )}
    </search>
  )
}
