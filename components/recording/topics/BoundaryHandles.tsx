"use client"
import { type KeyboardEvent, type PointerEvent, useMemo, useState } from "react"
import { cx } from "../../ui/cx.ts"
import { clock } from "../../ui/format.ts"
import { useRecording } from "../context.ts"
import { type Border, borderNear, bordersOf, snapped, wordsOn } from "./boundaries.ts"
import { useMoveBorder } from "./topic-data.ts"
import type { Topic } from "./topics.ts"

/** How near the pointer must come to take hold of a border, and how far it must go to move it. */
const REACH_PX = 6
const STIR_PX = 3
const STEP_S = 10

type Held = { readonly index: number; readonly to: number; readonly from_x?: number; readonly stirred?: boolean }

type BordersProps = {
  duration: number
  topics: readonly Topic[]
  /** The time under the pointer. */
  timeAt: (event: PointerEvent) => number
  /** Seconds to a pixel. */
  scale: () => number
  onHold: () => void
}

const said = ({ before, topic }: Border): string => `Border between ${before} and ${topic.node.title}`

/**
 * The borders of the topics on the line of time: a pointer drags them, and one control moves all of them by keyboard:
 * left and right by a word, page keys by ten seconds, up and down to another border, Enter keeps, Escape gives up.
 */
export const BoundaryHandles = ({ duration, topics, timeAt, scale, onHold }: BordersProps) => {
  const { clip } = useRecording()
  const words = clip.transcription
  const borders = useMemo(() => bordersOf(topics), [topics])
  const move = useMoveBorder(clip.id)
  const [chosen, setChosen] = useState(0)
  const [near, setNear] = useState(-1)
  const [held, setHeld] = useState<Held | null>(null)
  const [focused, setFocused] = useState(false)
  const index = Math.min(held?.index ?? (near >= 0 ? near : chosen), borders.length - 1)
  const border = borders[index]
  if (!border || duration <= 0) return null
  // What was let go is shown where it will be until the service has said so.
  const moving = move.isPending && move.variables.border.topic.number === border.topic.number
  const place = held?.to ?? (moving ? move.variables.to : border.at)

  const keep = (now: Held | null) => {
    setHeld(null)
    const moved = now && borders[now.index]
    if (moved && now.to !== moved.at) move.mutate({ border: moved, to: now.to })
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const at = held?.to ?? border.at
    const go = (to: number) => setHeld({ index, to })
    const choose = (next: number) => {
      keep(held)
      setChosen(Math.min(borders.length - 1, Math.max(0, next)))
    }
    const keys: Record<string, () => void> = {
      ArrowLeft: () => go(wordsOn(words, border, at, -1)),
      ArrowRight: () => go(wordsOn(words, border, at, 1)),
      PageDown: () => go(snapped(words, border, at - STEP_S)),
      PageUp: () => go(snapped(words, border, at + STEP_S)),
      Home: () => go(snapped(words, border, border.low)),
      End: () => go(snapped(words, border, border.high)),
      ArrowUp: () => choose(index - 1),
      ArrowDown: () => choose(index + 1),
      Enter: () => keep(held),
      " ": () => keep(held),
      Escape: () => setHeld(null),
    }
    const run = keys[event.key]
    if (!run) return
    event.preventDefault()
    event.stopPropagation()
    run()
  }
  const onDown = (event: PointerEvent) => {
    const at = borderNear(borders, timeAt(event), REACH_PX * scale())
    // A finger is too thick for this; on a phone a border is moved in the topic's form.
    if (event.button !== 0 || event.pointerType === "touch" || at < 0) return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    onHold()
    setChosen(at)
    setHeld({ index: at, to: borders[at]!.at, from_x: event.clientX })
  }
  const onMove = (event: PointerEvent) => {
    if (held?.from_x === undefined) return setNear(borderNear(borders, timeAt(event), REACH_PX * scale()))
    event.stopPropagation()
    const stirred = held.stirred || Math.abs(event.clientX - held.from_x) >= STIR_PX
    if (stirred) setHeld({ ...held, stirred, to: snapped(words, borders[held.index]!, timeAt(event)) })
  }
  const seen = near >= 0 || held !== null || moving || focused
  return (
    <div
      onPointerDown={onDown}
      onPointerMove={onMove}
      onPointerUp={() => held?.from_x !== undefined && keep(held)}
      onPointerCancel={() => setHeld(null)}
      onPointerLeave={() => setNear(-1)}
      className={cx("absolute inset-x-0 bottom-0 z-10 h-5", (near >= 0 || held) && "cursor-col-resize")}
    >
      <div
        role="slider"
        tabIndex={0}
        aria-label={said(border)}
        aria-valuemin={Math.round(border.low)}
        aria-valuemax={Math.round(border.high)}
        aria-valuenow={Math.round(place)}
        aria-valuetext={`${clock(place)}${place === border.at ? "" : `, moved from ${clock(border.at)}`}`}
        aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Enter Escape"
        title="Drag, or use the arrow keys"
        onKeyDown={onKey}
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false)
          keep(held)
        }}
        style={{ left: `${(100 * place) / duration}%` }}
        className={cx(
          "group/border absolute -bottom-1 h-6 w-6 -translate-x-1/2 rounded-sm transition-opacity",
          !seen && "opacity-0",
        )}
      >
        <span
          aria-hidden="true"
          className={cx(
            "absolute bottom-0 left-1/2 w-1 -translate-x-1/2 rounded-full bg-ink ring-2 ring-paper",
            held ? "h-[5.5rem] max-sm:h-[4.5rem]" : "h-6",
          )}
        />
        {(held || focused) && (
          <span
            aria-hidden="true"
            className={cx(
              "pointer-events-none absolute top-full mt-1 flex max-w-80 items-baseline gap-2 rounded-sm bg-ink px-2 py-1 text-xs whitespace-nowrap text-paper shadow-float",
              place > 0.6 * duration ? "right-0" : "left-0",
            )}
          >
            <span className="numeric">{clock(place)}</span>
            <bdi className="truncate font-[560]">{border.topic.node.title}</bdi>
            {place !== border.at && focused && !held?.from_x && <span className="opacity-75">Enter keeps it</span>}
          </span>
        )}
      </div>
    </div>
  )
}
