"use client"
import { useEffect, useRef, useState } from "react"
import { cx } from "../../ui/cx.ts"
import { formatClock } from "../../ui/format.ts"
import { hueStyle } from "../../ui/hues.ts"
import { prefersReducedMotion } from "../../ui/use-media.ts"
import { projectSample, SAMPLE_POINTS } from "./sample-points.ts"

/** One turn in 48 seconds. */
const RADIANS_PER_MS = (2 * Math.PI) / 48_000
const START_ANGLE = 0.6

/** A small map of the sample recording, as Earmark makes it. It turns slowly; a topic under the pointer shows its title. */
export const SampleMap = () => {
  const [angle, setAngle] = useState(START_ANGLE)
  const [active, setActive] = useState<number | null>(null)
  const isPaused = useRef(false)
  isPaused.current = active !== null
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
  const labelled = active ?? places.filter(({ point }) => point.level === 2).sort((a, b) => b.depth - a.depth)[0]!.index
  return (
    <figure className="map-ground relative grid aspect-[4/3] overflow-hidden rounded-lg border border-line">
      <svg viewBox="0 0 400 300" className="size-full" role="img" aria-label="The topics of the sample recording on a map">
        {places.map(({ index, x, y, parent }) =>
          parent === null ? null : (
            <line key={index} x1={x} y1={y} x2={parent.x} y2={parent.y} stroke="var(--line-strong)" strokeWidth="1" />
          ),
        )}
        {[...places]
          .sort((a, b) => a.depth - b.depth)
          .map(({ index, x, y, depth, point }) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only shows a title, which the text below has too
            <circle
              key={index}
              cx={x}
              cy={y}
              r={(point.level === 1 ? 9 : point.level === 2 ? 7.5 : 4.5) * (0.85 + 0.3 * depth)}
              style={hueStyle(point.hue)}
              className={cx("fill-tint stroke-map transition-opacity", active !== null && active !== index && "opacity-45")}
              strokeWidth="1.5"
              onPointerEnter={() => setActive(index)}
              onPointerLeave={() => setActive(null)}
            />
          ))}
      </svg>
      {places
        .filter(({ index }) => index === labelled)
        .map(({ index, x, y, point }) => (
          <p
            key={index}
            aria-hidden="true"
            className="pointer-events-none absolute max-w-[60%] rounded-md bg-panel px-2 py-1 text-xs font-[560] shadow-float"
            style={{
              top: `${(y / 300) * 100}%`,
              ...(x > 200 ? { right: `${(1 - (x - 14) / 400) * 100}%` } : { left: `${((x + 14) / 400) * 100}%` }),
              translate: "0 -50%",
            }}
          >
            {point.title} <span className="numeric font-[400] text-muted">{formatClock(point.start_s)}</span>
          </p>
        ))}
      <figcaption className="absolute inset-x-3 bottom-2 text-xs text-muted">
        The sample: {SAMPLE_POINTS.filter(({ level }) => level === 2).length} topics in 2:40
      </figcaption>
    </figure>
  )
}
