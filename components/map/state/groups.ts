import type { MapRegion, TopicPoint } from "#lib/domain/map.ts"
import { type Coloring, type OrderedColoring, SCALES } from "./coloring.ts"
import { MAX_GROUP_COLORS, NEUTRAL_RANK } from "./palette.ts"
import { assignSpeakers } from "./speakers.ts"

/** Points that share a color, such as those of one region or recording. */
export type Group = {
  readonly id: number
  /** Selects the color; 0 is the largest group, or the first step of an ordered coloring. */
  readonly rank: number
  readonly name: string
  /** The number of points. */
  readonly size: number
  /** The number of recordings that the points belong to. */
  readonly clips: number
  /** The point after which the group is named. */
  readonly anchor: number
}

/** The groups of a coloring: the group ID of each point, the groups in display order, and the rank of each group ID. */
export type Grouping = {
  readonly ids: Uint32Array
  readonly groups: readonly Group[]
  readonly ranks: Uint32Array
}

type GroupingOptions = {
  readonly total: number
  readonly anchors: Int32Array
  readonly nameOf: (anchor: number) => string
  readonly isNeutral?: (id: number, size: number) => boolean
}

/** Builds groups ordered by size, the largest first. IDs without points get no group. */
const groupBySize = (
  ids: Uint32Array,
  clipOf: Uint32Array,
  { total, anchors, nameOf, isNeutral = () => false }: GroupingOptions,
): Grouping => {
  const sizes = new Uint32Array(total)
  const clips = Array.from(sizes, () => new Set<number>())
  ids.forEach((id, i) => {
    sizes[id]!++
    clips[id]!.add(clipOf[i]!)
  })
  const used = [...sizes.keys()].filter((id) => sizes[id]! > 0).sort((a, b) => sizes[b]! - sizes[a]! || a - b)
  const ranks = new Uint32Array(total)
  const groups = used.map((id, place): Group => {
    const size = sizes[id]!
    const rank = isNeutral(id, size) ? NEUTRAL_RANK : place
    ranks[id] = rank
    const anchor = anchors[id]!
    return { id, rank, size, clips: clips[id]!.size, anchor, name: nameOf(anchor) }
  })
  return { ids, groups, ranks }
}

/** Returns the first point of the highest tree level for each group, or -1 for an empty group. */
const findRoots = (points: readonly TopicPoint[], ids: Uint32Array, total: number): Int32Array => {
  const best = new Int32Array(total).fill(-1)
  ids.forEach((id, i) => {
    if (best[id] === -1 || points[i]!.level < points[best[id]!]!.level) best[id] = i
  })
  return best
}

/** Returns the point nearest to the center of each group, or -1 for an empty one. Topics take precedence over whole recordings. */
const findMedoids = (points: readonly TopicPoint[], positions: Float32Array, ids: Uint32Array, total: number) => {
  const sums = new Float64Array(total * 4)
  ids.forEach((id, i) => {
    for (let axis = 0; axis < 3; axis++) sums[id * 4 + axis]! += positions[i * 3 + axis]!
    sums[id * 4 + 3]!++
  })
  const best = new Int32Array(total).fill(-1)
  const bestDistance = new Float64Array(total).fill(Number.POSITIVE_INFINITY)
  ids.forEach((id, i) => {
    const n = sums[id * 4 + 3]!
    const distance =
      Math.hypot(...[0, 1, 2].map((axis) => positions[i * 3 + axis]! - sums[id * 4 + axis]! / n)) +
      (points[i]!.level === 1 ? 1000 : 0)
    if (distance < bestDistance[id]!) {
      bestDistance[id] = distance
      best[id] = i
    }
  })
  return best
}

/** Builds a group for each step of the scale that has points. */
const groupByScale = (points: readonly TopicPoint[], clipOf: Uint32Array, coloring: OrderedColoring): Grouping => {
  const { names, stepOf } = SCALES[coloring]
  const ids = Uint32Array.from(points, stepOf)
  const groups = names.flatMap((name, id): Group[] => {
    const members = [...ids.keys()].filter((i) => ids[i] === id)
    if (members.length === 0) return []
    const clips = new Set(members.map((i) => clipOf[i])).size
    return [{ id, rank: id, name, size: members.length, clips, anchor: members[0]! }]
  })
  return { ids, groups, ranks: Uint32Array.from(names.keys()) }
}

/** Builds a group for each region, and a gray one for points without a region. */
const groupByRegion = (points: readonly TopicPoint[], clipOf: Uint32Array, regions: readonly MapRegion[]): Grouping => {
  const noRegion = regions.length
  const ids = Uint32Array.from(points, (p) => p.region_id ?? noRegion)
  return groupBySize(ids, clipOf, {
    total: noRegion + 1,
    anchors: Int32Array.of(...regions.map(({ point }) => point), ids.indexOf(noRegion)),
    nameOf: (anchor) => regions[ids[anchor]!]?.name ?? "No region",
    isNeutral: (id) => id === noRegion,
  })
}

type GroupInput = {
  readonly points: readonly TopicPoint[]
  readonly positions: Float32Array
  readonly clipOf: Uint32Array
  readonly totalClips: number
  readonly totalClusters: number
  readonly regions: readonly MapRegion[]
}

/** Groups the points by every coloring. */
export const groupPoints = ({
  points,
  positions,
  clipOf,
  totalClips,
  totalClusters,
  regions,
}: GroupInput): Readonly<Record<Coloring, Grouping>> => {
  const clusterOf = Uint32Array.from(points, (p) => p.cluster_id)
  const speakers = assignSpeakers(points)
  const totalSpeakers = speakers.names.length
  return {
    region: groupByRegion(points, clipOf, regions),
    clip: groupBySize(clipOf, clipOf, {
      total: totalClips,
      anchors: findRoots(points, clipOf, totalClips),
      nameOf: (anchor) => points[anchor]!.clip_title,
    }),
    cluster: groupBySize(clusterOf, clipOf, {
      total: totalClusters,
      anchors: findMedoids(points, positions, clusterOf, totalClusters),
      nameOf: (anchor) => points[anchor]!.topic_title,
      // Gray only if there are too few hues: otherwise the map of a first recording would be all gray.
      isNeutral: (_, size) => size === 1 && totalClusters > MAX_GROUP_COLORS,
    }),
    speaker: groupBySize(speakers.ids, clipOf, {
      total: totalSpeakers,
      anchors: findRoots(points, speakers.ids, totalSpeakers),
      nameOf: (anchor) => speakers.names[speakers.ids[anchor]!]!,
      isNeutral: (id) => id === speakers.noSpeaker,
    }),
    level: groupByScale(points, clipOf, "level"),
    time: groupByScale(points, clipOf, "time"),
    duration: groupByScale(points, clipOf, "duration"),
  }
}
