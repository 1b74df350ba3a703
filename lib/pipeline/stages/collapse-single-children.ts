import type { TopicNode, TopicTree } from "../../domain/topics/topic-tree.ts"

const collapseNode = (node: TopicNode): TopicNode => {
  const children = node.children.map(collapseNode)
  return { ...node, children: children.length === 1 ? children[0]!.children : children }
}

/** A tree in which no node has a single child: such a node takes that child's children. Depth-first, pure. */
export const collapseSingleChildren = (tree: TopicTree): TopicTree => ({
  ...tree,
  topics: tree.topics.map(collapseNode),
})
