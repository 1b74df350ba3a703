"use client"
import type { TopicPoint } from "#lib/domain/map.ts"
import { cx } from "../../ui/cx.ts"
import { formatClock, formatCount } from "../../ui/format.ts"
import { Icon } from "../../ui/Icon.tsx"
import type { MapModel } from "../state/model.ts"
import type { Row } from "../state/rows.ts"
import { levelName } from "./levels.ts"
import { Swatch } from "./Swatch.tsx"

/** For the pointer; the keyboard folds with the arrows left and right. */
export const Fold = ({ open, onFold }: { open: boolean; onFold: () => void }) => (
  <button
    type="button"
    tabIndex={-1}
    aria-hidden="true"
    onClick={(event) => {
      event.stopPropagation()
      onFold()
    }}
    className="-my-2 -mr-2 -ml-1.5 grid size-8 shrink-0 place-items-center rounded-full text-muted hover:text-ink"
  >
    <Icon name="down" size={16} className={cx("transition-transform", !open && "-rotate-90")} />
  </button>
)

type GroupTextProps = { row: Extract<Row, { kind: "group" }>; byClip: boolean; model: MapModel }

/** A subject says how many topics of how many recordings it gathers, or of which one; a recording just counts its topics. */
export const GroupText = ({ row: { group }, byClip, model }: GroupTextProps) => (
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

/** A recording within a group, and how many of the group's topics are its own. */
export const ClipText = ({ row, model }: { row: Extract<Row, { kind: "clip" }>; model: MapModel }) => (
  <>
    <Icon name="wave" size={15} className="shrink-0 text-muted" />
    <span className="min-w-0 flex-1 truncate text-sm font-[560]">
      <bdi>{model.points[row.topics[0]!]?.clip_title}</bdi>
    </span>
    <span className="numeric text-xs text-muted">{row.topics.length}</span>
  </>
)

/** `alone`: the topic stands for its group, and says whose it is itself. */
type TopicTextProps = { point: TopicPoint; alone: boolean; rank: number; chosen: boolean }

export const TopicText = ({ point, alone, rank, chosen }: TopicTextProps) => {
  const whole = point.level === 1 && point.topic_title === point.clip_title
  return (
    <>
      {alone && <Swatch rank={rank} />}
      <span className="min-w-0 flex-1">
        <span
          className={cx("block truncate text-sm", chosen || alone ? "font-[600]" : point.level === 1 && "text-ink")}
        >
          <bdi>{whole ? levelName(1) : point.topic_title}</bdi>
        </span>
        {alone && (
          <span className="block truncate text-xs text-muted">
            <bdi>{point.clip_title}</bdi>
          </span>
        )}
      </span>
      <span className="numeric text-xs text-muted">{formatClock(point.start_s)}</span>
    </>
  )
}
