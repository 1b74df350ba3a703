import { setImmediate as immediate } from "node:timers/promises"
import type { MapLabel, MapRegion } from "../../domain/map.ts"
import { divideLayout } from "../../map/clusters/layout-areas.ts"
import type { TopicIndex } from "../search/topic-index.ts"
import { RegionNamer } from "./region-names.ts"

/** The number of regions of each level is this times the square root of the number of topics, up to a maximum. */
const REGIONS_PER_ROOT = 0.7
const MAX_REGIONS = 20
const SUBREGIONS_PER_ROOT = 2
const MAX_SUBREGIONS = 80
/** A smaller region joins the nearest one. */
const MIN_REGION_POINTS = 3
/** A region with fewer points has no subregions. */
const MIN_DIVIDED_POINTS = 12
/** The finest level labels one of this many topics with its title, up to a maximum. */
const POINTS_PER_TITLE = 5
const MAX_TITLES = 160

export type Regions = {
  readonly regions: readonly MapRegion[]
  /** The region of each point; −1 on a map without regions. */
  readonly regionOf: Int32Array
  /** The phrases in the name of each region. Empty if a title names it. */
  readonly phrases: readonly (readonly string[])[]
  readonly labels: readonly MapLabel[]
}

type Area = { readonly points: readonly number[]; readonly anchor: number; readonly radius: number }

/**
 * Divides the map into named regions, large regions into subregions, and labels the finest level with titles of topics.
 * All names differ. Large maps take up to a second, in steps between which the process handles other requests.
 * @param coords points × 3, as shown
 */
export const findRegions = async (index: TopicIndex, coords: Float64Array): Promise<Regions> => {
  const { topics } = index.snapshot
  const root = Math.sqrt(topics.length)
  const all = topics.map((_, i) => i)
  const areas = divide(coords, all, Math.min(MAX_REGIONS, Math.round(REGIONS_PER_ROOT * root)))
  const regionOf = new Int32Array(topics.length).fill(-1)
  if (areas.length < 2) return { regions: [], regionOf, phrases: [], labels: [] }
  await immediate()
  const namer = new RegionNamer(index)
  const regions: MapRegion[] = []
  const phrases: (readonly string[])[] = []
  const labels: MapLabel[] = []
  const subareas: { readonly area: Area; readonly region: number; readonly stems: ReadonlySet<string> }[] = []
  const subregions = Math.min(MAX_SUBREGIONS, Math.round(SUBREGIONS_PER_ROOT * root))
  // Large regions choose their names first.
  for (const area of [...areas].sort((a, b) => b.points.length - a.points.length)) {
    await immediate()
    const { name, phrases: ownPhrases, stems } = namer.name(area.points)
    const id = regions.length
    const { points, anchor, radius } = area
    regions.push({ id, name, point: anchor, size: points.length, clips: countClips(index, points), radius })
    phrases.push(ownPhrases)
    labels.push({ text: name, depth: 0, point: anchor, size: points.length, radius, region: id })
    for (const point of points) regionOf[point] = id
    const parts = Math.round((subregions * points.length) / topics.length)
    if (points.length >= MIN_DIVIDED_POINTS && parts > 1)
      for (const part of divide(coords, points, parts)) subareas.push({ area: part, region: id, stems })
  }
  for (const { area, region, stems } of subareas) {
    await immediate()
    const { name } = namer.name(area.points, stems)
    const { points, anchor, radius } = area
    labels.push({ text: name, depth: 1, point: anchor, size: points.length, radius, region })
  }
  return { regions, regionOf, phrases, labels: [...labels, ...labelTitles(index, coords, regionOf, labels)] }
}

const countClips = ({ snapshot }: TopicIndex, points: readonly number[]): number =>
  new Set(points.map((point) => snapshot.topics[point]!.clip_id)).size

/** Divides points into at most k areas. An area with too few points joins the nearest one. */
const divide = (coords: Float64Array, points: readonly number[], k: number): Area[] => {
  if (k < 2 || points.length < k * MIN_REGION_POINTS) return [measureArea(coords, points)]
  const own = new Float64Array(3 * points.length)
  points.forEach((point, i) => {
    own.set(coords.subarray(3 * point, 3 * point + 3), 3 * i)
  })
  const { areaOf, sizes, anchors } = divideLayout(own, points.length, k)
  const anchorPoints = Array.from(anchors, (anchor) => points[anchor]!)
  const isLarge = Array.from(sizes, (size) => size >= MIN_REGION_POINTS)
  const members = Array.from(sizes, (): number[] => [])
  points.forEach((point, i) => {
    const area = areaOf[i]!
    members[isLarge[area] ? area : findNearest(coords, anchorPoints, area, isLarge)]!.push(point)
  })
  return members.filter((list) => list.length > 0).map((list) => measureArea(coords, list))
}

const findNearest = (
  coords: Float64Array,
  anchors: readonly number[],
  region: number,
  isCandidate: readonly boolean[],
): number => {
  let nearest = region
  let best = Number.POSITIVE_INFINITY
  anchors.forEach((anchor, other) => {
    const distance = squaredDistance(coords, anchors[region]!, anchor)
    if (other === region || !isCandidate[other] || distance >= best) return
    best = distance
    nearest = other
  })
  return nearest
}

/** Returns the squared distance of two points on the map. */
export const squaredDistance = (coords: ArrayLike<number>, a: number, b: number): number =>
  [0, 1, 2].reduce((sum, axis) => sum + (coords[3 * a + axis]! - coords[3 * b + axis]!) ** 2, 0)

/** Finds the point nearest to the center of an area, and the root mean square distance from it. */
const measureArea = (coords: Float64Array, points: readonly number[]): Area => {
  const center = [0, 0, 0]
  for (const p of points) for (let axis = 0; axis < 3; axis++) center[axis]! += coords[3 * p + axis]! / points.length
  let anchor = points[0]!
  let nearest = Number.POSITIVE_INFINITY
  let sum = 0
  for (const p of points) {
    let distance = 0
    for (let axis = 0; axis < 3; axis++) distance += (coords[3 * p + axis]! - center[axis]!) ** 2
    sum += distance
    if (distance < nearest) {
      nearest = distance
      anchor = p
    }
  }
  return { points, anchor, radius: Math.round(Math.sqrt(sum / points.length) * 1e4) / 1e4 }
}

/** Labels small areas with the title of the topic at their center. Titles that are names already are left out. */
const labelTitles = (
  { snapshot: { topics } }: TopicIndex,
  coords: Float64Array,
  regionOf: Int32Array,
  labels: readonly MapLabel[],
): MapLabel[] => {
  const points = topics.flatMap(({ level }, i) => (level === 1 ? [] : [i]))
  const used = new Set(labels.map(({ text }) => text.toLowerCase()))
  const count = Math.min(MAX_TITLES, Math.floor(points.length / POINTS_PER_TITLE))
  if (count < 2) return []
  return divide(coords, points, count).flatMap(({ points: members, anchor, radius }): MapLabel[] => {
    const text = topics[anchor]!.title
    if (used.has(text.toLowerCase())) return []
    used.add(text.toLowerCase())
    return [{ text, depth: 2, point: anchor, size: members.length, radius, region: regionOf[anchor]! }]
  })
}
