"use client"
import { type KeyboardEvent, type PointerEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react"
import type { WordSpan } from "#lib/domain/transcript/words.ts"
import { cx } from "../../ui/cx.ts"
import { formatClock } from "../../ui/format.ts"
import { useMedia } from "../../ui/use-media.ts"
import type { Speaker } from "../speakers/speakers.ts"
import { BoundaryHandles } from "../topics/BoundaryHandles.tsx"
import { findTopicAt, type Topic } from "../topics/topic-list.ts"
import { getCurrentTime, seek, subscribeToTime, usePlayer, useTimeDerived } from "./player.ts"
import { SpeakerLanes } from "./SpeakerLanes.tsx"
import { Waveform } from "./Waveform.tsx"

type TimelineProps = {
  /** The waveform; null if there is none to draw. */
  peaks: readonly number[] | null
  words: readonly WordSpan[]
  /** Empty if the speakers are unknown. */
  speakers: readonly Speaker[]
  duration: number
  topics: readonly Topic[]
  canMoveBoundaries: boolean
}

const TopicSpans = ({ topics, level, duration }: { topics: readonly Topic[]; level: 2 | 3; duration: number }) => (
  <div aria-hidden="true" className={cx("relative", level === 2 ? "h-1.5 sm:h-2" : "h-1 max-sm:hidden")}>
    {topics
      .filter((t) => t.level === level)
      .map(({ node, number, color }) => (
        <span
          key={number}
          style={{
            background: color,
            left: `${(100 * node.start_s) / duration}%`,
            width: `calc(${(100 * (node.end_s - node.start_s)) / duration}% - 2px)`,
          }}
          className={cx("absolute inset-y-0 min-w-0.5 rounded-full", level === 3 && "opacity-55")}
        />
      ))}
  </div>
)

/** The time and topic under the pointer. */
const HoverHint = ({ time, topic, duration }: { time: number; topic: Topic | undefined; duration: number }) => {
  const share = duration > 0 ? time / duration : 0
  return (
    <div
      aria-hidden="true"
      style={{ left: `${100 * share}%` }}
      className="pointer-events-none absolute inset-y-0 z-10 w-px bg-muted"
    >
      <span
        className={cx(
          "absolute top-full mt-1.5 flex max-w-72 items-baseline gap-2 rounded-sm bg-ink px-2 py-1 text-xs whitespace-nowrap text-paper shadow-float",
          share > 0.6 ? "right-0" : "left-0",
        )}
      >
        <span className="numeric">{formatClock(time)}</span>
        {topic && <bdi className="truncate font-[560]">{topic.node.title}</bdi>}
      </span>
    </div>
  )
}

const PositionSlider = ({
  duration,
  topics,
  children,
}: Pick<TimelineProps, "duration" | "topics"> & { children: ReactNode }) => {
  const second = usePlayer((s) => s.second)
  const onKey = (event: KeyboardEvent) => {
    const starts = topics.filter((t) => t.level === 2).map((t) => t.node.start_s)
    const time = getCurrentTime()
    const keys: Record<string, () => number> = {
      ArrowLeft: () => time - 5,
      ArrowDown: () => time - 5,
      ArrowRight: () => time + 5,
      ArrowUp: () => time + 5,
      PageUp: () => starts.findLast((s) => s < time - 2) ?? 0,
      PageDown: () => starts.find((s) => s > time + 0.5) ?? duration,
      Home: () => 0,
      End: () => duration,
    }
    const to = keys[event.key]
    if (!to || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    seek(to())
  }
  const topic = useTimeDerived((time) => findTopicAt(topics, time), undefined)
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label="Playback position"
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={Math.min(second, Math.round(duration))}
      aria-valuetext={`${formatClock(second)} of ${formatClock(duration)}${topic ? `, ${topic.node.title}` : ""}`}
      onKeyDown={onKey}
      className="grid gap-1 rounded-sm outline-offset-4"
    >
      {children}
    </div>
  )
}

/**
 * The timeline of a recording: the waveform in topic colors and the topics below, with movable boundaries. It is a slider:
 * arrow keys move by 5 seconds, page keys by topic.
 */
export const Timeline = ({ peaks, words, speakers, duration, topics, canMoveBoundaries }: TimelineProps) => {
  const box = useRef<HTMLDivElement>(null)
  const playhead = useRef<HTMLDivElement>(null)
  const [hover, setHover] = useState<number | null>(null)
  // A finger cannot hit a boundary on the short timeline of a phone; the form of a topic has its times.
  const isRoomy = useMedia("(min-width: 640px)")
  useEffect(
    () =>
      subscribeToTime((time) => {
        if (playhead.current)
          playhead.current.style.left = `${duration > 0 ? Math.min(100, (100 * time) / duration) : 0}%`
      }),
    [duration],
  )
  const scale = useCallback(() => duration / Math.max(1, box.current?.clientWidth ?? 1), [duration])
  const timeAt = useCallback(
    (event: PointerEvent): number => {
      const { left } = box.current!.getBoundingClientRect()
      return Math.max(0, Math.min(duration, (event.clientX - left) * scale()))
    },
    [duration, scale],
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
    <div
      ref={box}
      role="group"
      aria-label="Timeline"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        seek(timeAt(event))
      }}
      onPointerMove={(event) => {
        const time = timeAt(event)
        setHover(time)
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seek(time)
      }}
      onPointerLeave={() => setHover(null)}
      className="relative cursor-pointer touch-pan-y select-none"
    >
      <PositionSlider duration={duration} topics={topics}>
        {peaks && (
          <div className="relative h-8 sm:h-14">
            <Waveform peaks={peaks} duration={duration} topics={topics} />
          </div>
        )}
        {(speakers.length > 1 || !peaks) && (
          <div aria-hidden="true" className={cx(peaks ? "max-sm:hidden" : "py-1.5")}>
            <SpeakerLanes words={words} speakers={speakers} duration={duration} />
          </div>
        )}
        {duration > 0 && (
          <>
            <TopicSpans topics={topics} level={2} duration={duration} />
            <TopicSpans topics={topics} level={3} duration={duration} />
          </>
        )}
      </PositionSlider>
      {canMoveBoundaries && isRoomy && (
        <BoundaryHandles
          duration={duration}
          topics={topics}
          getTimeAt={timeAt}
          getSecondsPerPixel={scale}
          onDragStart={() => setHover(null)}
        />
      )}
      <div ref={playhead} aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-0 w-0">
        <span className="absolute inset-y-0 -left-px w-0.5 rounded-full bg-accent" />
        <span className="absolute -top-1 -left-[5px] size-2.5 rounded-full bg-accent" />
      </div>
      {hover !== null && <HoverHint time={hover} topic={findTopicAt(topics, hover)} duration={duration} />}
    </div>
  )
}
