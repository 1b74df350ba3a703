import type { TopicNode } from "../topics/topic-tree.ts"
import { clockTime, type Exported, oneLine } from "./text.ts"
import { turnsOf } from "./turns.ts"

/** CommonMark 2.4: a backslash takes the meaning from any ASCII punctuation. Also what only counts at a line's start. */
export const escapeMarkdown = (text: string): string =>
  oneLine(text)
    .replace(/[\\`*_{}[\]<>()#|~&!$]/g, "\\$&")
    .replace(/^[-+=]/, "\\$&")
    .replace(/^(\d+)\./, "$1\\.")

const leaves = (nodes: readonly TopicNode[], depth: number): { node: TopicNode; depth: number }[] =>
  nodes.flatMap((node) => [{ node, depth }, ...leaves(node.children, depth + 1)])

/** Markdown: topics as headings with time and summary, the transcript under the deepest of them. */
export const toMarkdown = (clip: Exported): string => {
  const [root] = clip.tree.topics
  const parts = [`# ${escapeMarkdown(clip.title)}`]
  if (root?.summary) parts.push(escapeMarkdown(root.summary))
  const sections = leaves(root?.children ?? [], 2)
  const innermost = sections.filter(({ node }) => node.children.length === 0)
  const paragraphs = (from: number, to: number): string[] =>
    turnsOf(
      clip,
      clip.transcription.filter((w) => w.start >= from && w.start < to),
    ).map(({ start_s, name, text }) => {
      const who = name === null ? "" : `**${escapeMarkdown(name)}** `
      return `${who}\\[${clockTime(start_s)}\\] ${escapeMarkdown(text)}`
    })
  const firstStart = innermost[0]?.node.start_s ?? Number.POSITIVE_INFINITY
  parts.push(...paragraphs(Number.NEGATIVE_INFINITY, firstStart))
  for (const { node, depth } of sections) {
    parts.push(`${"#".repeat(depth)} ${escapeMarkdown(node.title)} \\[${clockTime(node.start_s)}\\]`)
    if (node.summary) parts.push(`*${escapeMarkdown(node.summary)}*`)
    const at = innermost.findIndex((s) => s.node === node)
    // Up to the next section and not to the own end: no word is lost between two of them.
    if (at >= 0) parts.push(...paragraphs(node.start_s, innermost[at + 1]?.node.start_s ?? Number.POSITIVE_INFINITY))
  }
  return `${parts.join("\n\n")}\n`
}
