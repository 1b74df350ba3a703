import * as z from "zod"
import { findSameTopic, listTopics } from "./apply-topic-edits.ts"
import { listBoundaries } from "./boundaries.ts"
import type { TopicTree } from "./topic-tree.ts"

/** How well the boundaries of tree b agree with those of tree a. */
export const agreement = z.object({
  pk: z.number().describe("Pk (Beeferman et al. 1999). 0 is best"),
  f1: z.number().describe("The harmonic mean of precision and recall"),
  precision: z
    .number()
    .describe("The share of the boundaries of the second side that are within the tolerance of one of the first"),
  recall: z
    .number()
    .describe("The share of the boundaries of the first side that are within the tolerance of one of the second"),
})
export type Agreement = z.infer<typeof agreement>

/** The differences between the boundaries of two trees. Times are in seconds. */
export const boundaryDiff = z.object({
  kept: z.array(z.number()).describe("Boundaries of both sides"),
  moved: z
    .array(
      z.object({
        from_s: z.number().describe("The time on the first side"),
        to_s: z.number().describe("The time on the second side"),
      }),
    )
    .describe("Boundaries that moved by no more than the tolerance"),
  added: z.array(z.number()).describe("Boundaries of the second side only"),
  removed: z.array(z.number()).describe("Boundaries of the first side only"),
  agreement: agreement.describe("How well the boundaries agree"),
})
export type BoundaryDiff = z.infer<typeof boundaryDiff>

/** The differences between two topic trees of one recording. */
export const topicDiff = z.object({
  tolerance_s: z.number().describe("The requested tolerance"),
  /** Boundaries between topics of level 1. */
  topics: boundaryDiff.describe("Boundaries between topics of the first level below the recording"),
  /** Boundaries of all levels. */
  parts: boundaryDiff.describe("Boundaries of all levels"),
  titles: z
    .array(
      z.object({
        level: z.int().describe("The level of the two topics"),
        number_a: z.string().describe("The number on the first side"),
        number_b: z.string().describe("The number on the second side"),
        start_s: z.number().describe("The start of the topic on the second side"),
        title_a: z.string().describe("The title on the first side"),
        title_b: z.string().describe("The title on the second side"),
      }),
    )
    .describe("Topics of one level that share at least half of their time but have different titles"),
})
export type TopicDiff = z.infer<typeof topicDiff>

/** Boundaries up to this far apart count as equal, because times are rounded. */
const EQUAL_WITHIN_S = 0.5

/** The minimum number of units that a recording is divided into for Pk. A unit lasts one second at most. */
const MIN_PK_UNITS = 500

/**
 * Compares two topic trees of one recording. Boundaries are matched one to one if they are at most `tolerance_s` seconds
 * apart.
 */
export const diffTrees = (a: TopicTree, b: TopicTree, tolerance_s: number): TopicDiff => {
  const duration_s = Math.max(0, ...[a, b].flatMap((tree) => tree.topics.map((root) => root.end_s)))
  return {
    tolerance_s,
    topics: diffBoundaries(listTopLevelBoundaries(a), listTopLevelBoundaries(b), duration_s, tolerance_s),
    parts: diffBoundaries(a.topics.flatMap(listBoundaries), b.topics.flatMap(listBoundaries), duration_s, tolerance_s),
    titles: diffTitles(a, b),
  }
}

const listTopLevelBoundaries = (tree: TopicTree): number[] =>
  tree.topics.flatMap((root) => root.children.slice(1).map((child) => child.start_s))

const diffTitles = (a: TopicTree, b: TopicTree): TopicDiff["titles"] => {
  const candidates = listTopics(b)
  return listTopics(a).flatMap(({ node, level, number }) => {
    const other = findSameTopic(candidates, level, node)
    if (!other || other.node.title === node.title) return []
    const { start_s, title: title_b } = other.node
    return [{ level, number_a: number, number_b: other.number, start_s, title_a: node.title, title_b }]
  })
}

