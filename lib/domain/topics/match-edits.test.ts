import { describe, expect, it } from "vitest"
import type { WordSpan } from "../transcript/words.ts"
import { addTopicEdit } from "./add-topic-edit.ts"
import { applyTopicEdits, findSameTopic, listTopics } from "./apply-topic-edits.ts"
import { createTimeMapper, listBoundaries, matchBoundaryEdits } from "./boundaries.ts"
import { flattenTree } from "./flatten-tree.ts"
import type { StoredBoundaryEdit, StoredTextEdit, StoredTopicEdit } from "./topic-edits.ts"
import { type TopicNode, type TopicTree, topicEmbeddingText } from "./topic-tree.ts"

const node = (title: string, start_s: number, end_s: number, children: TopicNode[] = []): TopicNode => ({
  title,
  summary: "",
  start_s,
  end_s,
  children,
})
/** A recording of 600 s with topics that begin at the given times. */
const rootOf = (...starts: number[]) =>
  node(
    "all",
    0,
    600,
    starts.map((start_s, i) => node(`t${i + 1}`, start_s, starts[i + 1] ?? 600)),
  )
const move = (from_s: number, to_s: number, edited_at = 1): StoredBoundaryEdit => ({
  kind: "border",
  id: `${from_s} ${to_s}`,
  from_s,
  to_s,
  edited_at,
})
const appliedTo = (root: TopicNode, ...edits: StoredBoundaryEdit[]) =>
  [...matchBoundaryEdits(root, edits).applied].map(([at_s, { id }]) => [at_s, id])

describe("the boundaries of a tree", () => {
  it("are those of all levels, each once and in order, without the ends of the recording", () => {
    const tree = node("all", 0, 100, [
      node("a", 0, 60, [node("a1", 0, 70), node("a2", 30, 60)]),
      node("b", 60, 90, [node("b1", 60, 65), node("b2", 65, 90)]),
      node("c", 90, 95),
      node("d", 100, 100),
    ])
    expect(listBoundaries(tree)).toEqual([30, 60, 65, 90])
    expect(listBoundaries(node("all", 5, 9, [node("a", 5, 5), node("b", 5, 9)]))).toEqual([])
  })
})

describe("the boundary that an edit of another run moves", () => {
  it("is at most 30 seconds away", () => {
    expect(appliedTo(rootOf(0, 230), move(200, 260))).toEqual([[230, "200 260"]])
    expect(appliedTo(rootOf(0, 231), move(200, 300))).toEqual([])
    expect(appliedTo(rootOf(0, 170), move(200, 300))).toEqual([[170, "200 300"]])
    expect(appliedTo(rootOf(0, 331), move(200, 300))).toEqual([])
  })

  it("is the nearest one, and each is moved by one edit only", () => {
    expect(appliedTo(rootOf(0, 190, 215), move(200, 205))).toEqual([[190, "200 205"]])
    expect(appliedTo(rootOf(0, 200), move(210, 240), move(195, 198))).toEqual([[200, "195 198"]])
    expect(appliedTo(rootOf(0, 200, 220), move(200, 205), move(210, 230))).toEqual([
      [200, "200 205"],
      [220, "210 230"],
    ])
  })

  it("is moved by the newest of equally near edits", () => {
    expect(appliedTo(rootOf(0, 200), move(200, 205, 1), move(200, 207, 2), move(200, 206, 1))).toEqual([
      [200, "200 207"],
    ])
  })
})

describe("boundaries that would cross", () => {
  const rejectedOf = (root: TopicNode, ...edits: StoredBoundaryEdit[]) =>
    [...matchBoundaryEdits(root, edits).rejected].map(([{ id }, why]) => [id, why])

  it("stay apart: the edit that was made earlier has no effect", () => {
    const root = rootOf(0, 200, 220)
    expect(rejectedOf(root, move(200, 215, 1), move(220, 210, 2))).toEqual([["200 215", "crossing"]])
    expect(rejectedOf(root, move(200, 215, 2), move(220, 210, 1))).toEqual([["220 210", "crossing"]])
    expect(rejectedOf(root, move(200, 220, 1))).toEqual([["200 220", "crossing"]])
    expect(rejectedOf(root, move(200, 219, 1))).toEqual([])
    expect(appliedTo(root, move(200, 215, 1), move(220, 210, 2))).toEqual([[220, "220 210"]])
  })

  it("also stay within the recording", () => {
    expect(rejectedOf(rootOf(0, 200), move(200, 0))).toEqual([["200 0", "crossing"]])
    expect(rejectedOf(rootOf(0, 200), move(200, 600))).toEqual([["200 600", "crossing"]])
    expect(rejectedOf(rootOf(0, 200), move(100, 110))).toEqual([["100 110", "unmatched"]])
  })

  it("are reported with their times", () => {
    const tree = { topics: [rootOf(0, 200, 220)] }
    const details = (...edits: StoredTopicEdit[]) => applyTopicEdits(tree, edits).edits.map(({ detail }) => detail)
    expect(details(move(400, 465), move(200, 205))).toEqual([
      "The latest topics have no boundary near 6:40, so its move to 7:45 is not shown.",
      undefined,
    ])
    expect(details(move(200, 225))).toEqual([
      "The boundary moved to 3:45 would cross another boundary, so it stays at 3:20.",
    ])
  })
})

