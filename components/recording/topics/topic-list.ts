import type { TopicNode, TopicTree } from "#lib/domain/topics/topic-tree.ts"

/** A topic being edited. */
export type EditedTopic = { readonly number: string; readonly node: TopicNode }

/** A topic or subtopic. `group` is the index of the top-level topic that contains it. */
export type Topic = {
  readonly node: TopicNode
  /** `1.2` for a topic, `1.2.3` for a subtopic. */
  readonly number: string
  readonly level: 2 | 3
  readonly group: number
}

/** Players round times down to the microsecond. A time this little before a boundary counts as being at the boundary. */
const PLAYER_TOLERANCE_S = 0.01

/** Returns the innermost topic at a time in seconds. Pass unrounded times: a rounded time may be before the topic's start. */
export const findTopicAt = (topics: readonly Topic[], time: number): Topic | undefined =>
  topics.findLast(({ node }) => node.start_s <= time + PLAYER_TOLERANCE_S && time + PLAYER_TOLERANCE_S < node.end_s)

/** Lists the topics of a recording, each followed by its subtopics. */
export const listTopics = (tree: TopicTree): Topic[] =>
  (tree.topics[0]?.children ?? []).flatMap((node, group): Topic[] => [
    { node, number: `1.${group + 1}`, level: 2, group },
    ...node.children.map((part, i): Topic => ({ node: part, number: `1.${group + 1}.${i + 1}`, level: 3, group })),
  ])
