"use client"
import { type KeyboardEvent, type PointerEvent, useMemo, useState } from "react"
import { cx } from "../../ui/cx.ts"
import { formatClock } from "../../ui/format.ts"
import { useRecording } from "../recording-context.ts"
import { type Boundary, findNearestBoundary, listBoundaries, moveByWord, snapToWord } from "./boundaries.ts"
import { useMoveBoundary } from "./topic-data.ts"
import type { Topic } from "./topic-list.ts"

/** How near the pointer must come to take hold of a boundary, and how far it must go to move it. */
const GRAB_DISTANCE_PX = 6
const MIN_DRAG_PX = 3
const STEP_S = 10

type Drag = { readonly index: number; readonly time_s: number; readonly startX?: number; readonly hasMoved?: boolean }

type BoundaryHandlesProps = {
  duration: number
  topics: readonly Topic[]
  /** The time under the pointer. */
  getTimeAt: (event: PointerEvent) => number
  /** Seconds to a pixel. */
  getSecondsPerPixel: () => number
  onDragStart: () => void
}

const describeBoundary = ({ previousTitle: before, topic }: Boundary): string =>
  `Boundary between ${before} and ${topic.node.title}`

/**
 * The boundaries of the topics on the line of time: a pointer drags them, and one control moves all of them by keyboard:
 * left and right by a word, page keys by ten seconds, up and down to another boundary, Enter keeps, Escape gives up.
 */
export const BoundaryHandles = ({
  duration,
  topics,
  getTimeAt: timeAt,
  getSecondsPerPixel: scale,
  onDragStart: onHold,
}: BoundaryHandlesProps) => {
  const { clip } = useRecording()
  const words = clip.transcription
  const boundaries = useMemo(() => listBoundaries(topics), [topics])
  const move = useMoveBoundary(clip.id)
  const [chosen, setChosen] = useState(0)
  const [near, setNear] = useState(-1)
  const [drag, setDrag] = useState<Drag | null>(null)
  const [focused, setFocused] = useState(false)
  const index = Math.min(drag?.index ?? (near >= 0 ? near : chosen), boundaries.length - 1)
  const boundary = boundaries[index]
  if (!boundary || duration <= 0) return null
  // What was let go is shown where it will be until the service has said so.
  const moving = move.isPending && move.variables.boundary.topic.number === boundary.topic.number
  const place = drag?.time_s ?? (moving ? move.variables.to : boundary.time_s)

  const keep = (now: Drag | null) => {
    setDrag(null)
    const moved = now && boundaries[now.index]
    if (moved && now.time_s !== moved.time_s) move.mutate({ boundary: moved, to: now.time_s })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const at = drag?.time_s ?? boundary.time_s
    const go = (to: number) => setDrag({ index, time_s: to })
    const choose = (next: number) => {
      keep(drag)
      setChosen(Math.min(boundaries.length - 1, Math.max(0, next)))
    }
    const keys: Record<string, () => void> = {
      ArrowLeft: () => go(moveByWord(words, boundary, at, -1)),
      ArrowRight: () => go(moveByWord(words, boundary, at, 1)),
      PageDown: () => go(snapToWord(words, boundary, at - STEP_S)),
      PageUp: () => go(snapToWord(words, boundary, at + STEP_S)),
      Home: () => go(snapToWord(words, boundary, boundary.min_s)),
      End: () => go(snapToWord(words, boundary, boundary.max_s)),
      ArrowUp: () => choose(index - 1),
      ArrowDown: () => choose(index + 1),
      Enter: () => keep(drag),
      " ": () => keep(drag),
      Escape: () => setDrag(null),
    }
    const run = keys[event.key]
    if (!run) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
  const onDown = (event: PointerEvent) => {
    const at = findNearestBoundary(boundaries, timeAt(event), GRAB_DISTANCE_PX * scale())
    // A finger is too thick for this; on a phone a boundary is moved in the topic's form.
    if (event.button !== 0 || event.pointerType === "touch" || at < 0) return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    onHold()
    setChosen(at)
    setDrag({ index: at, time_s: boundaries[at]!.time_s, startX: event.clientX })
  }
  const onMove = (event: PointerEvent) => {
    if (drag?.startX === undefined)
      return setNear(findNearestBoundary(boundaries, timeAt(event), GRAB_DISTANCE_PX * scale()))
    event.stopPropagation()
    const hasMoved = drag.hasMoved || Math.abs(event.clientX - drag.startX) >= MIN_DRAG_PX
    if (hasMoved)
      setDrag({ ...drag, hasMoved: hasMoved, time_s: snapToWord(words, boundaries[drag.index]!, timeAt(event)) })
  }
  const seen = near >= 0 || drag !== null || moving || focused
  return (
    <div
      onPointerDown={onDown}
      onPointerMove={onMove}
      onPointerUp={() => drag?.startX !== undefined && keep(drag)}
      onPointerCancel={() => setDrag(null)}
      onPointerLeave={() => setNear(-1)}
      className={cx("absolute inset-x-0 bottom-0 z-10 h-5", (near >= 0 || drag) && "cursor-col-resize")}
    >
      <div
        role="slider"
        tabIndex={0}
        aria-label={describeBoundary(boundary)}
        aria-valuemin={Math.round(boundary.min_s)}
        aria-valuemax={Math.round(boundary.max_s)}
        aria-valuenow={Math.round(place)}
        aria-valuetext={`${formatClock(place)}${place === boundary.time_s ? "" : `, moved from ${formatClock(boundary.time_s)}`}`}
        aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Enter Escape"
        title="Drag, or use the arrow keys"
        onKeyDown={onKey}
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false)
          keep(drag)
        }}
        style={{ left: `${(100 * place) / duration}%` }}
        className={cx(
          "group/boundary absolute -bottom-1 h-6 w-6 -translate-x-1/2 rounded-sm transition-opacity",
          !seen && "opacity-0",
        )}
      >
        <span
          aria-hidden="true"
          className={cx(
            "absolute bottom-0 left-1/2 w-1 -translate-x-1/2 rounded-full bg-ink ring-2 ring-paper",
            drag ? "h-[5.5rem] max-sm:h-[4.5rem]" : "h-6",
          )}
        />
        {(drag || focused) && (
          <span
            aria-hidden="true"
            className={cx(
              "pointer-events-none absolute top-full mt-1 flex max-w-80 items-baseline gap-2 rounded-sm bg-ink px-2 py-1 text-xs whitespace-nowrap text-paper shadow-float",
              place > 0.6 * duration ? "right-0" : "left-0",
            )}
          >
            <span className="numeric">{formatClock(place)}</span>
            <bdi className="truncate font-[560]">{boundary.topic.node.title}</bdi>
            {place !== boundary.time_s && focused && !drag?.startX && (
              <span className="opacity-75">Enter keeps it</span>
            )}
          </span>
        )}
      </div>
    </div>
  )
}
