"use client"
import { useMemo } from "react"
import type { SearchResult } from "#lib/domain/map.ts"
import { Highlighted } from "../../search/Highlighted.tsx"
import { cx } from "../../ui/cx.ts"
import { formatClock } from "../../ui/format.ts"
import { groupRankOfPoint, type MapModel } from "../state/model.ts"
import { hover, NONE, playTopic, select, useMap } from "../state/store.ts"
import { findExcerpt } from "./excerpt.ts"
import { PlayButton } from "./PlayButton.tsx"
import { Swatch } from "./Swatch.tsx"

/** The score of a hit as a bar, relative to the best possible one. */
const ScoreBar = ({ score }: { score: number }) => (
  <span aria-hidden="true" className="h-1 w-8 shrink-0 overflow-hidden rounded-full bg-line">
    <span className="block h-full rounded-full bg-muted" style={{ width: `${Math.round(100 * score)}%` }} />
  </span>
)

type SearchHitProps = { hit: SearchResult; query: string; model: MapModel }

const SearchHit = ({ hit, query, model }: SearchHitProps) => {
  const coloring = useMap((s) => s.coloring)
  const { point_index, topic_title, clip_title, score, passage } = hit
  const excerpt = useMemo(() => passage && findExcerpt(passage.text, query), [passage, query])
  const start = passage?.start_s ?? model.points[point_index]!.start_s
  return (
    <>
      <span className="pt-1.5">
        <Swatch rank={groupRankOfPoint(model, coloring, point_index)} />
      </span>
      <span className="min-w-0">
        <span className="flex items-center gap-2.5">
          <span className="min-w-0 flex-1 truncate text-sm font-[580]">
            <bdi>{topic_title}</bdi>
          </span>
          <ScoreBar score={score} />
        </span>
        {excerpt && (
          <span className="my-0.5 line-clamp-2 text-xs text-soft">
            <Highlighted text={excerpt.text} marks={excerpt.marks} />
          </span>
        )}
        <span className="numeric block truncate text-xs text-muted">
          {formatClock(start)} · <bdi>{clip_title}</bdi>
        </span>
      </span>
      <PlayButton
        label={`Play ${topic_title} from ${formatClock(start)}`}
        onPlay={() => playTopic(point_index, start)}
      />
    </>
  )
}

type SearchHitsProps = {
  id: string
  query: string
  hits: readonly SearchResult[]
  active: number
  model: MapModel
  onOpen: (row: number) => void
}

/** Lists search results in the order of the service, with the passage that matches best. */
export const SearchHits = ({ id, query, hits, active, model, onOpen }: SearchHitsProps) => (
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
          "grid cursor-pointer grid-cols-[auto_minmax(0,1fr)_auto] gap-x-2.5 rounded-md py-2 pr-1.5 pl-2.5",
          row === active ? "bg-accent-wash" : "hover:bg-accent-wash",
        )}
      >
        <SearchHit hit={hit} query={query} model={model} />
      </div>
    ))}
  </div>
)

/** Suggests the largest groups of the map if a search has no results. */
export const NoHits = ({ query, model }: { query: string; model: MapModel }) => {
  const coloring = useMap((s) => s.coloring)
  return (
    <div role="status" className="grid gap-3 px-4 py-5 text-sm text-muted">
      <div>
        <p className="font-[600] text-ink">No matching topics</p>
        <p>
          Nobody talks about “<bdi>{query}</bdi>”. Try other words, or start with one of these:
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
