import type { FlatTopic, TopicNode, TopicTree } from "../../../domain/topics/topic-tree.ts"

const walk = (node: TopicNode, level: number, number: string): FlatTopic[] => [
  {
    title: node.title,
    level,
    number,
    summary: node.summary,
    start_s: node.start_s,
    duration_s: Math.max(0, node.end_s - node.start_s),
  },
  ...node.children.flatMap((child, i) => walk(child, level + 1, `${number}.${i + 1}`)),
]

/** The topics of a tree in its own order: level 1 = L0 "1", 2 = L1 "1.2", 3 = L2 "1.2.3". Times in seconds. */
export const flatten = (tree: TopicTree): FlatTopic[] => tree.topics.flatMap((root, i) => walk(root, 1, `${i + 1}`))
