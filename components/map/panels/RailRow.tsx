"use client"
import { cx } from "../../ui/cx.ts"
import type { MapModel } from "../state/model.ts"
import type { Row } from "../state/rows.ts"
import { hover, litNow, type MapState, NONE, useMap } from "../state/store.ts"
import { ClipText, Fold, GroupText, TopicText } from "./RailTexts.tsx"

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

/** What lies in something begins under its name: by recording behind a colour, else also behind a picture. */
const INDENT = { byClip: ["pl-4", "pl-9", "pl-13", "pl-17"], other: ["pl-4", "pl-9", "pl-15"] } as const

/** The point of the map that a line stands for: a topic itself; of what people know by a name, the topic that gave it. */
const pointOf = (row: Row, model: MapModel, { colouring }: MapState): number => {
  if (row.kind === "topic") return row.index
  if (row.kind === "clip") return model.groups.clip.find((g) => g.id === row.clip)?.anchor ?? NONE
  return colouring === "cluster" || colouring === "clip" ? row.group.anchor : NONE
}

/** Whether the pointer is over what a line stands for on the map; a folded one stands for all that it hides. */
const isHovered = (row: Row, model: MapModel, { hover, colouring }: MapState): boolean => {
  if (hover === NONE || hover >= model.count) return false
  if (row.kind === "topic") return row.index === hover
  if (row.open || model.groupOf[colouring][hover] !== row.group.id) return false
  return row.kind === "group" || model.groupOf.clip[hover] === row.clip
}

const isChosen = (row: Row, state: MapState): boolean =>
  row.kind === "topic"
    ? state.selected === row.index
    : row.kind === "clip"
      ? state.clip === row.clip
      : state.solo === row.group.id

const isGrey = (row: Row, state: MapState): boolean => {
  const on = litNow(state)
  return row.kind === "topic" ? on[row.index] === 0 : !row.topics.some((i) => on[i] === 1)
}

/** One line of the list. It follows hover and selection by itself, so that the list as a whole need not. */
export const RailRow = ({ id, top, height, row, model, active, onAct, onFold }: RailRowProps) => {
  const hovered = useMap((s) => isHovered(row, model, s))
  const chosen = useMap((s) => isChosen(row, s))
  const grey = useMap((s) => isGrey(row, s))
  const byClip = useMap((s) => s.colouring === "clip")
  // By recording a subtopic stands under its topic, although all are siblings of one list.
  const indent = row.kind === "topic" && byClip ? 1 + (model.points[row.index]?.level ?? 1) : row.level
  const steps = byClip ? INDENT.byClip : INDENT.other
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree that holds the rows takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the tree, which names its active row
    <div
      id={id}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.of}
      aria-selected={chosen}
      aria-expanded={row.kind === "topic" ? undefined : row.open}
      onClick={onAct}
      onPointerEnter={() => hover(pointOf(row, model, useMap.getState()))}
      onPointerLeave={() => hover(NONE)}
      style={{ transform: `translateY(${top}px)`, height }}
      className={cx(
        "absolute inset-x-0 flex cursor-pointer items-center gap-2.5 pr-4 transition-colors",
        steps[Math.min(steps.length, indent) - 1],
        chosen ? "bg-accent-wash text-ink" : hovered ? "bg-accent-wash" : "text-soft hover:bg-accent-wash",
        grey && !chosen && "opacity-45",
        active &&
          "group-focus-visible/rail:outline-2 group-focus-visible/rail:-outline-offset-2 group-focus-visible/rail:outline-accent",
      )}
    >
      {row.kind === "group" && <GroupText row={row} byClip={byClip} model={model} />}
      {row.kind === "clip" && <ClipText row={row} model={model} />}
      {row.kind === "topic" && model.points[row.index] && (
        <TopicText point={model.points[row.index]!} alone={row.level === 1} rank={row.group.rank} chosen={chosen} />
      )}
      {row.kind !== "topic" && <Fold open={row.open} onFold={onFold} />}
    </div>
  )
}
