"use client"
import { useState } from "react"
import { cx } from "../../ui/cx.ts"
import type { MapModel } from "../state/model.ts"
import { GROUP_COLOURS } from "../state/palette.ts"
import { useMap } from "../state/store.ts"
import { ColorMenu } from "./ColorMenu.tsx"
import { legendClicks } from "./legend-clicks.ts"
import { Swatch } from "./Swatch.tsx"

/** What the colours mean, in a line; a click greys a group or lights it again, a double one, or one with Shift, leaves it alone lit. */
export const Legend = ({ model, className }: { model: MapModel; className?: string }) => {
  const colouring = useMap((s) => s.colouring)
  const solo = useMap((s) => s.solo)
  const off = useMap((s) => s.off)
  const [click] = useState(legendClicks)
  const groups = model.groups[colouring]
  const shown = groups.slice(0, GROUP_COLOURS)
  return (
    <section aria-label="Legend" className={cx("panel flex items-center gap-2 overflow-hidden p-1.5", className)}>
      <ColorMenu />
      <ul className="flex min-w-0 gap-1 overflow-x-auto [scrollbar-width:none]">
        {shown.map((group) => (
          <li key={group.id} className="shrink-0">
            <button
              type="button"
              aria-pressed={solo === group.id || (solo === -1 && !off.has(group.id))}
              title="Click: grey it or light it. Double click or Shift+click: it alone, or all again"
              onClick={(event) => click(group.id, event)}
              className={cx(
                "inline-flex h-7 max-w-44 items-center gap-1.5 rounded-full px-2.5 text-xs transition hover:bg-accent-wash",
                (off.has(group.id) || (solo !== -1 && solo !== group.id)) && "line-through opacity-45",
              )}
            >
              <Swatch rank={group.rank} size={8} />
              <bdi className="truncate">{group.name}</bdi>
            </button>
          </li>
        ))}
        {groups.length > shown.length && (
          <li className="inline-flex h-7 shrink-0 items-center gap-1.5 px-2.5 text-xs text-muted">
            <Swatch rank={GROUP_COLOURS} size={8} />
            {groups.length - shown.length} more
          </li>
        )}
      </ul>
    </section>
  )
}
