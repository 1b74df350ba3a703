"use client"
import type { TopicPoint } from "#lib/domain/map.ts"
import { cx } from "../../ui/cx.ts"
import { formatClock, formatCount } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import { levelName } from "../state/coloring.ts"
import { getHighlighted } from "../state/highlight.ts"
import type { Row } from "../state/list-rows.ts"
import type { MapModel } from "../state/model.ts"
import { hover, type MapState, NONE, useMap } from "../state/store.ts"
import { Swatch } from "./Swatch.tsx"

type GroupRow = Extract<Row, { kind: "group" }>
type ClipRow = Extract<Row, { kind: "clip" }>

/** For the pointer only. The keyboard uses the left and right arrows. */
const ExpandButton = ({ open, onToggle }: { open: boolean; onToggle: () => void }) => (
  <button
    type="button"
    tabIndex={-1}
    aria-hidden="true"
    onClick={(event) => {
      event.stopPropagation()
      onToggle()
    }}
    className="-my-2 -mr-2 -ml-1.5 grid size-8 shrink-0 place-items-center rounded-full text-muted hover:text-ink"
  >
    <Icon name="down" size={16} className={cx("transition-transform", !open && "-rotate-90")} />
  </button>
)

type GroupTextProps = { row: GroupRow; byClip: boolean; model: MapModel }

const GroupText = ({ row: { group }, byClip, model }: GroupTextProps) => (
  <>
    <Swatch rank={group.rank} />
    <span className="min-w-0 flex-1">
      <span className="block truncate text-sm font-[600]">
        <bdi>{group.name}</bdi>
      </span>
      {!byClip && (
        <span className="numeric block truncate text-xs text-muted">
          {formatCount(group.size, "topic")} of{" "}
          {group.clips === 1 ? (
            <bdi>{model.points[group.anchor]?.clip_title}</bdi>
          ) : (
            formatCount(group.clips, "recording")
          )}
        </span>
      )}
    </span>
    {byClip && <span className="numeric text-xs text-muted">{group.size}</span>}
  </>
)

const ClipText = ({ row, model }: { row: ClipRow; model: MapModel }) => (
  <>
    <Icon name="wave" size={15} className="shrink-0 text-muted" />
    <span className="min-w-0 flex-1 truncate text-sm font-[560]">
      <bdi>{model.points[row.topics[0]!]?.clip_title}</bdi>
    </span>
    <span className="numeric text-xs text-muted">{row.topics.length}</span>
  </>
)

type TopicTextProps = {
  point: TopicPoint
  /** True if the row replaces the header of its group and must name the recording itself. */
  isSingleTopic: boolean
  rank: number
  isSelected: boolean
}

const TopicText = ({ point, isSingleTopic, rank, isSelected }: TopicTextProps) => {
  const hasClipTitle = point.level === 1 && point.topic_title === point.clip_title
  return (
    <>
      {isSingleTopic && <Swatch rank={rank} />}
      <span className="min-w-0 flex-1">
        <span
          className={cx(
            "block truncate text-sm",
            isSelected || isSingleTopic ? "font-[600]" : point.level === 1 && "text-ink",
          )}
        >
          <bdi>{hasClipTitle ? levelName(1) : point.topic_title}</bdi>
        </span>
        {isSingleTopic && (
          <span className="block truncate text-xs text-muted">
            <bdi>{point.clip_title}</bdi>
          </span>
        )}
      </span>
      <span className="numeric text-xs text-muted">{formatClock(point.start_s)}</span>
    </>
  )
}

/** Left padding by level. Rows below a header are indented to its text, behind a swatch or an icon. */
const INDENTS = { byClip: ["pl-4", "pl-9", "pl-13", "pl-17"], other: ["pl-4", "pl-9", "pl-15"] } as const

/** Returns the point to mark while a row is hovered; `NONE` for groups that are not named after a topic. */
const findPoint = (row: Row, model: MapModel, { coloring }: MapState): number => {
  if (row.kind === "topic") return row.index
  if (row.kind === "clip") return model.groupings.clip.groups.find((g) => g.id === row.clip)?.anchor ?? NONE
  return coloring === "cluster" || coloring === "clip" ? row.group.anchor : NONE
}

/** Returns true if the hovered point belongs to the row. An open folder is not marked, because the row of the topic is. */
const isHovered = (row: Row, model: MapModel, { hover, coloring }: MapState): boolean => {
  if (hover === NONE || hover >= model.count) return false
  if (row.kind === "topic") return row.index === hover
  if (row.open || model.groupings[coloring].ids[hover] !== row.group.id) return false
  return row.kind === "group" || model.groupings.clip.ids[hover] === row.clip
}

const isRowSelected = (row: Row, state: MapState): boolean => {
  if (row.kind === "topic") return state.selected === row.index
  return row.kind === "clip" ? state.clip === row.clip : state.soloGroup === row.group.id
}

const isRowDimmed = (row: Row, state: MapState): boolean => {
  const highlighted = getHighlighted(state)
  return row.kind === "topic" ? highlighted[row.index] === 0 : !row.topics.some((i) => highlighted[i] === 1)
}

type TopicListRowProps = {
  id: string
  top: number
  height: number
  row: Row
  model: MapModel
  /** True for the row that the keyboard acts on. */
  isActive: boolean
  onActivate: () => void
  onToggle: () => void
}

/** A row of the topic list. It subscribes to hover and selection itself, so that the list does not render again for them. */
export const TopicListRow = ({ id, top, height, row, model, isActive, onActivate, onToggle }: TopicListRowProps) => {
  const hovered = useMap((s) => isHovered(row, model, s))
  const isSelected = useMap((s) => isRowSelected(row, s))
  const isDimmed = useMap((s) => isRowDimmed(row, s))
  const byClip = useMap((s) => s.coloring === "clip")
  // Grouped by recording, subtopics are indented below their topic although they are siblings in the tree.
  const depth = row.kind === "topic" && byClip ? 1 + (model.points[row.index]?.level ?? 1) : row.level
  const indents = byClip ? INDENTS.byClip : INDENTS.other
  const point = row.kind === "topic" ? model.points[row.index] : undefined
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree that contains the rows handles the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree keeps the focus and names its active row
    <div
      id={id}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-selected={isSelected}
      aria-expanded={row.kind === "topic" ? undefined : row.open}
      onClick={onActivate}
      onPointerEnter={() => hover(findPoint(row, model, useMap.getState()))}
      onPointerLeave={() => hover(NONE)}
      style={{ transform: `translateY(${top}px)`, height }}
      className={cx(
        "absolute inset-x-0 flex cursor-pointer items-center gap-2.5 pr-4 transition-colors",
        indents[Math.min(indents.length, depth) - 1],
        isSelected ? "bg-accent-wash text-ink" : hovered ? "bg-accent-wash" : "text-soft hover:bg-accent-wash",
        isDimmed && !isSelected && "grayscale [&_*]:text-muted",
        isActive &&
          "group-focus-visible/list:outline-2 group-focus-visible/list:-outline-offset-2 group-focus-visible/list:outline-accent",
      )}
    >
      {row.kind === "group" && <GroupText row={row} byClip={byClip} model={model} />}
      {row.kind === "clip" && <ClipText row={row} model={model} />}
      {point && (
        <TopicText point={point} isSingleTopic={row.level === 1} rank={row.group.rank} isSelected={isSelected} />
      )}
      {row.kind !== "topic" && <ExpandButton open={row.open} onToggle={onToggle} />}
    </div>
  )
}
