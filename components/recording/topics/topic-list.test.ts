import { describe, expect, it } from "vitest"
import type { TopicNode } from "#lib/domain/topics/topic-tree.ts"
import { findTopicAt, getUndoPatch, listTopics } from "./topic-list.ts"

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

describe("getUndoPatch", () => {
  const edited = { ...node("My boat", 0, 41), original: { title: "Boat", end_s: 40.7 } }
  it("restores earlier edits and otherwise the values of the run", () => {
    expect(getUndoPatch(edited, { title: "A boat", summary: "Of wood", start_s: 1, end_s: 50 })).toEqual({
      title: "My boat",
      summary: null,
      start_s: null,
      end_s: 41,
    })
  })
  it("contains only the changed fields", () => {
    expect(getUndoPatch(edited, { summary: "" })).toEqual({ summary: null })
    expect(getUndoPatch(edited, edited.original)).toEqual({ title: "My boat", end_s: 41 })
  })
})
