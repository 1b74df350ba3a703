"use client"
import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from "react"
import { IconButton } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { Segmented } from "../../ui/Segmented.tsx"
import type { MapModel } from "../state/model.ts"
import { setAxis, setSpan, toggleTimeline, useMap } from "../state/store.ts"
import { type Axis, BINS, formatAxisValue, type Span, type TimelineData } from "../state/timeline.ts"

const OPTIONS = [
  { value: "date", label: "Date" },
  { value: "place", label: "Position in recording" },
] as const satisfies readonly { value: Axis; label: string }[]

/** Distance from a handle at which a drag moves it. */
const HANDLE_REACH_PX = 10
/** A shorter drag is treated as a click. */
const MIN_DRAG_PX = 3

/** Returns a path of all bars in a box of BINS × 1. Uses square roots, so that small counts stay visible. */
const buildBarsPath = ({ bins }: TimelineData): string => {
  const max = Math.sqrt(Math.max(1, ...bins))
  return Array.from(bins, (n, i) => (n > 0 ? `M${i + 0.1} 1V${(1 - Math.sqrt(n) / max).toFixed(3)}h.8V1Z` : "")).join(
    "",
  )
}

type HandleProps = {
  which: "from" | "to"
  axis: Axis
  timeline: TimelineData
  span: Span
  onMove: (value: number) => void
}

/** One end of the span. It is a slider for the keyboard; `useSpanDrag` handles the pointer. */
const Handle = ({ which, axis, timeline, span, onMove }: HandleProps) => {
  const step = (timeline.to - timeline.from) / BINS
  const keys: Record<string, number> = {
    ArrowLeft: span[which] - step,
    ArrowDown: span[which] - step,
    ArrowRight: span[which] + step,
    ArrowUp: span[which] + step,
    PageDown: span[which] - 8 * step,
    PageUp: span[which] + 8 * step,
    Home: timeline.from,
    End: timeline.to,
  }
  const onKey = (event: KeyboardEvent) => {
    const to = keys[event.key]
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    onMove(to)
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={which === "from" ? "From" : "Until"}
      aria-valuemin={Math.round(timeline.from)}
      aria-valuemax={Math.round(timeline.to)}
      aria-valuenow={Math.round(span[which])}
      aria-valuetext={formatAxisValue(axis, timeline, span[which])}
      onKeyDown={onKey}
      style={{ left: `${(100 * (span[which] - timeline.from)) / (timeline.to - timeline.from || 1)}%` }}
      className="absolute inset-y-0 -ml-[7px] w-3.5 cursor-ew-resize rounded-sm"
    >
      <span className="absolute inset-y-0 left-1/2 w-0.5 -translate-x-1/2 rounded-full bg-accent" />
      <span className="absolute top-1/2 left-1/2 h-4 w-1.5 -translate-1/2 rounded-full bg-accent" />
    </div>
  )
}

type Drag = { readonly what: "from" | "to" | "new" | "move"; readonly x: number; readonly span: Span }

