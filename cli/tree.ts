import type { TopicNode, TopicTree } from "#lib/domain/topics/topic-tree.ts"
import { clock } from "./output.ts"

type Mark = (node: TopicNode, number: string, depth: number) => string

const text = (tree: TopicTree, mark: Mark): string => {
  const lines: string[] = []
  const walk = (node: TopicNode, number: string, depth: number) => {
    const indent = "  ".repeat(depth)
    lines.push(`${indent}${mark(node, number, depth)}${clock(node.start_s)}–${clock(node.end_s)}  ${node.title}`)
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

/** A topic tree as indented lines with times, and what there is to be told about it. */
export const treeText = (tree: TopicTree): string => text(tree, (_, __, depth) => (depth > 0 ? "• " : ""))

/** The same with the number of each topic, by which it can be edited; an asterisk marks those that people changed. */
export const numberedText = (tree: TopicTree): string =>
  text(tree, (node, number) => `${number}${node.edited ? "*" : ""} `)
