import type { MapLabel, TopicPoint, VizData } from "#lib/domain/map.ts"
import { ORDERED, type OrderedColouring, orderedGroups } from "./ordered.ts"
import { GROUP_COLOURS, NEUTRAL } from "./palette.ts"
import { speakersOf } from "./speakers.ts"
import { type Axis, type Line, linesOf } from "./timeline.ts"

/** A set of points that share a colour: a recording, a cluster, a voice. `rank` 0 is the largest; `anchor` is the point that names it; `clips` counts its recordings. */
export type Group = {
  readonly id: number
  readonly rank: number
  readonly name: string
  readonly size: number
  readonly clips: number
  readonly anchor: number
}
export type Colouring = "cluster" | "clip" | "speaker" | OrderedColouring
export const COLOURINGS: readonly Colouring[] = ["cluster", "clip", "speaker", ...ORDERED]

/** The map as the scene reads it: everything is addressed by the index of the point. */
export type MapModel = {
  readonly points: readonly TopicPoint[]
  readonly count: number
  /** [n × 3], centred on the middle of the points, scaled so that most of them lie within `RADIUS`. */
  readonly positions: Float32Array
  /** Radius of each point in the scene's units. */
  readonly sizes: Float32Array
  readonly levels: Float32Array
  /** Id of the group that a point belongs to, by colouring; `rankOf` gives the rank of a group by its id. */
  readonly groupOf: Readonly<Record<Colouring, Uint32Array>>
  readonly groups: Readonly<Record<Colouring, readonly Group[]>>
  readonly rankOf: Readonly<Record<Colouring, Uint32Array>>
  /** [2 × edges] ends of the edges. */
  readonly edges: Uint32Array
  /** Edges of point i: `incident[starts[i]] … incident[starts[i + 1] - 1]`, each an index into the edges. */
  readonly starts: Uint32Array
  readonly incident: Uint32Array
  readonly similarities: Float32Array
  readonly clipIds: readonly string[]
  /** Names of the map's lands; `radius` in the scene's units. */
  readonly labels: readonly MapLabel[]
  readonly frame: Frame
  readonly lines: Readonly<Record<Axis, Line>>
}

/** Subjects when the map has any to speak of; where nearly every topic stands alone, colour tells more by recording. */
export const usualColouring = (model: MapModel): Colouring => {
  const alone = model.groups.cluster.filter((g) => g.size === 1).length
  return model.groups.clip.length > 1 && alone > model.count / 2 ? "clip" : "cluster"
}

/** Most points lie within this distance of the middle. */
export const RADIUS = 10

/** Median of a copy; 0 for nothing. */
const quantile = (values: Float32Array, part: number): number =>
  values.length === 0 ? 0 : (values.slice().sort()[Math.floor((values.length - 1) * part)] ?? 0)

/** What the positions of a layout are measured from and by. */
export type Frame = { readonly layout: number; readonly mean: readonly number[]; readonly most: number }

/**
 * Centres by the mean and scales by the 90th percentile of the distance: one far point must not shrink the rest. What
 * lies beyond is drawn in by the logarithm of its distance, so that the view still holds it.
 */
const place = (points: readonly TopicPoint[], before: Frame | null): { positions: Float32Array; frame: Frame } => {
  const { mean, most } = before ?? measured(points)
  const positions = new Float32Array(points.length * 3)
  points.forEach((p, i) => {
    const from = [p.x - mean[0]!, p.y - mean[1]!, p.z - mean[2]!]
    const r = Math.hypot(...from) / (most || 1)
    const scale = most === 0 ? 1 : (RADIUS / most) * (r > 1 ? (1 + Math.log(r)) / r : 1)
    for (let axis = 0; axis < 3; axis++) positions[i * 3 + axis] = scale * from[axis]!
  })
  return { positions, frame: { layout: 0, mean, most } }
}

const measured = (points: readonly TopicPoint[]): Pick<Frame, "mean" | "most"> => {
  const mean = [0, 0, 0]
  for (const p of points) {
    mean[0]! += p.x / points.length
    mean[1]! += p.y / points.length
    mean[2]! += p.z / points.length
  }
  const distance = Float32Array.from(points, (p) => Math.hypot(p.x - mean[0]!, p.y - mean[1]!, p.z - mean[2]!))
  return { mean, most: quantile(distance, 0.9) || quantile(distance, 1) }
}

/** A recording is large, a topic middling, a subtopic small; long ones a little larger; all smaller where many crowd. */
const sizeOf = (point: TopicPoint, crowd: number): number => {
  const byLevel = [0.42, 0.28, 0.19][point.level - 1] ?? 0.19
  const byDuration = 0.85 + 0.3 * Math.min(1, Math.log1p(point.duration_s / 60) / Math.log1p(60))
  return byLevel * byDuration * crowd
}

/** @param neutral which group, of how many, takes no colour of its own. */
const gather = (
  groupOf: Uint32Array,
  clipOf: Uint32Array,
  total: number,
  anchors: Int32Array,
  nameOf: (anchor: number) => string,
  neutral: (group: number, size: number) => boolean = () => false,
): Group[] => {
  const size = new Uint32Array(total)
  const clips = Array.from(size, () => new Set<number>())
  groupOf.forEach((g, i) => {
    size[g]!++
    clips[g]!.add(clipOf[i]!)
  })
  const ids = [...size.keys()].filter((g) => size[g]! > 0).sort((a, b) => size[b]! - size[a]! || a - b)
  return ids.map((id, rank) => {
    const anchor = anchors[id]!
    const own = neutral(id, size[id]!) ? NEUTRAL : rank
    return { id, rank: own, size: size[id]!, clips: clips[id]!.size, anchor, name: nameOf(anchor) }
  })
}

