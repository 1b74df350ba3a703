import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { WordSpan } from "../transcript/words.ts"
import { addTopicEdit, type EditRequest } from "./add-topic-edit.ts"
import { applyTopicEdits, listTopics } from "./apply-topic-edits.ts"
import { listBoundaries } from "./boundaries.ts"
import type { StoredTopicEdit } from "./topic-edits.ts"
import { type TopicNode, type TopicTree, topicTree } from "./topic-tree.ts"

const node = (title: string, start_s: number, end_s: number, children: TopicNode[] = []): TopicNode => ({
  title,
  summary: `About ${title}.`,
  start_s,
  end_s,
  children,
})
const tree: TopicTree = {
  topics: [
    node("all", 0, 600, [
      node("a", 0, 200),
      node("b", 200, 400, [node("b1", 200, 290), node("b2", 290, 400)]),
      node("c", 400, 600),
    ]),
  ],
}
/** One word every two seconds. */
const words: WordSpan[] = Array.from({ length: 300 }, (_, i) => ({
  word: "w",
  start: 2 * i,
  end: 2 * i + 1,
  speaker: "0",
}))
let ids = 0
const edit = (
  edits: readonly StoredTopicEdit[],
  topic: string,
  patch: EditRequest["patch"],
  of: TopicTree = tree,
): readonly StoredTopicEdit[] =>
  addTopicEdit({ tree: of, edits, topic, patch, words, now: ++ids * 1000, newId: () => `edit-${++ids}` })
const at = (shown: TopicTree, number: string): TopicNode => listTopics(shown).find((l) => l.number === number)!.node
const shown = (edits: readonly StoredTopicEdit[], of: TopicTree = tree) => applyTopicEdits(of, edits)

describe("a title or summary edit", () => {
  it("shows the edited text along with the original and changes no other topic", () => {
    const { tree: seen, edits } = shown(edit([], "1.2", { title: "Bees" }))
    expect(at(seen, "1.2")).toMatchObject({
      title: "Bees",
      summary: "About b.",
      edited: true,
      original: { title: "b" },
    })
    expect(at(seen, "1.1")).toEqual(at(tree, "1.1"))
    expect(edits).toMatchObject([{ kind: "text", topic: "1.2", level: 2, start_s: 200, end_s: 400, title: "Bees" }])
    expect(seen).not.toHaveProperty("notes")
    expect(topicTree.parse(seen)).toEqual(seen)
  })
  it("is stored once per topic and removed field by field", () => {
    const both = edit(edit([], "1.2", { title: "Bees" }), "1.2", { summary: "How they dance." })
    expect(both).toMatchObject([{ title: "Bees", summary: "How they dance." }])
    expect(edit(both, "1.2", { title: "Wasps" })).toMatchObject([{ title: "Wasps", summary: "How they dance." }])
    const one = edit(both, "1.2", { title: null })
    expect(at(shown(one).tree, "1.2")).toMatchObject({ title: "b", summary: "How they dance." })
    expect(edit(one, "1.2", { summary: null })).toEqual([])
  })
  it("applies to the topic at the same time in a later run, whatever its number", () => {
    const later: TopicTree = {
      topics: [node("all", 0, 600, [node("x", 0, 90), node("y", 90, 215), node("z", 215, 380), node("v", 380, 600)])],
    }
    const { tree: seen, edits } = shown(edit([], "1.2", { title: "Bees" }), later)
    expect(at(seen, "1.3")).toMatchObject({ title: "Bees", original: { title: "z" } })
    expect(edits[0]).toMatchObject({ topic: "1.3" })
  })
  it("has no effect on a later run without such a topic, and says so", () => {
    const later: TopicTree = { topics: [node("all", 0, 600, [node("x", 0, 500), node("y", 500, 600)])] }
    const kept = edit([], "1.2.1", { title: "Bees" })
    const { tree: seen, edits } = shown(kept, later)
    expect(edits[0]).toMatchObject({ topic: null, detail: expect.stringContaining("from 3:20 to 4:50") })
    expect(seen.notes).toEqual([edits[0]!.detail])
    expect(at(shown(kept).tree, "1.2.1").title).toBe("Bees")
  })
  it("applies to a topic that covers half of the same time, but not less", () => {
    const kept = edit([], "1.2", { title: "Bees" })
    const titlesWith = (end_s: number) => {
      const later = { topics: [node("all", 0, 900, [node("x", 0, 200), node("y", 200, end_s), node("z", end_s, 900)])] }
      return at(shown(kept, later).tree, "1.2").title
    }
    expect([600, 602].map(titlesWith)).toEqual(["Bees", "y"])
  })
  it("of level 1 applies to the whole recording in every run", () => {
    const kept = edit([], "1", { title: "Mine" })
    expect(shown(kept, { topics: [node("longer", 0, 5000)] }).tree.topics[0]!.title).toBe("Mine")
  })
  it("is replaced by a newer edit of the same field", () => {
    const first = edit([], "1.2", { title: "Old", summary: "Old." })
    const split = [
      ...first,
      { ...first[0]!, id: "other", title: "Newer", summary: null, edited_at: 1e9 },
    ] as StoredTopicEdit[]
    expect(at(shown(split).tree, "1.2")).toMatchObject({ title: "Newer", summary: "Old." })
  })
})

