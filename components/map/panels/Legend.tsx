"use client"
import { cx } from "../../ui/cx.ts"
import { formatCount } from "../../ui/format.ts"
import type { MapModel } from "../state/model.ts"
import { MAX_GROUP_COLORS } from "../state/palette.ts"
import { NONE, toggleGroup, toggleSolo, useMap } from "../state/store.ts"
import { ColoringMenu } from "./ColoringMenu.tsx"
import { Swatch } from "./Swatch.tsx"

/** Explains the colors of the map in one line and highlights or dims groups. */
export const Legend = ({ model }: { model: MapModel }) => {
  const coloring = useMap((s) => s.coloring)
  const soloGroup = useMap((s) => s.soloGroup)
  const dimmedGroups = useMap((s) => s.dimmedGroups)
  const { groups } = model.groupings[coloring]
  const shown = groups.slice(0, MAX_GROUP_COLORS)
  const isHighlighted = (id: number) => (soloGroup === NONE ? !dimmedGroups.has(id) : soloGroup === id)
  return (
    <section
      aria-label="Legend"
      className="panel pointer-events-auto flex max-w-full items-center gap-2 overflow-hidden p-1.5 md:mr-2 md:self-start"
    >
      <ColoringMenu />
      <ul className="flex min-w-0 gap-1 overflow-x-auto [scrollbar-width:none]">
        {shown.map(({ id, name, rank, size, clips }) => (
          <li key={id} className="shrink-0">
            <button
              type="button"
              aria-pressed={isHighlighted(id)}
              title={`${formatCount(size, "topic")} of ${formatCount(clips, "recording")}. Click to show only this one, again to show all. Shift-click to dim or restore it.`}
              onClick={({ shiftKey }) => (shiftKey ? toggleGroup(id) : toggleSolo(id))}
              className={cx(
                "inline-flex h-7 max-w-44 items-center gap-1.5 rounded-full px-2.5 text-xs transition hover:bg-accent-wash",
                !isHighlighted(id) && "text-muted grayscale",
                dimmedGroups.has(id) && "line-through",
              )}
            >
              <Swatch rank={rank} size={8} />
              <bdi className="truncate">{name}</bdi>
            </button>
          </li>
        ))}
        {groups.length > shown.length && (
          <li className="inline-flex h-7 shrink-0 items-center gap-1.5 px-2.5 text-xs text-muted">
            <Swatch rank={MAX_GROUP_COLORS} size={8} />
            {groups.length - shown.length} more
          </li>
        )}
      </ul>
    </section>
  )
}
