import type { TopicNode, TopicTree } from "#lib/domain/topics/topic-tree.ts"
import { formatTime } from "./output.ts"

type Mark = (node: TopicNode, number: string, depth: number) => string

const text = (tree: TopicTree, mark: Mark): string => {
  const lines: string[] = []
  const walk = (node: TopicNode, number: string, depth: number) => {
    const indent = "  ".repeat(depth)
    lines.push(
      `${indent}${mark(node, number, depth)}${formatTime(node.start_s)}–${formatTime(node.end_s)}  ${node.title}`,
    )
    if (node.summary) lines.push(`${indent}${depth > 0 ? "   " : ""}  ${node.summary}`)
    node.children.forEach((child, i) => {
      walk(child, `${number}.${i + 1}`, depth + 1)
    })
  }
  tree.topics.forEach((root, i) => {
    walk(root, `${i + 1}`, 0)
  })
  return [...lines, ...(tree.notes ?? []).map((note) => `Note: ${note}`)].join("\n")
}

/** Formats a topic tree as indented lines with times, followed by its notes. */
export const formatTree = (tree: TopicTree): string => text(tree, (_, __, depth) => (depth > 0 ? "• " : ""))

/** Formats a topic tree with the number of each topic. An asterisk marks edited topics. */
export const formatNumberedTree = (tree: TopicTree): string =>
  text(tree, (node, number) => `${number}${node.edited ? "*" : ""} `)
