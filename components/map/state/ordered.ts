import type { TopicPoint } from "#lib/domain/map.ts"
import type { Group } from "./model.ts"

/** Colourings by something that rises: their groups keep its order, and their colours are steps of one ramp. */
export const ORDERED = ["level", "time", "duration"] as const
export type OrderedColouring = (typeof ORDERED)[number]
export const isOrdered = (colouring: string): colouring is OrderedColouring =>
  (ORDERED as readonly string[]).includes(colouring)

type Scale = { readonly names: readonly string[]; readonly stepOf: (point: TopicPoint) => number }

/** The step of a value on a scale of upper borders. */
const below =
  (borders: readonly number[]) =>
  (value: number): number => {
    const at = borders.findIndex((border) => value < border)
    return at < 0 ? borders.length : at
  }
const minutes = below([5, 15, 30, 60])
const lasting = below([1, 3, 10, 30])

const SCALES: Readonly<Record<OrderedColouring, Scale>> = {
  level: {
    names: ["Whole recordings", "Topics", "Subtopics"],
    stepOf: (p) => Math.min(2, Math.max(0, p.level - 1)),
  },
  time: {
    names: ["First 5 minutes", "5 to 15 minutes in", "15 to 30 minutes in", "30 to 60 minutes in", "After an hour"],
    stepOf: (p) => minutes(p.start_s / 60),
  },
  duration: {
    names: ["Under a minute", "1 to 3 minutes", "3 to 10 minutes", "10 to 30 minutes", "Over half an hour"],
    stepOf: (p) => lasting(p.duration_s / 60),
  },
}

/** Steps of the colour ramp that a colouring has. */
export const stepsOf = (colouring: OrderedColouring): number => SCALES[colouring].names.length

type Grouped<T> = Readonly<Record<OrderedColouring, T>>

/** Groups of every ordered colouring; steps that no topic takes are left out. `clipOf` counts recordings. */
export const orderedGroups = (points: readonly TopicPoint[], clipOf: Uint32Array) => {
  const each = <T>(make: (scale: Scale) => T): Grouped<T> => ({
    level: make(SCALES.level),
    time: make(SCALES.time),
    duration: make(SCALES.duration),
  })
  const groupOf = each(({ stepOf }) => Uint32Array.from(points, stepOf))
  const groups = (colouring: OrderedColouring): Group[] =>
    SCALES[colouring].names.flatMap((name, id) => {
      const members = [...groupOf[colouring].keys()].filter((i) => groupOf[colouring][i] === id)
      if (members.length === 0) return []
      const clips = new Set(members.map((i) => clipOf[i])).size
      return [{ id, rank: id, name, size: members.length, clips, anchor: members[0]! }]
    })
  return {
    groupOf,
    groups: { level: groups("level"), time: groups("time"), duration: groups("duration") } as Grouped<Group[]>,
    rankOf: each(({ names }) => Uint32Array.from(names.keys())),
  }
}
