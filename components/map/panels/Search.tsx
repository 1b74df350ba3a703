"use client"
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react"
import type { SearchResult } from "#lib/domain/map.ts"
import { errorMessage } from "../../api/client.ts"
import { useVizSearch } from "../../api/map.ts"
import { cx } from "../../ui/cx.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Notice } from "../../ui/Notice.tsx"
import type { MapModel } from "../state/model.ts"
import { hover, NONE, search, select, useMap } from "../state/store.ts"
import { Hits, Nothing } from "./SearchHits.tsx"
import { isWriting } from "./writing.ts"

const DELAY_MS = 180
/** Less would be shown as 0 %, which is no hit. */
const LEAST = 0.005
/** Lit on the map is what comes at least half as near as the best hit; the list holds the rest too. */
const LIT = 0.5

const useDelayed = (value: string): string => {
  const [late, setLate] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setLate(value), value === "" ? 0 : DELAY_MS)
    return () => clearTimeout(timer)
  }, [value])
  return late
}

/** `/` anywhere puts the cursor into the field, unless one is writing already. */
const useSlash = (input: RefObject<HTMLInputElement | null>) => {
  useEffect(() => {
    const key = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "/" || isWriting(event) || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    window.addEventListener("keydown", key)
    return () => window.removeEventListener("keydown", key)
  }, [input])
}

const hitsOn = (model: MapModel, found: readonly SearchResult[] = []): readonly SearchResult[] =>
  // A map newer than the answer has other indices; what it lacks is not shown.
  found.filter((hit) => hit.point_index < model.count && hit.similarity >= LEAST)

/** `before` and `after` stand beside the field. */
type SearchProps = { model: MapModel; before: ReactNode; after: ReactNode }

/** Search by meaning, as one types. Arrows walk the hits and light them on the map, Enter opens one, Escape leaves. */
export const Search = ({ model, before, after }: SearchProps) => {
  const query = useMap((s) => s.query)
  const question = useDelayed(query.trim())
  const found = useVizSearch(question)
  const [active, setActive] = useState(NONE)
  const input = useRef<HTMLInputElement>(null)
  const list = useId()
  useSlash(input)

  const searching = query.trim() !== ""
  const hits = searching ? hitsOn(model, found.data) : []
  useEffect(() => {
    setActive(NONE)
    const all = question ? hitsOn(model, found.data) : []
    const near = all.filter((h) => h.similarity >= LIT * all[0]!.similarity)
    // Where nothing was found the map stays lit: greyed as a whole it would look broken.
    useMap.setState({ hits: near.length > 0 ? near.map((h) => h.point_index) : null })
  }, [found.data, question, model])

  const walk = (to: number) => {
    const row = hits.length === 0 ? NONE : (to + hits.length) % hits.length
    setActive(row)
    hover(hits[row]?.point_index ?? NONE)
    document.getElementById(`${list}-${row}`)?.scrollIntoView({ block: "nearest" })
  }
  const pick = (row: number) => {
    const hit = hits[row]
    if (!hit) return
    hover(NONE)
    select(hit.point_index)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") walk(active + 1)
    else if (event.key === "ArrowUp") walk(active === NONE ? -1 : active - 1)
    else if (event.key === "Enter") pick(active === NONE ? 0 : active)
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
            aria-label="Search topics by meaning"
            aria-expanded={hits.length > 0}
            aria-controls={list}
            aria-activedescendant={active === NONE ? undefined : `${list}-${active}`}
            aria-busy={found.isFetching}
            placeholder="Search by meaning"
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="search"
            className="h-10 w-full rounded-full bg-transparent pr-9 pl-9 text-base outline-none placeholder:text-muted"
          />
          {searching ? (
            <button
              type="button"
              aria-label="Clear the search"
              onClick={() => {
                search("")
                input.current?.focus()
              }}
              className="absolute right-1.5 grid size-7 place-items-center rounded-full text-muted hover:text-ink"
            >
              <Icon name="close" size={16} className={cx(found.isFetching && "animate-breathe")} />
            </button>
          ) : (
            <kbd className="absolute right-3 rounded-sm border border-line px-1.5 font-sans text-xs text-muted max-md:hidden">
              /
            </kbd>
          )}
        </div>
        {after}
      </div>
      {searching && (
        <div className="max-h-[46dvh] min-h-0 overflow-y-auto border-t border-line md:max-h-none">
          {found.isError && (
            <div className="p-2.5">
              <Notice onRetry={() => found.refetch()}>{errorMessage(found.error)}</Notice>
            </div>
          )}
          {!found.isError && hits.length > 0 && (
            <Hits id={list} hits={hits} active={active} model={model} onPick={pick} />
          )}
          {found.isSuccess && !found.isPlaceholderData && question === query.trim() && hits.length === 0 && (
            <Nothing question={question} model={model} />
          )}
        </div>
      )}
    </search>
  )
}
