import type { MapLabel, TopicPoint, VizData } from "#lib/domain/map.ts"
import type { Coloring } from "./coloring.ts"
import { type Grouping, groupPoints } from "./groups.ts"
import { type Axis, buildTimelines, type TimelineData } from "./timeline.ts"

/** The map in the form that the scene reads. Points are addressed by their index. */
export type MapModel = {
  readonly points: readonly TopicPoint[]
  readonly count: number
  /** [n × 3], centered on the mean and scaled so that most points lie within `RADIUS`. */
  readonly positions: Float32Array
  /** [n], in scene units. */
  readonly radii: Float32Array
  readonly levels: Float32Array
  readonly groupings: Readonly<Record<Coloring, Grouping>>
  /** [2 × edges], the two points of each edge. */
  readonly edges: Uint32Array
  /** The edges of point i are `incidentEdges[edgeStarts[i]]` to `incidentEdges[edgeStarts[i + 1] - 1]`. */
  readonly edgeStarts: Uint32Array
  readonly incidentEdges: Uint32Array
  readonly similarities: Float32Array
  readonly clipIds: readonly string[]
  /** Names of regions; `radius` is in scene units. */
  readonly labels: readonly MapLabel[]
  readonly layoutVersion: number
  readonly normalization: Normalization
  readonly timelines: Readonly<Record<Axis, TimelineData>>
}

/** Returns `region` for several recordings; otherwise `cluster`, or `clip` if more than half of the topics are alone in their cluster. */
export const defaultColoring = ({ groupings, count }: MapModel): Coloring => {
  if (groupings.clip.groups.length > 1 && groupings.region.groups.length > 1) return "region"
  const singletons = groupings.cluster.groups.filter((g) => g.size === 1).length
  return groupings.clip.groups.length > 1 && singletons > count / 2 ? "clip" : "cluster"
}

/** Returns the rank of the group that a point belongs to. */
export const groupRankOfPoint = ({ groupings }: MapModel, coloring: Coloring, index: number): number => {
  const { ids, ranks } = groupings[coloring]
  return ranks[ids[index]!]!
}

/** Most points lie within this distance of the origin, in scene units. */
export const RADIUS = 10

/** Returns the value at `fraction` (0 to 1) of the sorted values, or 0 if there are none. */
const quantile = (values: Float32Array, fraction: number): number =>
  values.length === 0 ? 0 : (values.slice().sort()[Math.floor((values.length - 1) * fraction)] ?? 0)

/** The mean of a layout and the distance from it that is scaled to `RADIUS`. */
type Normalization = { readonly mean: readonly number[]; readonly distance: number }

/** Uses the 90th percentile of the distance as the scale, so that one distant point does not shrink the rest. */
const measureLayout = (points: readonly TopicPoint[]): Normalization => {
  const mean = [0, 0, 0]
  for (const p of points) {
    mean[0]! += p.x / points.length
    mean[1]! += p.y / points.length
    mean[2]! += p.z / points.length
  }
  const distances = Float32Array.from(points, (p) => Math.hypot(p.x - mean[0]!, p.y - mean[1]!, p.z - mean[2]!))
  return { mean, distance: quantile(distances, 0.9) || quantile(distances, 1) }
}

/** Centers and scales the points. Beyond `RADIUS` the distance grows logarithmically, which keeps outliers in view. */
const normalize = (points: readonly TopicPoint[], { mean, distance }: Normalization): Float32Array => {
  const positions = new Float32Array(points.length * 3)
  points.forEach((p, i) => {
    const offset = [p.x - mean[0]!, p.y - mean[1]!, p.z - mean[2]!]
    const r = Math.hypot(...offset) / (distance || 1)
    const scale = distance === 0 ? 1 : (RADIUS / distance) * (r > 1 ? (1 + Math.log(r)) / r : 1)
    for (let axis = 0; axis < 3; axis++) positions[i * 3 + axis] = scale * offset[axis]!
  })
  return positions
}

