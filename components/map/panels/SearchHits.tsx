"use client"
import type { SearchResult } from "#lib/domain/map.ts"
import { cx } from "../../ui/cx.ts"
import { groupRankOfPoint, type MapModel } from "../state/model.ts"
import { hover, NONE, select, useMap } from "../state/store.ts"
import { Swatch } from "./Swatch.tsx"

type SearchHitsProps = {
  id: string
  hits: readonly SearchResult[]
  active: number
  model: MapModel
  onOpen: (row: number) => void
}

/** Lists search results, the most similar first. */
export const SearchHits = ({ id, hits, active, model, onOpen }: SearchHitsProps) => {
  const coloring = useMap((s) => s.coloring)
  return (
    <div id={id} role="listbox" aria-label="Search results" className="p-1.5">
      {hits.map((hit, row) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the search input handles the keys
        <div
          key={hit.point_index}
          id={`${id}-${row}`}
          role="option"
          tabIndex={-1}
          aria-selected={row === active}
          onClick={() => onOpen(row)}
          onPointerEnter={() => hover(hit.point_index)}
          onPointerLeave={() => hover(NONE)}
          className={cx(
            "grid cursor-pointer grid-cols-[auto_1fr_auto] items-center gap-x-2.5 rounded-md px-2.5 py-2",
            row === active ? "bg-accent-wash" : "hover:bg-accent-wash",
          )}
        >
          <Swatch rank={groupRankOfPoint(model, coloring, hit.point_index)} />
          <span className="min-w-0">
            <span className="block truncate text-sm font-[580]">
              <bdi>{hit.topic_title}</bdi>
            </span>
            <span className="block truncate text-xs text-muted">
              <bdi>{hit.clip_title}</bdi>
            </span>
          </span>
          <span className="numeric text-xs text-muted" title="Similarity to your search">
            {Math.round(hit.similarity * 100)}%
          </span>
        </div>
      ))}
    </div>
  )
}

/** Suggests the largest groups of the map if a search has no results. */
export const NoHits = ({ query, model }: { query: string; model: MapModel }) => {
  const coloring = useMap((s) => s.coloring)
  return (
    <div role="status" className="grid gap-3 px-4 py-5 text-sm text-muted">
      <div>
        <p className="font-[600] text-ink">No matching topics</p>
        <p>
          No topic is similar to “<bdi>{query}</bdi>”. Try other words, or start with one of these:
        </p>
      </div>
      <ul className="-mx-2 grid">
        {model.groupings[coloring].groups.slice(0, 4).map((group) => (
          <li key={group.id}>
            <button
              type="button"
              onClick={() => select(group.anchor)}
              onPointerEnter={() => hover(group.anchor)}
              onPointerLeave={() => hover(NONE)}
              className="flex w-full items-center gap-2.5 rounded-md px-2 py-1.5 text-left text-soft transition hover:bg-accent-wash hover:text-ink"
            >
              <Swatch rank={group.rank} />
              <span className="min-w-0 truncate">
                <bdi>{group.name}</bdi>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
