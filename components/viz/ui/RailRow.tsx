"use client"
import type { TopicPoint } from "#lib/contracts/viz.ts"
import { cx } from "../../ui/cx.ts"
import { clock, count } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import type { Group, MapModel } from "../model.ts"
import type { Row } from "../rows.ts"
import { hover, NONE, useMap } from "../store.ts"
import { inSpan } from "../timeline.ts"
import { Swatch } from "./Swatch.tsx"

type RailRowProps = {
  id: string
  top: number
  height: number
  row: Row
  model: MapModel
  /** Whether the keyboard stands on it. */
  active: boolean
  onAct: () => void
  onFold: () => void
}

const extentOf = ({ size, clips }: Group): string => `${count(size, "topic")} of ${count(clips, "recording")}`

const INDENT = ["pl-4", "pl-9", "pl-13"] as const

type GroupTextProps = { row: Extract<Row, { kind: "group" }>; onFold: () => void; extent: string | null }

/** `extent` is how many topics of how many recordings a subject gathers; a recording just counts its topics. */
const GroupText = ({ row, onFold, extent }: GroupTextProps) => (
  <>
    <Swatch rank={row.group.rank} />
    <span className="min-w-0 flex-1">
      <span className="block truncate text-sm font-[600]">
        <bdi>{row.group.name}</bdi>
      </span>
      {extent && <span className="numeric block truncate text-xs text-muted">{extent}</span>}
    </span>
    {!extent && <span className="numeric text-xs text-muted">{row.group.size}</span>}
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

type TopicTextProps = { point: TopicPoint; rank: number | null; chosen: boolean; byClip: boolean }

const TopicText = ({ point, rank, chosen, byClip }: TopicTextProps) => (
  <>
    {rank !== null && <Swatch rank={rank} />}
    <span className="min-w-0 flex-1">
      <span
        className={cx(
          "block truncate text-sm",
          (chosen || rank !== null) && "font-[600]",
          point.level === 1 && "font-[560] text-ink",
        )}
      >
        <bdi>{point.topic_title}</bdi>
      </span>
      {!byClip && (
        <span className="block truncate text-xs text-muted">
          <bdi>{point.clip_title}</bdi>
        </span>
      )}
    </span>
    <span className="numeric text-xs text-muted">{clock(point.start_s)}</span>
  </>
)

/** One line of the list. It follows hover and selection by itself, so that the list as a whole need not. */
export const RailRow = ({ id, top, height, row, model, active, onAct, onFold }: RailRowProps) => {
  const index = row.kind === "topic" ? row.index : NONE
  const hovered = useMap((s) => index !== NONE && s.hover === index)
  const chosen = useMap((s) => (index === NONE ? s.solo === row.group.id : s.selected === index))
  const grey = useMap((s) => {
    if ((s.solo !== NONE && s.solo !== row.group.id) || s.off.has(row.group.id)) return true
    if (s.chosen && index !== NONE && !s.chosen.includes(index)) return true
    if (s.axis && s.span && index !== NONE && !inSpan(model.lines[s.axis], s.span, index)) return true
    return s.clip !== NONE && index !== NONE && model.groupOf.clip[index] !== s.clip
  })
  const colouring = useMap((s) => s.colouring)
  const byClip = colouring === "clip"
  const point = model.points[index]
  const head = row.kind === "group" || row.alone
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree that holds the rows takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the tree, which names its active row
    <div
      id={id}
      role="treeitem"
      aria-level={head ? 1 : 2}
      aria-posinset={row.position}
      aria-setsize={head ? model.groups[colouring].length : row.group.size}
      aria-selected={chosen}
      aria-expanded={row.kind === "group" ? row.open : undefined}
      onClick={onAct}
      onPointerEnter={() => hover(index)}
      onPointerLeave={() => hover(NONE)}
      style={{ transform: `translateY(${top}px)`, height }}
      className={cx(
        "absolute inset-x-0 flex cursor-pointer items-center gap-2.5 pr-4 transition-colors",
        head ? "pl-4" : byClip ? INDENT[Math.min(2, (point?.level ?? 1) - 1)] : "pl-9",
        chosen ? "bg-accent-wash text-ink" : hovered ? "bg-accent-wash" : "text-soft hover:bg-accent-wash",
        grey && !chosen && "opacity-45",
        active &&
          "group-focus-visible/rail:outline-2 group-focus-visible/rail:-outline-offset-2 group-focus-visible/rail:outline-accent",
      )}
    >
      {row.kind === "group" ? (
        <GroupText row={row} onFold={onFold} extent={byClip ? null : extentOf(row.group)} />
      ) : (
        point && <TopicText point={point} rank={row.alone ? row.group.rank : null} chosen={chosen} byClip={byClip} />
      )}
    </div>
  )
}
