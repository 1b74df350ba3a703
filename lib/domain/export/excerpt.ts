import type { TopicNode } from "../topics/topic-tree.ts"
import type { ExportableClip } from "./clip-text.ts"

/** A part of a recording, in seconds from its start. */
export type TimeRange = { readonly start_s: number; readonly end_s: number }

const overlap = (a: TimeRange, b: TimeRange): number => Math.min(a.end_s, b.end_s) - Math.max(a.start_s, b.start_s)

/** Returns the share of the union of two ranges that both cover, from 0 to 1. */
const similarity = (a: TimeRange, b: TimeRange): number => {
  const common = Math.max(0, overlap(a, b))
  const union = a.end_s - a.start_s + b.end_s - b.start_s - common
  return union > 0 ? common / union : 0
}

const listNodes = (nodes: readonly TopicNode[]): TopicNode[] =>
  nodes.flatMap((node) => [node, ...listNodes(node.children)])

/** Returns the topic of a clip that covers a range best, or null if none overlaps it. */
export const findTopicAt = ({ tree }: Pick<ExportableClip, "tree">, range: TimeRange): TopicNode | null => {
  let best: TopicNode | null = null
  for (const node of listNodes(tree.topics))
    if (similarity(node, range) > (best ? similarity(best, range) : 0)) best = node
  return best
}

const shift = (seconds: number, { start_s, end_s }: TimeRange): number =>
  Math.min(Math.max(seconds, start_s), end_s) - start_s

/** Returns the nodes that overlap a range, cut to it, with times from its start. */
const cutNodes = (nodes: readonly TopicNode[], range: TimeRange): TopicNode[] =>
  nodes
    .filter((node) => overlap(node, range) > 0)
    .map(({ title, summary, children, ...node }) => ({
      title,
      summary,
      start_s: shift(node.start_s, range),
      end_s: shift(node.end_s, range),
      children: cutNodes(children, range),
    }))

/**
 * Returns a part of a clip as a clip of its own, with times from the start of the part. It contains only what belongs to the
 * part: the words that start in it, its topic with subtopics, and the names of those who speak in it.
 */
export const excerptClip = (clip: ExportableClip, range: TimeRange): ExportableClip => {
  const transcription = clip.transcription
    .filter(({ start }) => start >= range.start_s && start < range.end_s)
    .map((word) => ({ ...word, start: shift(word.start, range), end: shift(word.end, range) }))
  const speaking = new Set(transcription.map(({ speaker }) => speaker))
  const topic = findTopicAt(clip, range)
  const title = topic?.title ?? clip.title
  const [root] = cutNodes(topic ? [topic] : [], range)
  return {
    ...clip,
    title,
    source_url: null,
    duration_s: range.end_s - range.start_s,
    transcription,
    topics: [],
    tree: { topics: root ? [root] : [] },
    speakers: Object.fromEntries(Object.entries(clip.speakers).filter(([id]) => speaking.has(id))),
    voices: speaking.size,
    transcript_notes: [],
  }
}
