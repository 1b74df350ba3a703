"use client"
import type { SearchResult } from "#lib/domain/map.ts"
import { cx } from "../../ui/cx.ts"
import type { MapModel } from "../state/model.ts"
import { hover, NONE, select, useMap } from "../state/store.ts"
import { Swatch } from "./Swatch.tsx"

type HitsProps = {
  id: string
  hits: readonly SearchResult[]
  active: number
  model: MapModel
  onPick: (row: number) => void
}

/** What the search found, nearest in meaning first. */
export const Hits = ({ id, hits, active, model, onPick }: HitsProps) => {
  const colouring = useMap((s) => s.colouring)
  return (
    <div id={id} role="listbox" aria-label="Topics found" className="p-1.5">
      {hits.map((hit, row) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
        <div
          key={hit.point_index}
          id={`${id}-${row}`}
          role="option"
          tabIndex={-1}
          aria-selected={row === active}
          onClick={() => onPick(row)}
          onPointerEnter={() => hover(hit.point_index)}
          onPointerLeave={() => hover(NONE)}
          className={cx(
            "grid cursor-pointer grid-cols-[auto_1fr_auto] items-center gap-x-2.5 rounded-md px-2.5 py-2",
            row === active ? "bg-accent-wash" : "hover:bg-accent-wash",
          )}
        >
          <Swatch rank={model.rankOf[colouring][model.groupOf[colouring][hit.point_index]!] ?? 99} />
          <span className="min-w-0">
            <span className="block truncate text-sm font-[580]">
              <bdi>{hit.topic_title}</bdi>
            </span>
            <span className="block truncate text-xs text-muted">
              <bdi>{hit.clip_title}</bdi>
            </span>
          </span>
          <span className="numeric text-xs text-muted" title="How near it is to what you look for">
            {Math.round(hit.similarity * 100)} %
          </span>
        </div>
      ))}
    </div>
  )
}

/** What to do when nothing was found: other words, for instance those that name the largest groups of the map. */
export const Nothing = ({ question, model }: { question: string; model: MapModel }) => {
  const colouring = useMap((s) => s.colouring)
  return (
    <div role="status" className="grid gap-3 px-4 py-5 text-sm text-muted">
      <div>
        <p className="font-[600] text-ink">Nothing like that on the map</p>
        <p>
          No topic of your recordings comes near “<bdi>{question}</bdi>”. Try other words, or begin with what there is:
        </p>
      </div>
      <ul className="-mx-2 grid">
        {model.groups[colouring].slice(0, 4).map((group) => (
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
