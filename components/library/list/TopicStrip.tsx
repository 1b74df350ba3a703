"use client"
import type { PointerEvent } from "react"
import type { StripTopic } from "#lib/domain/clips.ts"
import { cx } from "../../ui/cx.ts"
import { formatClock } from "../../ui/format.ts"
import { regionColor } from "../../ui/hues.ts"

type TopicStripProps = {
  strip: readonly StripTopic[]
  duration_s: number
  className?: string
}

/** The gap between two topics, in pixels. */
const GAP = 1.5

/** Returns the topics as one background. A page with hundreds of topics needs no element for each. */
const toGradient = (strip: readonly StripTopic[], end: number): string => {
  // On a map without regions, such as that of the first recording, topics differ by their position.
  const isMapped = strip.some(({ region }) => region !== null)
  const stops = strip.flatMap(({ start_s, duration_s, region }, position) => {
    const color = regionColor(isMapped ? region : position)
    const from = `${((100 * start_s) / end).toFixed(2)}%`
    const to = `calc(${((100 * (start_s + duration_s)) / end).toFixed(2)}% - ${GAP}px)`
    return [`transparent ${from}`, `${color} ${from}`, `${color} ${to}`, `transparent ${to}`]
  })
  return `linear-gradient(90deg, ${stops.join(", ")})`
}

/** A small timeline of a recording. Each topic has the color of its region on the map. */
export const TopicStrip = ({ strip, duration_s, className }: TopicStripProps) => {
  const end = Math.max(duration_s, ...strip.map((t) => t.start_s + t.duration_s), 0.001)
  const nameTopic = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const time = (end * (clientX - left)) / width
    const topic = strip.find((t) => time >= t.start_s && time < t.start_s + t.duration_s)
    currentTarget.title = topic ? `${formatClock(topic.start_s)} ${topic.title}` : ""
  }
  return (
    <span
      aria-hidden="true"
      onPointerMove={nameTopic}
      style={strip.length > 0 ? { backgroundImage: toGradient(strip, end) } : undefined}
      className={cx("block h-2 rounded-full", strip.length === 0 && "bg-line", className)}
    />
  )
}
