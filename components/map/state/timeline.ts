import type { TopicPoint, VizData } from "#lib/domain/map.ts"
import { formatClock } from "../../ui/format.ts"

/** What the line of time measures: when a recording was published or came in, or how far into it a topic lies. */
export const AXES = ["date", "place"] as const
export type Axis = (typeof AXES)[number]
export const isAxis = (name: string | undefined): name is Axis => AXES.some((axis) => axis === name)

/** A stretch of an axis, in seconds: of the epoch, or of a recording. */
export type Span = { readonly from: number; readonly to: number }

/** An axis with what lies on it: from when to when each point lasts, and how many lie in each of `BINS` equal parts. */
export type Line = Span & {
  readonly begins: Float64Array
  readonly ends: Float64Array
  readonly bins: Uint32Array
}

export const BINS = 72

const lineOf = (points: readonly TopicPoint[], extent: (p: TopicPoint) => Span): Line => {
  const begins = Float64Array.from(points, (p) => extent(p).from)
  const ends = Float64Array.from(points, (p) => extent(p).to)
  const from = begins.reduce((least, v) => Math.min(least, v), Number.POSITIVE_INFINITY)
  const to = ends.reduce((most, v) => Math.max(most, v), Number.NEGATIVE_INFINITY)
  const bins = new Uint32Array(BINS)
  points.forEach(({ level }, i) => {
    // A recording as a whole would fill its line from end to end and tell nothing.
    if (level === 1 && points.length > 1 && ends[i]! > begins[i]!) return
    const at = (x: number) => Math.min(BINS - 1, Math.floor((BINS * (x - from)) / (to - from || 1)))
    for (let bin = at(begins[i]!); bin <= at(Math.max(begins[i]!, ends[i]! - 1)); bin++) bins[bin]!++
  })
  return { from, to, begins, ends, bins }
}

export const linesOf = ({ points, clip_dates }: Pick<VizData, "points" | "clip_dates">): Record<Axis, Line> => ({
  date: lineOf(points, ({ clip_id }) => {
    const at = Math.floor(Date.parse(clip_dates[clip_id] ?? "") / 1000) || 0
    return { from: at, to: at }
  }),
  place: lineOf(points, ({ start_s, duration_s }) => ({ from: start_s, to: start_s + duration_s })),
})

/** Whether a point lies in a span, or a part of it does. */
export const inSpan = ({ begins, ends }: Line, { from, to }: Span, point: number): boolean =>
  begins[point]! <= to && ends[point]! >= from

const DAY_S = 86_400

/** Dates, where they tell recordings apart. */
export const usualAxis = ({ date }: Readonly<Record<Axis, Line>>): Axis =>
  date.to - date.from >= DAY_S ? "date" : "place"

/** A place on an axis in words; among dates of one day the time of it. */
export const wordsFor = (axis: Axis, line: Span, value: number): string => {
  if (axis === "place") return formatClock(value)
  const at = new Date(value * 1000)
  return line.to - line.from < DAY_S
    ? at.toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hour12: false })
    : at.toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" })
}