describe("a moved boundary", () => {
  it("is also the end of the topic before it, even if there was a gap", () => {
    const root = node("all", 0, 600, [node("a", 0, 190), node("b", 200, 600)])
    const mapTime = createTimeMapper(root, matchBoundaryEdits(root, [move(200, 210)]))
    expect([0, 190, 200, 600].map(mapTime)).toEqual([0, 210, 210, 600])
  })

  it("changes the times of its topics, with the original ones", () => {
    const { tree, edits } = applyTopicEdits({ topics: [rootOf(0, 200)] }, [move(200, 210)])
    const [first, second] = tree.topics[0]!.children
    expect(first).toMatchObject({ end_s: 210, edited: true, original: { end_s: 200 } })
    expect(first!.original).toEqual({ end_s: 200 })
    expect(second!.original).toEqual({ start_s: 200 })
    expect(edits).toEqual([{ ...move(200, 210), edited_at: "1970-01-01T00:00:00.001Z", topic: "1.2" }])
    const again = applyTopicEdits(tree, [])
    expect(again.tree.topics[0]!.children[0]).toEqual({ ...node("t1", 0, 210), children: [] })
  })
})

describe("the topic that an edit of another run applies to", () => {
  const topics = listTopics({ topics: [rootOf(0, 100, 300)] })
  const findNumber = (level: number, start_s: number, end_s: number) =>
    findSameTopic(topics, level, { start_s, end_s })?.number

  it("is the one that overlaps most, if it shares half of the time that either covers", () => {
    expect(findNumber(2, 90, 290)).toBe("1.2")
    expect(findNumber(2, 100, 200)).toBe("1.2")
    expect(findNumber(2, 100, 199)).toBeUndefined()
    expect(findNumber(2, 40, 140)).toBeUndefined()
    expect(findNumber(1, 900, 901)).toBe("1")
    expect(findNumber(3, 100, 300)).toBeUndefined()
  })

  it("may have no length, as in a recording without speech", () => {
    const silence = listTopics({ topics: [node("all", 0, 9, [node("a", 4, 4)])] })
    expect(findSameTopic(silence, 2, { start_s: 4, end_s: 4 })?.number).toBe("1.1")
  })
})

describe("edits of texts", () => {
  const text = (changes: Partial<StoredTextEdit>): StoredTextEdit => ({
    kind: "text",
    id: "e",
    level: 2,
    start_s: 0,
    end_s: 200,
    title: null,
    summary: null,
    edited_at: 1,
    ...changes,
  })
  const tree = { topics: [rootOf(0, 200)], notes: ["A note."] }

  it("report that a newer one replaces them, and keep the notes of the tree", () => {
    const seen = applyTopicEdits(tree, [
      text({ title: "Old", edited_at: 1 }),
      text({ title: "New", edited_at: 2 }),
      text({ title: "Lost", start_s: 65, end_s: 70 }),
    ])
    expect(seen.edits.map(({ topic }) => topic)).toEqual([null, "1.1", null])
    expect(seen.tree.notes).toEqual([
      "A note.",
      "A newer edit replaces an edit of the topic from 0:00 to 3:20.",
      "The latest topics include none from 1:05 to 1:10, so an edit of that topic is not shown.",
    ])
    expect(seen.tree.topics[0]!.children[0]).toMatchObject({ title: "New", original: { title: "t1" } })
  })

  it("show no original if the text is the same", () => {
    const seen = applyTopicEdits(tree, [text({ title: "t1" }), text({ summary: "Said.", edited_at: 2 })])
    const [first] = seen.tree.topics[0]!.children
    expect(first).toMatchObject({ title: "t1", summary: "Said.", original: { summary: "" } })
    expect(first!.original).toEqual({ summary: "" })
    const same = applyTopicEdits(tree, [text({ title: "t1" })])
    expect(same.tree.topics[0]!.children[0]).not.toHaveProperty("edited")
  })

  it("of both texts of a topic become one, with the newest of each", () => {
    const edits = [
      text({ id: "a", title: "A", summary: "A.", edited_at: 1 }),
      text({ id: "b", title: "B", edited_at: 3 }),
      text({ id: "c", start_s: 200, end_s: 600, title: "C" }),
      move(200, 210),
    ]
    const request = { tree, edits, words: [], now: 9, newId: () => "new" }
    expect(addTopicEdit({ ...request, topic: "1.1", patch: { title: "D" } })).toEqual([
      edits[2],
      edits[3],
      text({ id: "b", title: "D", summary: "A.", edited_at: 9 }),
    ])
    expect(addTopicEdit({ ...request, topic: "1.1", patch: { title: null, summary: null } })).toEqual(edits.slice(2))
    expect(addTopicEdit({ ...request, topic: "1.1", patch: {} })).toEqual(edits)
    const first = addTopicEdit({ ...request, edits: [], topic: "1.1", patch: { summary: "S." } })
    expect(first).toEqual([text({ id: "new", summary: "S.", edited_at: 9 })])
  })
})