const diffBoundaries = (
  a: readonly number[],
  b: readonly number[],
  duration_s: number,
  tolerance_s: number,
): BoundaryDiff => {
  const maxDistance_s = Math.max(EQUAL_WITHIN_S, tolerance_s)
  const pairs = pairBoundaries(a, b, maxDistance_s)
  const paired = new Set(pairs.values())
  const inOrder = [...pairs].sort(([x], [y]) => x - y)
  const isEqual = ([from, to]: readonly [number, number]) => Math.abs(to - from) <= EQUAL_WITHIN_S
  const ascending = (times: readonly number[]) => [...times].sort((x, y) => x - y)
  return {
    kept: inOrder.filter(isEqual).map(([from]) => from),
    moved: inOrder.filter((pair) => !isEqual(pair)).map(([from_s, to_s]) => ({ from_s, to_s })),
    added: ascending(b.filter((time) => !paired.has(time))),
    removed: ascending(a.filter((time) => !pairs.has(time))),
    agreement: computeAgreement(a, b, duration_s, maxDistance_s),
  }
}

/** Pairs boundaries of a and b one to one, the nearest first, at most `tolerance_s` apart. */
const pairBoundaries = (a: readonly number[], b: readonly number[], tolerance_s: number): Map<number, number> => {
  const candidates = a
    .flatMap((from) => b.map((to) => ({ from, to, distance_s: Math.abs(to - from) })))
    .filter(({ distance_s }) => distance_s <= tolerance_s)
    .sort((p, q) => p.distance_s - q.distance_s)
  const pairs = new Map<number, number>()
  const taken = new Set<number>()
  for (const { from, to } of candidates) {
    if (pairs.has(from) || taken.has(to)) continue
    pairs.set(from, to)
    taken.add(to)
  }
  return pairs
}

/** Compares two lists of boundaries. Two empty lists agree perfectly. */
export const computeAgreement = (
  a: readonly number[],
  b: readonly number[],
  duration_s: number,
  tolerance_s: number,
): Agreement => {
  const matches = pairBoundaries(a, b, tolerance_s).size
  const ratio = (total: number) => (total === 0 ? 1 : matches / total)
  const round = (x: number) => Math.round(x * 1e4) / 1e4
  return {
    pk: round(computePk(a, b, duration_s)),
    f1: round(a.length + b.length === 0 ? 1 : (2 * matches) / (a.length + b.length)),
    precision: round(ratio(b.length)),
    recall: round(ratio(a.length)),
  }
}

/**
 * Computes Pk of boundaries b against a. A window half as long as the mean segment of a slides over the recording; Pk is
 * the share of its positions where a and b disagree on whether both ends are in one segment (Beeferman, Berger & Lafferty
 * 1999, *Statistical models for text segmentation*). Times are in seconds.
 */
export const computePk = (a: readonly number[], b: readonly number[], duration_s: number): number => {
  if (duration_s <= 0) return 0
  const units = Math.max(MIN_PK_UNITS, Math.ceil(duration_s))
  const unit_s = duration_s / units
  const window = Math.max(2, Math.round(units / (2 * (a.length + 1))))
  const [inA, inB] = [numberSegments(a, units, unit_s), numberSegments(b, units, unit_s)]
  let disagreements = 0
  for (let i = 0; i + window < units; i++)
    if ((inA[i] === inA[i + window]) !== (inB[i] === inB[i + window])) disagreements++
  return disagreements / (units - window)
}

/** Returns the segment number of each unit of time. */
const numberSegments = (boundaries: readonly number[], units: number, unit_s: number): Uint32Array => {
  const segments = new Uint32Array(units)
  for (const boundary of boundaries) {
    const unit = Math.round(boundary / unit_s)
    if (unit > 0 && unit < units) segments[unit]!++
  }
  for (let i = 1; i < units; i++) segments[i]! += segments[i - 1]!
  return segments
}