/** Returns the same positions with z = 0: the map in a plane. */
export const flattenPositions = (positions: Float32Array): Float32Array =>
  positions.map((v, i) => (i % 3 === 2 ? 0 : v))

/** Computes a radius from level and duration. `crowding` makes all points smaller on a map with many of them. */
const pointRadius = (point: TopicPoint, crowding: number): number => {
  const byLevel = [0.42, 0.28, 0.19][point.level - 1] ?? 0.19
  const byDuration = 0.85 + 0.3 * Math.min(1, Math.log1p(point.duration_s / 60) / Math.log1p(60))
  return byLevel * byDuration * crowding
}

const indexEdges = (edges: Uint32Array, count: number) => {
  const edgeStarts = new Uint32Array(count + 1)
  for (const end of edges) edgeStarts[end + 1]!++
  for (let i = 0; i < count; i++) edgeStarts[i + 1]! += edgeStarts[i]!
  const next = edgeStarts.slice()
  const incidentEdges = new Uint32Array(edges.length)
  edges.forEach((end, k) => {
    incidentEdges[next[end]!++] = k >> 1
  })
  return { edgeStarts, incidentEdges }
}

/**
 * Converts the response of `/viz/data` to typed arrays.
 *
 * @param previous the model shown until now. While the layout version is the same its normalization is reused, so that
 * new topics do not move existing ones.
 */
export const toModel = (data: VizData, previous: MapModel | null = null): MapModel => {
  const { points, layout_version: layoutVersion } = data
  const normalization = previous?.layoutVersion === layoutVersion ? previous.normalization : measureLayout(points)
  const positions = normalize(points, normalization)
  const labelScale = normalization.distance === 0 ? 1 : RADIUS / normalization.distance
  const clipIndex = new Map(data.clip_ids.map((id, i) => [id, i]))
  const clipOf = Uint32Array.from(points, (p) => clipIndex.get(p.clip_id) ?? 0)
  const edges = Uint32Array.from(data.edges.flatMap((e) => [e.a, e.b]))
  const crowding = Math.min(1.3, Math.max(0.34, 3.2 * points.length ** -0.3))
  return {
    points,
    count: points.length,
    positions,
    radii: Float32Array.from(points, (p) => pointRadius(p, crowding)),
    levels: Float32Array.from(points, (p) => p.level),
    groupings: groupPoints({
      points,
      positions,
      clipOf,
      totalClips: data.clip_ids.length,
      totalClusters: data.total_clusters,
      regions: data.regions,
    }),
    edges,
    similarities: Float32Array.from(data.edges, (e) => e.similarity),
    ...indexEdges(edges, points.length),
    clipIds: data.clip_ids,
    layoutVersion,
    normalization,
    timelines: buildTimelines(data),
    labels: data.labels.map((label) => ({ ...label, radius: label.radius * labelScale })),
  }
}

/** Returns the topics that share an edge with this one, the most similar first. */
export const getNeighbors = (model: MapModel, index: number): { index: number; similarity: number }[] =>
  Array.from(model.incidentEdges.subarray(model.edgeStarts[index], model.edgeStarts[index + 1]), (edge) => {
    const [a, b] = [model.edges[edge * 2]!, model.edges[edge * 2 + 1]!]
    return { index: a === index ? b : a, similarity: model.similarities[edge]! }
  }).sort((x, y) => y.similarity - x.similarity)

/** Returns the topics that contain this one, outermost first: "1" and "1.2" for the topic "1.2.3". */
export const getAncestors = (model: MapModel, index: number): number[] => {
  const { clip_id, number } = model.points[index]!
  const parts = number.split(".")
  const numbers = parts.slice(0, -1).map((_, depth) => parts.slice(0, depth + 1).join("."))
  return numbers.flatMap((n) => {
    const found = model.points.findIndex((p) => p.clip_id === clip_id && p.number === n)
    return found < 0 ? [] : [found]
  })
}

/** Identifies a topic by its number in its recording: `<clip ID>~<number>`. */
export const topicKey = (model: MapModel, index: number): string => {
  const p = model.points[index]!
  return `${p.clip_id}~${p.number}`
}
