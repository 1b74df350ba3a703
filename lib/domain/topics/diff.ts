import { agreementOf, pairs } from "./agreement.ts"
import { bordersOf } from "./boundaries.ts"
import type { BorderDiff, TopicDiff } from "./diff-schema.ts"
import { listTopics, sameTopic } from "./overlay.ts"
import type { TopicTree } from "./topic-tree.ts"

/** Borders so near lie at the same place: times are rounded here and there. Seconds. */
const SAME_S = 0.5

const rising = (list: readonly number[]): number[] => [...list].sort((x, y) => x - y)

const bordersBetween = (
  a: readonly number[],
  b: readonly number[],
  duration_s: number,
  tolerance_s: number,
): BorderDiff => {
  const found = pairs(a, b, Math.max(SAME_S, tolerance_s))
  const met = new Set(found.values())
  const matched = [...found].sort(([x], [y]) => x - y)
  const same = ([from, to]: readonly [number, number]) => Math.abs(to - from) <= SAME_S
  return {
    kept: matched.filter(same).map(([from]) => from),
    moved: matched.filter((m) => !same(m)).map(([from_s, to_s]) => ({ from_s, to_s })),
    added: rising(b.filter((t) => !met.has(t))),
    removed: rising(a.filter((t) => !found.has(t))),
    agreement: agreementOf(a, b, duration_s, Math.max(SAME_S, tolerance_s)),
  }
}

const topBorders = (tree: TopicTree): number[] =>
  tree.topics.flatMap((root) => root.children.slice(1).map((c) => c.start_s))
const allBorders = (tree: TopicTree): number[] => tree.topics.flatMap(bordersOf)

/** What became of the topics from tree `a` to tree `b` of one recording. Pure; seconds. */
export const diffTrees = (a: TopicTree, b: TopicTree, tolerance_s: number): TopicDiff => {
  const duration_s = Math.max(0, ...[a, b].flatMap((tree) => tree.topics.map((root) => root.end_s)))
  const others = listTopics(b)
  const titles = listTopics(a).flatMap(({ node, level, number }) => {
    const other = sameTopic(others, level, node)
    if (!other || other.node.title === node.title) return []
    const start_s = other.node.start_s
    return [
      { level, number_a: number, number_b: other.number, start_s, title_a: node.title, title_b: other.node.title },
    ]
  })
  return {
    tolerance_s,
    topics: bordersBetween(topBorders(a), topBorders(b), duration_s, tolerance_s),
    parts: bordersBetween(allBorders(a), allBorders(b), duration_s, tolerance_s),
    titles,
  }
}