describe("a boundary edit", () => {
  it("moves the boundary of both topics at all levels, snapped to a word", () => {
    const { tree: seen, edits } = shown(edit([], "1.2", { start_s: 230.7 }))
    expect([at(seen, "1.1").end_s, at(seen, "1.2").start_s, at(seen, "1.2.1").start_s]).toEqual([230, 230, 230])
    expect(at(seen, "1.1")).toMatchObject({ edited: true, original: { end_s: 200 } })
    expect(edits).toMatchObject([{ kind: "border", from_s: 200, to_s: 230, topic: "1.2" }])
  })
  it("is the same edit from either topic, and can be undone", () => {
    const one = edit([], "1.1", { end_s: 220 })
    const two = edit(one, "1.2.1", { start_s: 180 })
    expect(two).toHaveLength(1)
    expect(at(shown(two).tree, "1.1").end_s).toBe(180)
    expect(edit(two, "1.1", { end_s: null })).toEqual([])
    expect(edit(two, "1.2", { start_s: 200 })).toEqual([])
  })
  it.each([
    ["1.2", { start_s: 300 }, "between 0 and 290"],
    ["1.2", { end_s: 290 }, "between 290 and 600"],
    ["1.1", { start_s: 5 }, "recording itself"],
    ["1", { end_s: 500 }, "recording itself"],
    ["1.3", { end_s: 500 }, "recording itself"],
  ] as const)("rejects moving a boundary of topic %s to %o", (topic, patch, why) =>
    expect(() => edit([], topic, patch)).toThrow(why),
  )
  it("rejects a range without words and an unknown topic", () => {
    expect(() =>
      addTopicEdit({ tree, edits: [], topic: "1.2", patch: { start_s: 210 }, words: [], now: 1, newId: () => "x" }),
    ).toThrow("no word begins")
    expect(() => edit([], "1.9", { title: "x" })).toThrow("unknown topic '1.9'")
  })
  it("applies to a boundary of a later run near its original or its new time", () => {
    const kept = edit([], "1.2", { start_s: 250 })
    const near: TopicTree = { topics: [node("all", 0, 600, [node("x", 0, 212), node("y", 212, 600)])] }
    const right: TopicTree = { topics: [node("all", 0, 600, [node("x", 0, 256), node("y", 256, 600)])] }
    const none: TopicTree = { topics: [node("all", 0, 600, [node("x", 0, 100), node("y", 100, 600)])] }
    expect(at(shown(kept, near).tree, "1.2").start_s).toBe(250)
    expect(at(shown(kept, right).tree, "1.2").start_s).toBe(250)
    const idle = shown(kept, none)
    expect(idle.tree.topics).toEqual(none.topics)
    expect(idle.edits[0]).toMatchObject({ topic: null, detail: expect.stringContaining("near 3:20") })
  })
  it("prefers a boundary near its original time to a nearer one at its new time", () => {
    const moved: StoredTopicEdit = { kind: "border", id: "e", from_s: 100, to_s: 128, edited_at: 1 }
    const later = node("all", 0, 600, [node("a", 0, 103), node("b", 103, 129), node("c", 129, 600)])
    expect(listBoundaries(shown([moved], { topics: [later] }).tree.topics[0]!)).toEqual([128, 129])
  })
  it("has no effect where the boundary would cross another one", () => {
    const kept = edit(edit([], "1.2.2", { start_s: 350 }), "1.2", { start_s: 340 })
    const { tree: seen, edits } = shown(kept.filter((e) => e.kind === "border" && e.from_s === 200))
    expect(at(seen, "1.2").start_s).toBe(200)
    expect(edits[0]).toMatchObject({ topic: null, detail: expect.stringContaining("cross") })
    expect(at(shown(kept).tree, "1.2").start_s).toBe(340)
  })
})