const ranks = (groups: readonly Group[], total: number): Uint32Array => {
  const out = new Uint32Array(total)
  for (const { id, rank } of groups) out[id] = rank
  return out
}

/** The first point of each group that stands highest in its tree. */
const roots = (points: readonly TopicPoint[], of: Uint32Array, total: number): Int32Array => {
  const best = new Int32Array(total).fill(-1)
  of.forEach((g, i) => {
    if (best[g] === -1 || points[i]!.level < points[best[g]!]!.level) best[g] = i
  })
  return best
}

/** The member nearest to the middle of its cluster gives the cluster its name; topics go before whole recordings. */
const medoids = (points: readonly TopicPoint[], positions: Float32Array, of: Uint32Array, total: number) => {
  const sums = new Float64Array(total * 4)
  of.forEach((g, i) => {
    for (let axis = 0; axis < 3; axis++) sums[g * 4 + axis]! += positions[i * 3 + axis]!
    sums[g * 4 + 3]!++
  })
  const best = new Int32Array(total).fill(-1)
  const bestAt = new Float64Array(total).fill(Number.POSITIVE_INFINITY)
  of.forEach((g, i) => {
    const n = sums[g * 4 + 3]!
    const d =
      Math.hypot(...[0, 1, 2].map((axis) => positions[i * 3 + axis]! - sums[g * 4 + axis]! / n)) +
      (points[i]!.level === 1 ? 1000 : 0)
    if (d < bestAt[g]!) {
      bestAt[g] = d
      best[g] = i
    }
  })
  return best
}

const incidence = (edges: Uint32Array, count: number) => {
  const starts = new Uint32Array(count + 1)
  for (const end of edges) starts[end + 1]!++
  for (let i = 0; i < count; i++) starts[i + 1]! += starts[i]!
  const at = starts.slice()
  const incident = new Uint32Array(edges.length)
  edges.forEach((end, k) => {
    incident[at[end]!++] = k >> 1
  })
  return { starts, incident }
}

/**
 * Turns the service's answer into typed arrays, once for each answer.
 *
 * @param before the model before it: while the layout is the same, topics that come move none that are there.
 */
export const toModel = (data: VizData, before: MapModel | null = null): MapModel => {
  const { points, layout_version: layout } = data
  const { positions, frame } = place(points, before?.frame.layout === layout ? before.frame : null)
  const scale = frame.most === 0 ? 1 : RADIUS / frame.most
  const clipIndex = new Map(data.clip_ids.map((id, i) => [id, i]))
  const clipOf = Uint32Array.from(points, (p) => clipIndex.get(p.clip_id) ?? 0)
  const clusterOf = Uint32Array.from(points, (p) => p.cluster_id)
  const edges = Uint32Array.from(data.edges.flatMap((e) => [e.a, e.b]))
  const voices = speakersOf(points)
  const totals = { clip: data.clip_ids.length, cluster: data.total_clusters }
  const groups = {
    clip: gather(
      clipOf,
      clipOf,
      totals.clip,
      roots(points, clipOf, totals.clip),
      (anchor) => points[anchor]!.clip_title,
    ),
    cluster: gather(
      clusterOf,
      clipOf,
      totals.cluster,
      medoids(points, positions, clusterOf, totals.cluster),
      (anchor) => points[anchor]!.topic_title,
      // While there are colours for all subjects, those of a single topic have one too: a first recording is no grey map.
      (_, size) => size === 1 && totals.cluster > GROUP_COLOURS,
    ),
    speaker: gather(
      voices.of,
      clipOf,
      voices.names.length,
      roots(points, voices.of, voices.names.length),
      (anchor) => voices.names[voices.of[anchor]!]!,
      (id) => id === voices.nobody,
    ),
  }
  const ordered = orderedGroups(points, clipOf)
  const crowd = Math.min(1.3, Math.max(0.34, 3.2 * points.length ** -0.3))
  return {
    points,
    count: points.length,
    positions,
    sizes: Float32Array.from(points, (p) => sizeOf(p, crowd)),
    levels: Float32Array.from(points, (p) => p.level),
    groupOf: { clip: clipOf, cluster: clusterOf, speaker: voices.of, ...ordered.groupOf },
    groups: { ...groups, ...ordered.groups },
    rankOf: {
      clip: ranks(groups.clip, totals.clip),
      cluster: ranks(groups.cluster, totals.cluster),
      speaker: ranks(groups.speaker, voices.names.length),
      ...ordered.rankOf,
    },
    edges,
    similarities: Float32Array.from(data.edges, (e) => e.similarity),
    ...incidence(edges, points.length),
    clipIds: data.clip_ids,
    frame: { ...frame, layout },
    lines: linesOf(data),
    labels: data.labels.map((label) => ({ ...label, radius: label.radius * scale })),
  }
}

/** The topics that share an edge with this one, nearest in meaning first. */
export const neighbours = (model: MapModel, index: number): { index: number; similarity: number }[] =>
  Array.from(model.incident.subarray(model.starts[index], model.starts[index + 1]), (edge) => {
    const [a, b] = [model.edges[edge * 2]!, model.edges[edge * 2 + 1]!]
    return { index: a === index ? b : a, similarity: model.similarities[edge]! }
  }).sort((x, y) => y.similarity - x.similarity)

/** The topics above this one in its recording, outermost first: "1.2.3" lies in "1.2", that in "1". */
export const ancestors = (model: MapModel, index: number): number[] => {
  const { clip_id, number } = model.points[index]!
  const parts = number.split(".")
  const wanted = parts.slice(0, -1).map((_, depth) => parts.slice(0, depth + 1).join("."))
  return wanted.flatMap((n) => {
    const found = model.points.findIndex((p) => p.clip_id === clip_id && p.number === n)
    return found < 0 ? [] : [found]
  })
}
