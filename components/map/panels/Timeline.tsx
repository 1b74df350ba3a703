"use client"
import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from "react"
import { IconButton } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { Segmented } from "../../ui/Segmented.tsx"
import type { MapModel } from "../state/model.ts"
import { brush, measureBy, toggleTimeline, useMap } from "../state/store.ts"
import { type Axis, BINS, type Line, type Span, wordsFor } from "../state/timeline.ts"

const OPTIONS = [
  { value: "date", label: "Date" },
  { value: "place", label: "In the recording" },
] as const satisfies readonly { value: Axis; label: string }[]

/** A handle is taken from so many pixels around it. */
const GRIP_PX = 10
/** A drag shorter than this was a click. */
const LEAST_PX = 3

/** Bars of all bins as one path, in a box of BINS × 1. Their roots are taken: a few must not sink beside many. */
const barsOf = ({ bins }: Line): string => {
  const most = Math.sqrt(Math.max(1, ...bins))
  return Array.from(bins, (n, i) => (n > 0 ? `M${i + 0.1} 1V${(1 - Math.sqrt(n) / most).toFixed(3)}h.8V1Z` : "")).join(
    "",
  )
}

type EndProps = { which: "from" | "to"; axis: Axis; line: Line; span: Span; onMove: (value: number) => void }

/** One end of the span: a slider for the keyboard, a line to grip for the pointer. */
const End = ({ which, axis, line, span, onMove }: EndProps) => {
  const step = (line.to - line.from) / BINS
  const keys: Record<string, number> = {
    ArrowLeft: span[which] - step,
    ArrowDown: span[which] - step,
    ArrowRight: span[which] + step,
    ArrowUp: span[which] + step,
    PageDown: span[which] - 8 * step,
    PageUp: span[which] + 8 * step,
    Home: line.from,
    End: line.to,
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
      aria-label={which === "from" ? "Lit from" : "Lit until"}
      aria-valuemin={Math.round(line.from)}
      aria-valuemax={Math.round(line.to)}
      aria-valuenow={Math.round(span[which])}
      aria-valuetext={wordsFor(axis, line, span[which])}
      onKeyDown={onKey}
      style={{ left: `${(100 * (span[which] - line.from)) / (line.to - line.from || 1)}%` }}
      className="absolute inset-y-0 -ml-[7px] w-3.5 cursor-ew-resize rounded-sm"
    >
      <span className="absolute inset-y-0 left-1/2 w-0.5 -translate-x-1/2 rounded-full bg-accent" />
      <span className="absolute top-1/2 left-1/2 h-4 w-1.5 -translate-1/2 rounded-full bg-accent" />
    </div>
  )
}

type Drag = { readonly what: "from" | "to" | "new" | "move"; readonly x: number; readonly span: Span }

/** Dragging over the line lights a part of it; its ends and the part itself can be dragged. */
const useBrush = (line: Line, span: Span | null) => {
  const box = useRef<HTMLDivElement>(null)
  const drag = useRef<Drag | null>(null)
  const scale = () => {
    const { left, width } = box.current!.getBoundingClientRect()
    return { left, perPx: (line.to - line.from) / Math.max(1, width) }
  }
  const clamped = (value: number) => Math.min(line.to, Math.max(line.from, value))
  const onPointerDown = (event: PointerEvent) => {
    if (!event.isPrimary || event.button !== 0) return
    const { left, perPx } = scale()
    const at = line.from + (event.clientX - left) * perPx
    const near = (value: number) => Math.abs(at - value) < GRIP_PX * perPx
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
    const far = event.clientX - now.x
    if (now.what === "new" && Math.abs(far) < LEAST_PX) return
    const by = far * scale().perPx
    const { from, to } = now.span
    if (now.what === "move") {
      const held = Math.min(line.to - to, Math.max(line.from - from, by))
      return brush({ from: from + held, to: to + held })
    }
    const ends = [
      clamped(now.what === "to" ? from : from + by),
      clamped(now.what === "from" ? to : now.what === "new" ? to : to + by),
    ]
    brush({ from: Math.min(...ends), to: Math.max(...ends) })
  }
  const onPointerUp = (event: PointerEvent) => {
    const now = drag.current
    drag.current = null
    // A click beside what is lit lights all again.
    if (now?.what === "new" && Math.abs(event.clientX - now.x) < LEAST_PX) brush(null)
  }
  return { box, onPointerDown, onPointerMove, onPointerUp, onPointerCancel: () => (drag.current = null), clamped }
}

/** How many topics lie when, and the part of that which is lit; the rest of the map is grey, not gone. */
export const Timeline = ({ model, axis, className }: { model: MapModel; axis: Axis; className?: string }) => {
  const span = useMap((s) => s.span)
  const line = model.lines[axis]
  const bars = useMemo(() => barsOf(line), [line])
  const { box, clamped, ...grip } = useBrush(line, span)
  // An address may name more than there is.
  const shown = span ? { from: clamped(span.from), to: clamped(span.to) } : line
  const part = (value: number) => (100 * (value - line.from)) / (line.to - line.from || 1)
  const move = (which: "from" | "to") => (value: number) => {
    const to = clamped(value)
    brush(
      which === "from"
        ? { from: Math.min(to, shown.to), to: shown.to }
        : { from: shown.from, to: Math.max(to, shown.from) },
    )
  }
  return (
    <section aria-label="Line of time" className={cx("panel grid gap-1.5 px-3.5 pt-1.5 pb-2.5", className)}>
      <div className="flex items-center gap-3">
        <Segmented label="Line of time by" value={axis} options={OPTIONS} onChange={measureBy} />
        <p aria-live="polite" className="numeric min-w-0 flex-1 truncate text-xs text-muted">
          {wordsFor(axis, line, shown.from)} – {wordsFor(axis, line, shown.to)}
        </p>
        {span && (
          <button
            type="button"
            onClick={() => brush(null)}
            className="rounded-full px-2 py-0.5 text-xs font-[560] text-soft transition hover:bg-accent-wash hover:text-ink"
          >
            All
          </button>
        )}
        <IconButton name="close" label="Close the line of time" onClick={toggleTimeline} className="-mr-2" />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its two ends are sliders for the keyboard */}
      <div
        ref={box}
        {...grip}
        onDoubleClick={() => brush(null)}
        className="relative h-11 cursor-crosshair touch-none border-b border-line-strong select-none"
      >
        {[false, true].map((lit) => (
          <svg
            key={String(lit)}
            aria-hidden="true"
            viewBox={`0 0 ${BINS} 1`}
            preserveAspectRatio="none"
            style={lit ? { clipPath: `inset(0 ${100 - part(shown.to)}% 0 ${part(shown.from)}%)` } : undefined}
            className={cx("absolute inset-0 size-full", lit ? "fill-accent" : "fill-line-strong")}
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
        <End which="from" axis={axis} line={line} span={shown} onMove={move("from")} />
        <End which="to" axis={axis} line={line} span={shown} onMove={move("to")} />
      </div>
    </section>
  )
}