describe("topic edits of a recording without speech", () => {
  const silence: TopicTree = { topics: [node("No speech", 0, 0)] }
  it("apply to the title but move no boundary", () => {
    const kept = [...edit([], "1", { title: "Silence" }, silence), ...edit([], "1.2", { start_s: 230 })]
    const { tree: seen, edits } = shown(kept, silence)
    expect(seen.topics).toMatchObject([{ title: "Silence", start_s: 0, end_s: 0 }])
    expect(edits.map((e) => e.topic)).toEqual(["1", null])
    expect(shown(kept, { topics: [] }).edits.map((e) => e.topic)).toEqual([null, null])
  })
})

describe("applyTopicEdits", () => {
  const trees = fc
    .uniqueArray(fc.integer({ min: 1, max: 299 }), { minLength: 1, maxLength: 12 })
    .map((cuts) => cuts.map((c) => 2 * c).sort((a, b) => a - b))
    .chain((cuts) =>
      fc.array(fc.boolean(), { minLength: cuts.length, maxLength: cuts.length }).map((top): TopicTree => {
        const ends = [0, ...cuts.filter((_, i) => top[i]), 600]
        const parts = ends.slice(1).map((end, i) => {
          const inner = [ends[i]!, ...cuts.filter((c) => c > ends[i]! && c < end), end]
          const own = inner.length > 2 ? inner.slice(1).map((e, j) => node("p", inner[j]!, e)) : []
          return node("t", ends[i]!, end, own)
        })
        return { topics: [node("all", 0, 600, parts.length > 1 ? parts : [])] }
      }),
    )
  const moves = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 599 })), { maxLength: 8 })
  const isGapless = (n: TopicNode): boolean =>
    n.start_s < n.end_s &&
    (n.children.length === 0 ||
      (n.children[0]!.start_s === n.start_s &&
        n.children.at(-1)!.end_s === n.end_s &&
        n.children.every((c, i) => i === 0 || c.start_s === n.children[i - 1]!.end_s) &&
        n.children.every(isGapless)))
  const applyMoves = (of: TopicTree, list: readonly (readonly [number, number])[]): readonly StoredTopicEdit[] =>
    list.reduce((edits: readonly StoredTopicEdit[], [which, to]) => {
      const all = listTopics(of)
      try {
        return edit(edits, all[which % all.length]!.number, { start_s: to, title: `t${to}` }, of)
      } catch {
        return edits
      }
    }, [])

  it("keeps a gapless tree with as many boundaries, and reports every edit", () =>
    fc.assert(
      fc.property(trees, trees, moves, (first, second, list) => {
        const edits = applyMoves(first, list)
        for (const run of [first, second]) {
          const seen = applyTopicEdits(run, edits)
          expect(seen.tree.topics.every(isGapless)).toBe(true)
          expect(listBoundaries(seen.tree.topics[0]!)).toHaveLength(listBoundaries(run.topics[0]!).length)
          expect(seen.edits).toHaveLength(edits.length)
          expect(seen.edits.every((e) => (e.topic === null) === (e.detail !== undefined))).toBe(true)
        }
        expect(applyTopicEdits(first, edits).edits.every((e) => e.detail === undefined)).toBe(true)
      }),
    ))
})
