import { cx } from "../../ui/cx.ts"
import { formatClock } from "../../ui/format.ts"
import { groupRankOfPoint, type MapModel } from "../state/model.ts"
import { hover, NONE, select, useMap } from "../state/store.ts"
import { Swatch } from "./Swatch.tsx"

/** A topic in a list. Hovering marks it on the map; a click opens it. */
export const TopicButton = (p: { model: MapModel; index: number; className?: string }) => {
  const { model, index } = p
  const coloring = useMap((s) => s.coloring)
  const { topic_title, clip_title, start_s } = model.points[index]!
  return (
    <button
      type="button"
      onClick={() => select(index)}
      onPointerEnter={() => hover(index)}
      onPointerLeave={() => hover(NONE)}
      className={cx(
        "flex min-w-0 items-center gap-2.5 rounded-md px-2 text-left transition hover:bg-accent-wash",
        p.className,
      )}
    >
      <Swatch rank={groupRankOfPoint(model, coloring, index)} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-[560]">
          <bdi>{topic_title}</bdi>
        </span>
        <span className="numeric block truncate text-xs text-muted">
          <bdi>{clip_title}</bdi> · {formatClock(start_s)}
        </span>
      </span>
    </button>
  )
}
