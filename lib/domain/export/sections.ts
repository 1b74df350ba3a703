import type { TopicNode } from "../topics/topic-tree.ts"
import type { ExportableClip } from "./clip-text.ts"
import { listSpeakerTurns, type SpeakerTurn } from "./speaker-turns.ts"

/** A topic as a section of a document. */
export type Section = {
  readonly node: TopicNode
  /** 1 for a topic, 2 for a subtopic. */
  readonly depth: number
  /** What is said in an innermost topic. Empty for a topic with subtopics. */
  readonly turns: readonly SpeakerTurn[]
}

export type SectionedClip = {
  /** The summary of the whole recording. Empty if there is none. */
  readonly summary: string
  /** What is said before the first topic. */
  readonly opening: readonly SpeakerTurn[]
  readonly sections: readonly Section[]
}

const flattenTopics = (nodes: readonly TopicNode[], depth: number): { node: TopicNode; depth: number }[] =>
  nodes.flatMap((node) => [{ node, depth }, ...flattenTopics(node.children, depth + 1)])

/**
 * Divides a clip into the sections of a document: its topics in order, with the transcript below the innermost ones. Every
 * word belongs to one section, because a section ends where the next one starts.
 */
export const listSections = (clip: ExportableClip): SectionedClip => {
  const [root] = clip.tree.topics
  const topics = flattenTopics(root?.children ?? [], 1)
  const starts = topics.filter(({ node }) => node.children.length === 0).map(({ node }) => node.start_s)
  const turnsBetween = (from: number, to: number): SpeakerTurn[] =>
    listSpeakerTurns(
      clip,
      clip.transcription.filter((word) => word.start >= from && word.start < to),
    )
  let innermost = 0
  const sections = topics.map(({ node, depth }) => {
    if (node.children.length > 0) return { node, depth, turns: [] }
    innermost++
    return { node, depth, turns: turnsBetween(node.start_s, starts[innermost] ?? Number.POSITIVE_INFINITY) }
  })
  const opening = turnsBetween(Number.NEGATIVE_INFINITY, starts[0] ?? Number.POSITIVE_INFINITY)
  return { summary: root?.summary ?? "", opening, sections }
}
