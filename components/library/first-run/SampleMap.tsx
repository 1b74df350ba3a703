"use client"
import { useEffect, useRef, useState } from "react"
import { formatClock } from "../../ui/format.ts"
import { hueStyle } from "../../ui/hues.ts"
import { prefersReducedMotion } from "../../ui/use-media.ts"
import { projectSample, type SamplePlace, type SamplePoint } from "./sample-points.ts"

/** One turn in 60 seconds. */
const RADIANS_PER_MS = (2 * Math.PI) / 60_000
const START_ANGLE = 0.6
/** The level of the recording as a whole. */
const RECORDING = 1

const TopicLabel = ({ place, onOpen }: { place: SamplePlace; onOpen: (point: SamplePoint) => void }) => {
  const { x, y, point } = place
  const isLeft = x > 230
  return (
    <button
      type="button"
      onClick={() => onOpen(point)}
      className="absolute flex min-h-9 items-center rounded-md px-2 text-left text-sm font-[600] whitespace-nowrap transition-colors hover:text-accent"
      style={{
        top: `${(y / 300) * 100}%`,
        left: `${(x / 400) * 100}%`,
        translate: isLeft ? "calc(-100% - 10px) -50%" : "10px -50%",
      }}
    >
      {point.title}
      <span className="numeric pl-1.5 text-xs font-[400] text-muted">{formatClock(point.start_s)}</span>
    </button>
  )
}

type SampleMapProps = {
  /** Opens the sample at a topic. */
  onOpen: (point: SamplePoint) => void
}

/** The map of the sample recording, as Earmark makes it. It turns slowly, unless the pointer is over it. */
export const SampleMap = ({ onOpen }: SampleMapProps) => {
  const [angle, setAngle] = useState(START_ANGLE)
  const isPaused = useRef(false)
  const pause = (paused: boolean) => () => {
    isPaused.current = paused
  }
  useEffect(() => {
    if (prefersReducedMotion()) return
    let last = performance.now()
    let frame = requestAnimationFrame(function turn(now) {
      // A hidden page draws nothing, so that a long time may have passed.
      const elapsed = Math.min(now - last, 100)
      last = now
      if (!isPaused.current) setAngle((before) => before + elapsed * RADIANS_PER_MS)
      frame = requestAnimationFrame(turn)
    })
    return () => cancelAnimationFrame(frame)
  }, [])
  const places = projectSample(angle)
  const recording = places.find(({ point }) => point.level === RECORDING)!
  const topics = places.filter(({ point }) => point.level !== RECORDING)
  return (
    <figure
      aria-label="The map of the sample recording"
      className="map-ground relative aspect-[4/3] overflow-hidden rounded-lg border border-line"
      onPointerEnter={pause(true)}
      onPointerLeave={pause(false)}
      onFocus={pause(true)}
      onBlur={pause(false)}
    >
      <svg viewBox="0 0 400 300" className="absolute inset-0 size-full" aria-hidden="true">
        <defs>
          <filter id="sample-haze" x="-100%" y="-100%" width="300%" height="300%">
            <feGaussianBlur stdDeviation="16" />
          </filter>
        </defs>
        {topics.map(({ point, x, y }, i) => (
          <circle
            key={point.number}
            cx={x}
            cy={y}
            r="30"
            style={hueStyle(i)}
            className="fill-tint"
            opacity="0.22"
            filter="url(#sample-haze)"
          />
        ))}
        {topics.map(({ point, x, y }) => (
          <line key={point.number} x1={x} y1={y} x2={recording.x} y2={recording.y} stroke="var(--line-strong)" />
        ))}
        <circle cx={recording.x} cy={recording.y} r="6" fill="none" stroke="var(--muted)" strokeWidth="1.5" />
        {topics.map(({ point, x, y, depth }, i) => (
          <circle
            key={point.number}
            cx={x}
            cy={y}
            r={6 + 3 * depth}
            style={hueStyle(i)}
            className="fill-tint stroke-map"
            strokeWidth="1.5"
          />
        ))}
      </svg>
      {topics.map((place) => (
        <TopicLabel key={place.point.number} place={place} onOpen={onOpen} />
      ))}
      <figcaption className="absolute inset-x-3 bottom-2 text-xs text-muted">
        The sample: a conversation of 2:40 about three subjects
      </figcaption>
    </figure>
  )
}
