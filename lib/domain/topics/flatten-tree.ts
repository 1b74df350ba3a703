import type { FlatTopic, TopicNode, TopicTree } from "./topic-tree.ts"

/** Returns the topics of a tree as a list, each node before its children. */
export const flattenTree = (tree: TopicTree): FlatTopic[] => {
  const flat: FlatTopic[] = []
  const walk = (nodes: readonly TopicNode[], level: number, prefix: string): void => {
    nodes.forEach(({ title, summary, start_s, end_s, children }, i) => {
      const number = `${prefix}${i + 1}`
      flat.push({ title, level, number, summary, start_s, duration_s: end_s - start_s })
      walk(children, level + 1, `${number}.`)
    })
  }
  walk(tree.topics, 1, "")
  return flat
}
