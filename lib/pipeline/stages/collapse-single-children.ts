import type { TopicNode, TopicTree } from "../../domain/topics/topic-tree.ts"

const collapseNode = (node: TopicNode): TopicNode => {
  const children = node.children.map(collapseNode)
  return { ...node, children: children.length === 1 ? children[0]!.children : children }
}

/** Returns the tree with every single child replaced by its own children. */
export const collapseSingleChildren = (tree: TopicTree): TopicTree => ({
  ...tree,
  topics: tree.topics.map(collapseNode),
})
