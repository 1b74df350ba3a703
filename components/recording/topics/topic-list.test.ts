import { describe, expect, it } from "vitest"
import type { TopicNode } from "#lib/domain/topics/topic-tree.ts"
import { findTopicAt, listTopics } from "./topic-list.ts"

const node = (title: string, start_s: number, end_s: number, children: TopicNode[] = []): TopicNode => ({
  title,
  summary: "",
  start_s,
  end_s,
  children,
})
const topics = listTopics({
  topics: [node("all", 0, 90, [node("boat", 0, 40.7), node("bees", 40.7, 90, [node("hive", 60.2, 90)])])],
})

describe("listTopics", () => {
  const tree = { topics: [node("all", 0, 90, [node("boat", 0, 40), node("bees", 40, 90, [node("hive", 60, 90)])])] }
  const colors = (regions: Record<string, number> | null) => listTopics(tree, regions).map(({ color }) => color)
  it("colors each topic by its region, and a subtopic without one like its topic", () => {
    expect(colors({ "1.1": 0, "1.2": 13 })).toEqual([
      "oklch(var(--shade-first) 38)",
      "oklch(var(--shade-second) 221)",
      "oklch(var(--shade-second) 221)",
    ])
  })
  it("colors topics by their position if there are no regions, and not at all until that is known", () => {
    expect(colors({})).toEqual([38, 205, 205].map((hue) => `oklch(var(--shade-first) ${hue})`))
    expect(new Set(colors(null))).toEqual(new Set(["var(--no-region)"]))
  })
})

describe("findTopicAt", () => {
  it("returns the topic that begins at the time, even if the player rounds the time down", () => {
    expect([0, 40, 40.6, 40.7, 40.699999, 60.2, 89].map((t) => findTopicAt(topics, t)?.node.title)).toEqual([
      "boat",
      "boat",
      "boat",
      "bees",
      "bees",
      "hive",
      "hive",
    ])
    expect([findTopicAt(topics, 90), findTopicAt([], 1)]).toEqual([undefined, undefined])
  })
})
