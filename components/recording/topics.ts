import type { TopicNode, TopicTree } from "#lib/contracts/topics.ts"

/** A topic in the order of its recording: `group` is the number of the L1 topic that it is or lies in, from 0. */
export type Topic = {
  readonly node: TopicNode
  /** `1.2`, `1.2.3` as everywhere. */
  readonly number: string
  readonly level: 2 | 3
  readonly group: number
}

/** The topics below the whole recording, each before its parts. */
export const topicsOf = (tree: TopicTree): Topic[] =>
  (tree.topics[0]?.children ?? []).flatMap((node, group): Topic[] => [
    { node, number: `1.${group + 1}`, level: 2, group },
    ...node.children.map((part, i): Topic => ({ node: part, number: `1.${group + 1}.${i + 1}`, level: 3, group })),
  ])
