import type { TopicNode, TopicTree } from "#lib/contracts/topics.ts"
import { clock } from "./output.ts"

/** A topic tree as indented lines with times. */
export const treeText = (tree: TopicTree): string => {
  const lines: string[] = []
  const walk = (node: TopicNode, indent: string, mark: string) => {
    lines.push(`${indent}${mark}${clock(node.start_s)}–${clock(node.end_s)}  ${node.title}`)
    if (node.summary) lines.push(`${indent}${mark ? "   " : ""}  ${node.summary}`)
    for (const child of node.children) walk(child, `${indent}  `, "• ")
  }
  for (const node of tree.topics) walk(node, "", "")
  return lines.join("\n")
}
