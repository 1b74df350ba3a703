import type { TopicPoint } from "#lib/domain/map.ts"

/** Colorings by an ordered property. Their groups keep that order, and their colors are the steps of one ramp. */
export const ORDERED_COLORINGS = ["level", "time", "duration"] as const
export type OrderedColoring = (typeof ORDERED_COLORINGS)[number]

export const COLORINGS = ["region", "cluster", "clip", "speaker", ...ORDERED_COLORINGS] as const
/** The property by which points are colored and the list is grouped. */
export type Coloring = (typeof COLORINGS)[number]

export const isColoring = (name: string | undefined): name is Coloring => COLORINGS.some((c) => c === name)
export const isOrdered = (coloring: Coloring): coloring is OrderedColoring =>
  ORDERED_COLORINGS.some((c) => c === coloring)

type Scale = { readonly names: readonly string[]; readonly stepOf: (point: TopicPoint) => number }

/** Returns a function that gives the number of limits a value has reached. `limits` must ascend. */
const countReached =
  (limits: readonly number[]) =>
  (value: number): number => {
    const step = limits.findIndex((limit) => value < limit)
    return step < 0 ? limits.length : step
  }
const stepByStart = countReached([5, 15, 30, 60])
const stepByDuration = countReached([1, 3, 10, 30])

export const SCALES: Readonly<Record<OrderedColoring, Scale>> = {
  level: {
    names: ["Whole recordings", "Topics", "Subtopics"],
    stepOf: (p) => Math.min(2, Math.max(0, p.level - 1)),
  },
  time: {
    names: ["First 5 minutes", "5 to 15 minutes in", "15 to 30 minutes in", "30 to 60 minutes in", "After an hour"],
    stepOf: (p) => stepByStart(p.start_s / 60),
  },
  duration: {
    names: ["Under a minute", "1 to 3 minutes", "3 to 10 minutes", "10 to 30 minutes", "Over half an hour"],
    stepOf: (p) => stepByDuration(p.duration_s / 60),
  },
}

/** Returns the label of a level of the topic tree; 1 is the whole recording. */
export const levelName = (level: number): string => ["Whole recording", "Topic", "Subtopic"][level - 1] ?? "Topic"