/** Handles pointer drags: they select a new span, move the span, or move one end of it. */
const useSpanDrag = (timeline: TimelineData, span: Span | null) => {
  const box = useRef<HTMLDivElement>(null)
  const drag = useRef<Drag | null>(null)
  const scale = () => {
    const { left, width } = box.current!.getBoundingClientRect()
    return { left, perPx: (timeline.to - timeline.from) / Math.max(1, width) }
  }
  const clamped = (value: number) => Math.min(timeline.to, Math.max(timeline.from, value))
  const onPointerDown = (event: PointerEvent) => {
    if (!event.isPrimary || event.button !== 0) return
    const { left, perPx } = scale()
    const at = timeline.from + (event.clientX - left) * perPx
    const near = (value: number) => Math.abs(at - value) < HANDLE_REACH_PX * perPx
    const what = !span
      ? "new"
      : near(span.from)
        ? "from"
        : near(span.to)
          ? "to"
          : at > span.from && at < span.to
            ? "move"
            : "new"
    drag.current = { what, x: event.clientX, span: what === "new" || !span ? { from: at, to: at } : span }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const onPointerMove = (event: PointerEvent) => {
    const now = drag.current
    if (!now || !event.isPrimary) return
    const movedPx = event.clientX - now.x
    if (now.what === "new" && Math.abs(movedPx) < MIN_DRAG_PX) return
    const by = movedPx * scale().perPx
    const { from, to } = now.span
    if (now.what === "move") {
      const offset = Math.min(timeline.to - to, Math.max(timeline.from - from, by))
      return setSpan({ from: from + offset, to: to + offset })
    }
    const ends = [
      clamped(now.what === "to" ? from : from + by),
      clamped(now.what === "from" ? to : now.what === "new" ? to : to + by),
    ]
    setSpan({ from: Math.min(...ends), to: Math.max(...ends) })
  }
  const onPointerUp = (event: PointerEvent) => {
    const now = drag.current
    drag.current = null
    // A click outside the span clears it.
    if (now?.what === "new" && Math.abs(event.clientX - now.x) < MIN_DRAG_PX) setSpan(null)
  }
  return { box, onPointerDown, onPointerMove, onPointerUp, onPointerCancel: () => (drag.current = null), clamped }
}

/** Shows the number of topics over time and dims topics outside the selected span. */
export const Timeline = ({ model, axis }: { model: MapModel; axis: Axis }) => {
  const span = useMap((s) => s.span)
  const timeline = model.timelines[axis]
  const bars = useMemo(() => buildBarsPath(timeline), [timeline])
  const { box, clamped, ...pointerHandlers } = useSpanDrag(timeline, span)
  // A URL may contain a span that exceeds the timeline.
  const shown = span ? { from: clamped(span.from), to: clamped(span.to) } : timeline
  const part = (value: number) => (100 * (value - timeline.from)) / (timeline.to - timeline.from || 1)
  const move = (which: "from" | "to") => (value: number) => {
    const to = clamped(value)
    setSpan(
      which === "from"
        ? { from: Math.min(to, shown.to), to: shown.to }
        : { from: shown.from, to: Math.max(to, shown.from) },
    )
  }
  return (
    <section aria-label="Timeline" className="panel pointer-events-auto grid gap-1.5 px-3.5 pt-1.5 pb-2.5">
      <div className="flex items-center gap-3">
        <Segmented label="Timeline by" value={axis} options={OPTIONS} onChange={setAxis} />
        <p aria-live="polite" className="numeric min-w-0 flex-1 truncate text-xs text-muted">
          {formatAxisValue(axis, timeline, shown.from)} – {formatAxisValue(axis, timeline, shown.to)}
        </p>
        {span && (
          <button
            type="button"
            onClick={() => setSpan(null)}
            className="rounded-full px-2 py-0.5 text-xs font-[560] text-soft transition hover:bg-accent-wash hover:text-ink"
          >
            All
          </button>
        )}
        <IconButton name="close" label="Close timeline" onClick={toggleTimeline} className="-mr-2" />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the handles are sliders for the keyboard */}
      <div
        ref={box}
        {...pointerHandlers}
        onDoubleClick={() => setSpan(null)}
        className="relative h-11 cursor-crosshair touch-none border-b border-line-strong select-none"
      >
        {[false, true].map((isInSpan) => (
          <svg
            key={String(isInSpan)}
            aria-hidden="true"
            viewBox={`0 0 ${BINS} 1`}
            preserveAspectRatio="none"
            style={isInSpan ? { clipPath: `inset(0 ${100 - part(shown.to)}% 0 ${part(shown.from)}%)` } : undefined}
            className={cx("absolute inset-0 size-full", isInSpan ? "fill-accent" : "fill-line-strong")}
          >
            <path d={bars} />
          </svg>
        ))}
        {span && (
          <span
            aria-hidden="true"
            style={{ left: `${part(shown.from)}%`, width: `${part(shown.to) - part(shown.from)}%` }}
            className="absolute inset-y-0 cursor-grab bg-accent-wash"
          />
        )}
        <Handle which="from" axis={axis} timeline={timeline} span={shown} onMove={move("from")} />
        <Handle which="to" axis={axis} timeline={timeline} span={shown} onMove={move("to")} />
      </div>
    </section>
  )
}
