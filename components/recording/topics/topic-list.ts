import type { TopicPatch } from "#lib/domain/topics/topic-edits.ts"
import type { TopicNode, TopicTree } from "#lib/domain/topics/topic-tree.ts"

/** A topic that is written over. */
export type EditedTopic = { readonly number: string; readonly node: TopicNode }

/** A topic in the order of its recording: `group` is the number of the L1 topic that it is or lies in, from 0. */
export type Topic = {
  readonly node: TopicNode
  /** `1.2`, `1.2.3` as everywhere. */
  readonly number: string
  readonly level: 2 | 3
  readonly group: number
}

/** A player says where it stands to the microsecond: a time that lies so little before a border is at the border. */
const PLAYER_TOLERANCE_S = 0.01

/** The innermost topic that is spoken of at a time in seconds, not rounded: a rounded one lies before the topic that one went to. */
export const findTopicAt = (topics: readonly Topic[], time: number): Topic | undefined =>
  topics.findLast(({ node }) => node.start_s <= time + PLAYER_TOLERANCE_S && time + PLAYER_TOLERANCE_S < node.end_s)

/** The edit that brings back what stood before another one: null, the run's own, where people had written nothing. */
export const getUndoPatch = ({ original, ...node }: TopicNode, patch: TopicPatch): TopicPatch => {
  const keys = ["title", "summary", "start_s", "end_s"] as const
  const were = keys.filter((key) => patch[key] !== undefined)
  return Object.fromEntries(were.map((key) => [key, original?.[key] === undefined ? null : node[key]]))
}

/** The topics below the whole recording, each before its parts. */
export const listTopics = (tree: TopicTree): Topic[] =>
  (tree.topics[0]?.children ?? []).flatMap((node, group): Topic[] => [
    { node, number: `1.${group + 1}`, level: 2, group },
    ...node.children.map((part, i): Topic => ({ node: part, number: `1.${group + 1}.${i + 1}`, level: 3, group })),
  ])
