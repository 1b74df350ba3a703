import type { TopicNode, TopicTree } from "#lib/domain/topics/topic-tree.ts"
import type { TopicRegions } from "../../api/regions.ts"
import { regionColor } from "../../ui/hues.ts"

/** A topic being edited. */
export type EditedTopic = { readonly number: string; readonly node: TopicNode }

/** A topic or subtopic. */
export type Topic = {
  readonly node: TopicNode
  /** `1.2` for a topic, `1.2.3` for a subtopic. */
  readonly number: string
  readonly level: 2 | 3
  /** The color of its region on the map, as CSS. */
  readonly color: string
}

/**
 * Returns the color of a topic. Topics of a recording without regions, such as the first one of a library, get different
 * colors by their position.
 */
const colorOf = (number: string, parent: string, position: number, regions: TopicRegions | null): string => {
  if (regions === null) return regionColor(null)
  return regionColor(Object.keys(regions).length === 0 ? position : (regions[number] ?? regions[parent]))
}

/** Players round times down to the microsecond. A time this little before a boundary counts as being at the boundary. */
const PLAYER_TOLERANCE_S = 0.01

/** Returns the innermost topic at a time in seconds. Pass unrounded times: a rounded time may be before the topic's start. */
export const findTopicAt = (topics: readonly Topic[], time: number): Topic | undefined =>
  topics.findLast(({ node }) => node.start_s <= time + PLAYER_TOLERANCE_S && time + PLAYER_TOLERANCE_S < node.end_s)

/** Lists the topics of a recording, each followed by its subtopics. @param regions null until they are loaded */
export const listTopics = (tree: TopicTree, regions: TopicRegions | null = null): Topic[] =>
  (tree.topics[0]?.children ?? []).flatMap((node, position): Topic[] => {
    const parent = `1.${position + 1}`
    const toTopic = (node: TopicNode, number: string, level: 2 | 3): Topic => {
      return { node, number, level, color: colorOf(number, parent, position, regions) }
    }
    return [toTopic(node, parent, 2), ...node.children.map((part, i) => toTopic(part, `${parent}.${i + 1}`, 3))]
  })
