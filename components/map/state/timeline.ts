import type { TopicPoint, VizData } from "#lib/domain/map.ts"
import { formatClock } from "../../ui/format.ts"

/** `date`: when the recording was published or added. `place`: the position of the topic in its recording. */
export const AXES = ["date", "place"] as const
export type Axis = (typeof AXES)[number]
export const isAxis = (name: string | undefined): name is Axis => AXES.some((axis) => axis === name)

/** A part of an axis, in seconds: Unix time for `date`, time since the start of the recording for `place`. */
export type Span = { readonly from: number; readonly to: number }

/** The extent of an axis, the start and end of each point on it, and the number of points in each of `BINS` equal parts. */
export type TimelineData = Span & {
  readonly starts: Float64Array
  readonly ends: Float64Array
  readonly bins: Uint32Array
}

export const BINS = 72

const buildTimeline = (points: readonly TopicPoint[], extentOf: (p: TopicPoint) => Span): TimelineData => {
  const starts = Float64Array.from(points, (p) => extentOf(p).from)
  const ends = Float64Array.from(points, (p) => extentOf(p).to)
  const from = starts.reduce((min, v) => Math.min(min, v), Number.POSITIVE_INFINITY)
  const to = ends.reduce((max, v) => Math.max(max, v), Number.NEGATIVE_INFINITY)
  const bins = new Uint32Array(BINS)
  points.forEach(({ level }, i) => {
    // A whole recording would count in every bin.
    if (level === 1 && points.length > 1 && ends[i]! > starts[i]!) return
    const binAt = (x: number) => Math.min(BINS - 1, Math.floor((BINS * (x - from)) / (to - from || 1)))
    for (let bin = binAt(starts[i]!); bin <= binAt(Math.max(starts[i]!, ends[i]! - 1)); bin++) bins[bin]!++
  })
  return { from, to, starts, ends, bins }
}

export const buildTimelines = ({
  points,
  clip_dates,
}: Pick<VizData, "points" | "clip_dates">): Record<Axis, TimelineData> => ({
  date: buildTimeline(points, ({ clip_id }) => {
    const at = Math.floor(Date.parse(clip_dates[clip_id] ?? "") / 1000) || 0
    return { from: at, to: at }
  }),
  place: buildTimeline(points, ({ start_s, duration_s }) => ({ from: start_s, to: start_s + duration_s })),
})

export const overlapsSpan = ({ starts, ends }: TimelineData, { from, to }: Span, point: number): boolean =>
  starts[point]! <= to && ends[point]! >= from

const DAY_S = 86_400

/** Returns `date` unless all recordings are from the same day. */
export const defaultAxis = ({ date }: Readonly<Record<Axis, TimelineData>>): Axis =>
  date.to - date.from >= DAY_S ? "date" : "place"

/** Formats a value of an axis. A date axis shorter than a day shows the time of day. */
export const formatAxisValue = (axis: Axis, extent: Span, value: number): string => {
  if (axis === "place") return formatClock(value)
  const at = new Date(value * 1000)
  return extent.to - extent.from < DAY_S
    ? at.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false })
    : at.toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" })
}
