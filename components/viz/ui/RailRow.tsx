"use client"
import { cx } from "../../ui/cx.ts"
import { clock } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import type { MapModel } from "../model.ts"
import type { Row } from "../rows.ts"
import { hover, NONE, useMap } from "../store.ts"
import { Swatch } from "./Swatch.tsx"
import { ROW_PX } from "./use-window.ts"

type RailRowProps = {
  id: string
  top: number
  row: Row
  model: MapModel
  /** Whether the keyboard stands on it. */
  active: boolean
  onAct: () => void
  onFold: () => void
}

const INDENT = ["pl-4", "pl-9", "pl-13"] as const

const GroupText = ({ row, onFold }: { row: Extract<Row, { kind: "group" }>; onFold: () => void }) => (
  <>
    <Swatch rank={row.group.rank} />
    <span className="min-w-0 flex-1 truncate text-sm font-[600]">{row.group.name}</span>
    <span className="numeric text-xs text-muted">{row.group.size}</span>
    {/* For the pointer; the keyboard folds with the arrows left and right. */}
    <button
      type="button"
      tabIndex={-1}
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation()
        onFold()
      }}
      className="-mr-2 grid size-8 place-items-center rounded-full text-muted hover:text-ink"
    >
      <Icon name="down" size={16} className={cx("transition-transform", !row.open && "-rotate-90")} />
    </button>
  </>
)

/** One line of the list. It follows hover and selection by itself, so that the list as a whole need not. */
export const RailRow = ({ id, top, row, model, active, onAct, onFold }: RailRowProps) => {
  const index = row.kind === "topic" ? row.index : NONE
  const hovered = useMap((s) => index !== NONE && s.hover === index)
  const chosen = useMap((s) => (index === NONE ? s.solo === row.group.id : s.selected === index))
  const grey = useMap((s) => {
    if (s.solo !== NONE && s.solo !== row.group.id) return true
    return s.clip !== NONE && index !== NONE && model.groupOf.clip[index] !== s.clip
  })
  const byClip = useMap((s) => s.colouring === "clip")
  const point = model.points[index]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree that holds the rows takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the tree, which names its active row
    <div
      id={id}
      role="treeitem"
      aria-level={row.kind === "group" ? 1 : 2}
      aria-posinset={row.position}
      aria-setsize={row.kind === "group" ? model.groups[byClip ? "clip" : "cluster"].length : row.group.size}
      aria-selected={chosen}
      aria-expanded={row.kind === "group" ? row.open : undefined}
      onClick={onAct}
      onPointerEnter={() => hover(index)}
      onPointerLeave={() => hover(NONE)}
      style={{ transform: `translateY(${top}px)`, height: ROW_PX }}
      className={cx(
        "absolute inset-x-0 flex cursor-pointer items-center gap-2.5 pr-4 transition-colors",
        row.kind === "group" ? "pl-4" : byClip ? INDENT[Math.min(2, (point?.level ?? 1) - 1)] : "pl-9",
        chosen ? "bg-accent-wash text-ink" : hovered ? "bg-accent-wash" : "text-soft hover:bg-accent-wash",
        grey && !chosen && "opacity-45",
        active &&
          "group-focus-visible/rail:outline-2 group-focus-visible/rail:-outline-offset-2 group-focus-visible/rail:outline-accent",
      )}
    >
      {row.kind === "group" ? (
        <GroupText row={row} onFold={onFold} />
      ) : (
        point && (
          <>
            <span
              className={cx(
                "min-w-0 flex-1 truncate text-sm",
                chosen && "font-[600]",
                point.level === 1 && "font-[560] text-ink",
              )}
            >
              {point.topic_title}
            </span>
            <span className="numeric text-xs text-muted">{clock(point.start_s)}</span>
          </>
        )
      )}
    </div>
  )
}
