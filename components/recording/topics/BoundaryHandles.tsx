"use client"
import { type KeyboardEvent, type PointerEvent, useMemo, useState } from "react"
import { cx } from "../../ui/cx.ts"
import { formatClock } from "../../ui/format.ts"
import { useRecording } from "../recording-context.ts"
import { type Boundary, findNearestBoundary, listBoundaries, moveByWord, snapToWord } from "./boundaries.ts"
import { useMoveBoundary } from "./topic-data.ts"
import type { Topic } from "./topic-list.ts"

const GRAB_DISTANCE_PX = 6
const MIN_DRAG_PX = 3
const STEP_S = 10

type Drag = { readonly index: number; readonly time_s: number; readonly startX?: number; readonly hasMoved?: boolean }

type BoundaryHandlesProps = {
  duration: number
  topics: readonly Topic[]
  /** Returns the time under the pointer, in seconds. */
  getTimeAt: (event: PointerEvent) => number
  getSecondsPerPixel: () => number
  onDragStart: () => void
}

const describeBoundary = ({ previousTitle, topic }: Boundary): string =>
  `Boundary between ${previousTitle} and ${topic.node.title}`

/**
 * The movable topic boundaries on the timeline. With a keyboard, one slider moves all of them: Left and Right by a word,
 * Page Up and Page Down by 10 seconds, Up and Down select another boundary, Enter saves and Escape cancels.
 */
export const BoundaryHandles = ({
  duration,
  topics,
  getTimeAt,
  getSecondsPerPixel,
  onDragStart,
}: BoundaryHandlesProps) => {
  const { clip } = useRecording()
  const words = clip.transcription
  const boundaries = useMemo(() => listBoundaries(topics), [topics])
  const move = useMoveBoundary(clip.id)
  const [selected, setSelected] = useState(0)
  const [hovered, setHovered] = useState(-1)
  const [drag, setDrag] = useState<Drag | null>(null)
  const [focused, setFocused] = useState(false)
  const index = Math.min(drag?.index ?? (hovered >= 0 ? hovered : selected), boundaries.length - 1)
  const boundary = boundaries[index]
  if (!boundary || duration <= 0) return null
  // After a drop, the handle stays at its new position while the change is saved.
  const isSaving = move.isPending && move.variables.boundary.topic.number === boundary.topic.number
  const position = drag?.time_s ?? (isSaving ? move.variables.to : boundary.time_s)

  const save = (now: Drag | null) => {
    setDrag(null)
    const moved = now && boundaries[now.index]
    if (moved && now.time_s !== moved.time_s) move.mutate({ boundary: moved, to: now.time_s })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const time_s = drag?.time_s ?? boundary.time_s
    const go = (to: number) => setDrag({ index, time_s: to })
    const select = (next: number) => {
      save(drag)
      setSelected(Math.min(boundaries.length - 1, Math.max(0, next)))
    }
    const keys: Record<string, () => void> = {
      ArrowLeft: () => go(moveByWord(words, boundary, time_s, -1)),
      ArrowRight: () => go(moveByWord(words, boundary, time_s, 1)),
      PageDown: () => go(snapToWord(words, boundary, time_s - STEP_S)),
      PageUp: () => go(snapToWord(words, boundary, time_s + STEP_S)),
      Home: () => go(snapToWord(words, boundary, boundary.min_s)),
      End: () => go(snapToWord(words, boundary, boundary.max_s)),
      ArrowUp: () => select(index - 1),
      ArrowDown: () => select(index + 1),
      Enter: () => save(drag),
      " ": () => save(drag),
      Escape: () => setDrag(null),
    }
    const run = keys[event.key]
    if (!run) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
  const onDown = (event: PointerEvent) => {
    const at = findNearestBoundary(boundaries, getTimeAt(event), GRAB_DISTANCE_PX * getSecondsPerPixel())
    // Touch is too imprecise. On a phone, boundaries are moved in the topic dialog.
    if (event.button !== 0 || event.pointerType === "touch" || at < 0) return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    onDragStart()
    setSelected(at)
    setDrag({ index: at, time_s: boundaries[at]!.time_s, startX: event.clientX })
  }
  const onMove = (event: PointerEvent) => {
    if (drag?.startX === undefined)
      return setHovered(findNearestBoundary(boundaries, getTimeAt(event), GRAB_DISTANCE_PX * getSecondsPerPixel()))
    event.stopPropagation()
    const hasMoved = drag.hasMoved || Math.abs(event.clientX - drag.startX) >= MIN_DRAG_PX
    if (hasMoved) setDrag({ ...drag, hasMoved, time_s: snapToWord(words, boundaries[drag.index]!, getTimeAt(event)) })
  }
  const isVisible = hovered >= 0 || drag !== null || isSaving || focused
  return (
    <div
      onPointerDown={onDown}
      onPointerMove={onMove}
      onPointerUp={() => drag?.startX !== undefined && save(drag)}
      onPointerCancel={() => setDrag(null)}
      onPointerLeave={() => setHovered(-1)}
      className={cx("absolute inset-x-0 bottom-0 z-10 h-5", (hovered >= 0 || drag) && "cursor-col-resize")}
    >
      <div
        role="slider"
        tabIndex={0}
        aria-label={describeBoundary(boundary)}
        aria-valuemin={Math.round(boundary.min_s)}
        aria-valuemax={Math.round(boundary.max_s)}
        aria-valuenow={Math.round(position)}
        aria-valuetext={`${formatClock(position)}${position === boundary.time_s ? "" : `, moved from ${formatClock(boundary.time_s)}`}`}
        aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Enter Escape"
        title="Drag, or use the arrow keys"
        onKeyDown={onKey}
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false)
          save(drag)
        }}
        style={{ left: `${(100 * position) / duration}%` }}
        className={cx(
          "group/boundary absolute -bottom-1 h-6 w-6 -translate-x-1/2 rounded-sm transition-opacity",
          !isVisible && "opacity-0",
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
              position > 0.6 * duration ? "right-0" : "left-0",
            )}
          >
            <span className="numeric">{formatClock(position)}</span>
            <bdi className="truncate font-[560]">{boundary.topic.node.title}</bdi>
            {position !== boundary.time_s && focused && !drag?.startX && (
              <span className="opacity-75">Press Enter to save</span>
            )}
          </span>
        )}
      </div>
    </div>
  )
}