describe("moving a boundary", () => {
  /** Words at 0, 10, 20 … seconds. */
  const words: WordSpan[] = Array.from({ length: 60 }, (_, i) => ({
    word: "w",
    start: 10 * i,
    end: 10 * i + 5,
    speaker: "0",
  }))
  const tree: TopicTree = { topics: [rootOf(0, 200, 400)] }
  const moveTo = (start_s: number | null, edits: readonly StoredTopicEdit[] = [], spoken = words) =>
    addTopicEdit({ tree, edits, topic: "1.2", patch: { start_s }, words: spoken, now: 9, newId: () => "new" })
  const timeOf = (edits: readonly StoredTopicEdit[]) => edits.map((edit) => edit.kind === "border" && edit.to_s)

  it("snaps to the nearest word, which leaves one on either side", () => {
    expect(timeOf(moveTo(214))).toEqual([210])
    expect(timeOf(moveTo(216))).toEqual([220])
    expect(timeOf(moveTo(215))).toEqual([210])
    expect(timeOf(moveTo(1))).toEqual([10])
    expect(timeOf(moveTo(399))).toEqual([390])
    expect(moveTo(204)).toEqual([])
  })

  it("keeps the ID of an earlier edit, and other edits", () => {
    const earlier = [{ ...move(400, 420), id: "other" }, ...moveTo(210)]
    expect(moveTo(220, earlier)).toEqual([earlier[0], { ...move(200, 220, 9), id: "new" }])
    expect(moveTo(null, earlier)).toEqual([earlier[0]])
    expect(moveTo(null)).toEqual([])
  })

  it("stays between the edited boundaries next to it", () => {
    const next = [{ ...move(400, 300), id: "other" }]
    expect(timeOf(moveTo(299, next))).toEqual([300, 290])
    expect(() => moveTo(300, next)).toThrow("start_s must be between 0 and 300 seconds, the boundaries next to it")
    expect(() => moveTo(0)).toThrow("between 0 and 400")
    const [first] = words
    expect(() => moveTo(210, [], [first!])).toThrow("start_s cannot be moved: no word begins between 0 and 400 seconds")
    expect(timeOf(moveTo(210, [], [first!, { ...first! }, { ...first!, start: 33.333 }]))).toEqual([33.333])
  })

  it("is not possible at the ends of the recording, where there is nothing to undo either", () => {
    const request = { tree, edits: [], words, now: 9, newId: () => "new" }
    expect(() => addTopicEdit({ ...request, topic: "1.3", patch: { end_s: 500 } })).toThrow(
      "end_s cannot be moved: the recording itself begins or ends there",
    )
    expect(addTopicEdit({ ...request, topic: "1.3", patch: { end_s: null } })).toEqual([])
    expect(() => addTopicEdit({ ...request, tree: { topics: [] }, topic: "1", patch: { title: "x" } })).toThrow(
      "unknown topic '1'",
    )
  })

  it("moves the end of a topic to the start of the next one, across a gap", () => {
    const gap = { topics: [node("all", 0, 600, [node("a", 0, 190), node("b", 200, 600)])] }
    const request = { tree: gap, edits: [], words, now: 9, newId: () => "new" }
    expect(addTopicEdit({ ...request, topic: "1.1", patch: { end_s: 231 } })).toEqual([
      { ...move(200, 230, 9), id: "new" },
    ])
  })
})

describe("a tree as a list", () => {
  it("has numbers, levels and durations, each topic before its subtopics", () => {
    const tree = { topics: [node("all", 0, 90, [node("a", 0, 50, [node("a1", 0, 20)]), node("b", 50, 90)])] }
    expect(flattenTree(tree)).toEqual([
      { title: "all", level: 1, number: "1", summary: "", start_s: 0, duration_s: 90 },
      { title: "a", level: 2, number: "1.1", summary: "", start_s: 0, duration_s: 50 },
      { title: "a1", level: 3, number: "1.1.1", summary: "", start_s: 0, duration_s: 20 },
      { title: "b", level: 2, number: "1.2", summary: "", start_s: 50, duration_s: 40 },
    ])
    expect(listTopics(tree).map(({ number, level }) => [number, level])).toEqual([
      ["1", 1],
      ["1.1", 2],
      ["1.1.1", 3],
      ["1.2", 2],
    ])
  })

  it("embeds title and summary", () => {
    expect(topicEmbeddingText({ title: "A", summary: "B." })).toBe("A. B.")
    expect(topicEmbeddingText({ title: "A", summary: "" })).toBe("A")
  })
})
