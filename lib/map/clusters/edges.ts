import { findNearestTargets } from "../neighbors/nearest-targets.ts"
import type { EdgeList, LinkRules, NeighborGraph, PointSet } from "../types.ts"

/** The number of nearest points that a point can be linked with. */
const MAX_LINKS_PER_POINT = 6
/**
 * The number of links that are kept, per point. Measured on 181 topics of 35 meetings: of the strongest 2.1 links per
 * topic, 95 % connect topics of the same subject.
 */
const LINKS_PER_POINT = 2.1
/** The number of nearest neighbors that are searched for points of other groups. */
const SEARCHED_NEIGHBORS = 40
/** Related pairs are more similar than the median random pair by this many standard deviations. */
const MIN_DEVIATIONS = 2
const RANDOM_PAIRS = 20_000
const PAIR_STEP = 7919
/** From fewer pairs the similarity of unrelated ones cannot be estimated. */
const MIN_PAIRS = 100
/** With more points of a level, only the neighbors in the graph are linked. */
const EXACT_MAX_POINTS = 20_000

type Link = { readonly a: number; readonly b: number; readonly similarity: number }

/**
 * Links the points that are related: of the same level, of different groups, nearest neighbors, and more similar than
 * random pairs. What counts as similar follows from the points, so that it fits every embedding model and every library.
 * Each link appears once, with a < b, ordered by a and b.
 */
export const linkRelatedPoints = (points: PointSet, graph: NeighborGraph, rules: LinkRules): EdgeList => {
  const levels = [...new Set(rules.levelOf)]
  const pointsOfRow = groupPointsByRow(points)
  const links = levels.flatMap((level) =>
    linkLevel(points, graph, { ...rules, pointsOfRow }, selectLevel(rules.levelOf, level)),
  )
  links.sort((x, y) => x.a - y.a || x.b - y.b)
  return {
    a: Int32Array.from(links, (link) => link.a),
    b: Int32Array.from(links, (link) => link.b),
    similarity: Float32Array.from(links, (link) => link.similarity),
  }
}

const selectLevel = (levelOf: Uint8Array, level: number): Int32Array =>
  Int32Array.from([...levelOf.keys()].filter((point) => levelOf[point] === level))

type LevelRules = LinkRules & { readonly pointsOfRow: readonly (readonly number[])[] }

/** @param members the points of one level */
const linkLevel = (points: PointSet, graph: NeighborGraph, rules: LevelRules, members: Int32Array): Link[] => {
  const links = new Map<number, Link>()
  const n = rules.groupOf.length
  for (const [point, others] of findRelated(points, graph, rules, members))
    for (const { other, similarity } of others) {
      const [a, b] = point < other ? [point, other] : [other, point]
      links.set(a * n + b, { a, b, similarity })
    }
  const minSimilarity = estimateUnrelatedSimilarity(points, rules.groupOf, members)
  return [...links.values()]
    .filter((link) => link.similarity > minSimilarity)
    .sort((x, y) => y.similarity - x.similarity || x.a - y.a || x.b - y.b)
    .slice(0, Math.round(LINKS_PER_POINT * members.length))
}

type Related = { readonly other: number; readonly similarity: number }

/**
 * Returns the nearest points of other groups for each member. Most are in the graph already; for the other members, whose
 * neighbors are of their own group, all members are compared.
 */
const findRelated = (
  points: PointSet,
  graph: NeighborGraph,
  { levelOf, groupOf, pointsOfRow }: LevelRules,
  members: Int32Array,
): Map<number, Related[]> => {
  const related = new Map<number, Related[]>()
  const incomplete: number[] = []
  const mayLink = (point: number, other: number): boolean =>
    levelOf[other] === levelOf[point] && groupOf[other] !== groupOf[point]
  for (const point of members) {
    const row = points.rowOf[point]!
    const found = pointsOfRow[row]!.filter((other) => mayLink(point, other)).map((other) => ({ other, similarity: 1 }))
    for (let e = row * graph.k; e < (row + 1) * graph.k && found.length < MAX_LINKS_PER_POINT; e++)
      for (const other of pointsOfRow[graph.indices[e]!]!)
        if (mayLink(point, other)) found.push({ other, similarity: graph.similarities[e]! })
    related.set(point, found.slice(0, MAX_LINKS_PER_POINT))
    if (found.length < MAX_LINKS_PER_POINT) incomplete.push(point)
  }
  if (members.length > EXACT_MAX_POINTS) return related
  const { vectors, dims, rowOf } = points
  const rowsOf = (list: Int32Array) => list.map((point) => rowOf[point]!)
  const queries = rowsOf(Int32Array.from(incomplete))
  const nearest = findNearestTargets({ vectors, dims, queries, targets: rowsOf(members), k: SEARCHED_NEIGHBORS })
  incomplete.forEach((point, q) => {
    // Points of the same row are no targets of a query.
    const found = related.get(point)!.filter(({ other }) => rowOf[other] === rowOf[point])
    for (let e = q * SEARCHED_NEIGHBORS; e < (q + 1) * SEARCHED_NEIGHBORS; e++) {
      if (nearest.indices[e]! < 0 || found.length === MAX_LINKS_PER_POINT) break
      const other = members[nearest.indices[e]!]!
      if (mayLink(point, other)) found.push({ other, similarity: Math.min(1, nearest.similarities[e]!) })
    }
    related.set(point, found)
  })
  return related
}

/** Returns the points of each row. */
const groupPointsByRow = ({ rowOf, rows }: PointSet): number[][] => {
  const groups = Array.from({ length: rows }, (): number[] => [])
  rowOf.forEach((row, point) => {
    groups[row]!.push(point)
  })
  return groups
}

/**
 * Returns the similarity that unrelated pairs of members of different groups stay below. It is estimated from the less
 * similar half of random pairs, because the other half may contain related ones.
 */
const estimateUnrelatedSimilarity = (
  { vectors, dims, rowOf }: PointSet,
  groupOf: Int32Array,
  members: Int32Array,
): number => {
  const n = members.length
  const similarities: number[] = []
  for (let p = 0; p < Math.min(RANDOM_PAIRS, n * n); p++) {
    const a = members[p % n]!
    // The prime step visits the other members evenly.
    const b = members[((p % n) + 1 + ((p * PAIR_STEP) % Math.max(1, n - 1))) % n]!
    if (groupOf[a] === groupOf[b]) continue
    let similarity = 0
    for (let d = 0; d < dims; d++) similarity += vectors[rowOf[a]! * dims + d]! * vectors[rowOf[b]! * dims + d]!
    similarities.push(similarity)
  }
  if (similarities.length < MIN_PAIRS) return 0
  similarities.sort((x, y) => x - y)
  const quantile = (share: number): number => similarities[Math.floor(share * (similarities.length - 1))] ?? 0
  // In a normal distribution, 16 % are more than one standard deviation below the median.
  return quantile(0.5) + MIN_DEVIATIONS * (quantile(0.5) - quantile(0.16))
}
