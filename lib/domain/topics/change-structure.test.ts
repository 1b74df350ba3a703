import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { AppError } from "../errors.ts"
import type { WordSpan } from "../transcript/words.ts"
import { addTopicEdit, resetTopicEdits } from "./add-topic-edit.ts"
import { applyTopicEdits, listTopics } from "./apply-topic-edits.ts"
import { changeStructure } from "./change-structure.ts"
import { isStructureEdit } from "./structure.ts"
import type { StoredTopicEdit, StructureChange, TopicPatch } from "./topic-edits.ts"
import { type TopicNode, type TopicTree, topicTree } from "./topic-tree.ts"

const node = (title: string, start_s: number, end_s: number, children: TopicNode[] = []): TopicNode => ({
  title,
  summary: `About ${title}.`,
  start_s,
  end_s,
  children,
})
const treeOf = (...topics: TopicNode[]): TopicTree => ({ topics: [node("all", 0, 600, topics)] })
const run = treeOf(
  node("a", 0, 200),
  node("b", 200, 400, [node("b1", 200, 290), node("b2", 290, 400)]),
  node("c", 400, 600),
)
/** One word every two seconds. */
const words: WordSpan[] = Array.from({ length: 300 }, (_, i) => ({
  word: "w",
  start: 2 * i,
  end: 2 * i + 1,
  speaker: "0",
}))
let ids = 0
const clock = () => ({ now: ++ids * 1000, newId: () => `edit-${++ids}` })
const change = (edits: readonly StoredTopicEdit[], what: StructureChange, tree = run): StoredTopicEdit[] =>
  changeStructure({ tree, edits, words, change: what, ...clock() })
const patch = (edits: readonly StoredTopicEdit[], topic: string, what: TopicPatch, tree = run) =>
  addTopicEdit({ tree, edits, topic, patch: what, words, ...clock() })
const reset = (edits: readonly StoredTopicEdit[], topic: string, tree = run) =>
  resetTopicEdits({ tree, edits, topic, ...clock() })
/** Lists the topics with their starts, such as `1.2.1 b1 200`. */
const show = (edits: readonly StoredTopicEdit[], tree = run): string[] =>
  listTopics(applyTopicEdits(tree, edits).tree)
    .slice(1)
    .map(({ node: { title, start_s }, number }) => `${number} ${title} ${start_s}`)
const effects = (edits: readonly StoredTopicEdit[], tree = run) =>
  applyTopicEdits(tree, edits).edits.map(({ topic, detail }) => detail ?? topic)

describe("adding a topic", () => {
  it("begins a new one at a word, which ends where the topic there has ended", () => {
    const edits = change([], { action: "add", at_s: 101.2, level: 2, title: "New" })
    expect(show(edits)).toEqual(["1.1 a 0", "1.2 New 102", "1.3 b 200", "1.3.1 b1 200", "1.3.2 b2 290", "1.4 c 400"])
    expect(effects(edits)).toEqual(["1.2"])
    const { tree } = applyTopicEdits(run, edits)
    expect(topicTree.parse(tree)).toEqual(tree)
    expect(tree.topics[0]!.children[1]).toMatchObject({ edited: true, original: {}, end_s: 200 })
  })
  it("keeps the rest of a subtopic that it divides", () =>
    expect(show(change([], { action: "add", at_s: 240, level: 2, title: "New" }))).toEqual([
      "1.1 a 0",
      "1.2 b 200",
      "1.3 New 240",
      "1.3.1 b1 240",
      "1.3.2 b2 290",
      "1.4 c 400",
    ]))
  it("as a subtopic makes the beginning of its topic a subtopic too", () =>
    expect(show(change([], { action: "add", at_s: 500, level: 3, title: "New" })).slice(-3)).toEqual([
      "1.3 c 400",
      "1.3.1 c 400",
      "1.3.2 New 500",
    ]))
  it("where a subtopic begins makes that a topic", () =>
    expect(show(change([], { action: "add", at_s: 290, level: 2 }))).toContain("1.3 b2 290"))
  it("in a recording without topics divides it", () =>
    expect(show(change([], { action: "add", at_s: 300, level: 2, title: "New" }, treeOf()), treeOf())).toEqual([
      "1.1 all 0",
      "1.2 New 300",
    ]))
  it.each([
    [{ action: "add", at_s: 0, level: 2 }, "between 0 and 600"],
    [{ action: "add", at_s: 600, level: 2 }, "between 0 and 600"],
    [{ action: "add", at_s: 200, level: 2 }, "already begins at 3:20"],
    [{ action: "add", at_s: 290, level: 3 }, "already begins at 4:50"],
    [{ action: "split", topic: "1.2.1", at_s: 290 }, "between 200 and 290 seconds, within topic 1.2.1"],
    [{ action: "merge", topic: "1.3", with: "next" }, "last topic of the recording"],
    [{ action: "merge", topic: "1.2.1", with: "previous" }, "first subtopic of topic 1.2"],
    [{ action: "merge", topic: "1", with: "next" }, "the recording itself"],
    [{ action: "delete", topic: "1.4" }, "unknown topic '1.4'"],
    [{ action: "move", topic: "1.1", parent: "1" }, "already"],
    [{ action: "move", topic: "1.1", parent: "1.3" }, "before or after"],
    [{ action: "move", topic: "1.2.1", parent: "1.3" }, "only the last subtopic of 1.2"],
    [{ action: "move", topic: "1.2.1", parent: "1.2" }, "already"],
    [{ action: "move", topic: "1.2.1", parent: "1.2.2" }, "subtopics have no subtopics"],
  ] as const)("%o is rejected", (what, why) => expect(() => change([], what)).toThrow(why))
  it("is rejected in a recording without speech", () =>
    expect(() => change([], { action: "add", at_s: 0, level: 2 }, { topics: [node("No speech", 0, 0)] })).toThrow(
      "no speech",
    ))
})

describe("splitting, merging and deleting topics", () => {
  it("splits a topic and a subtopic at their own level", () => {
    expect(show(change([], { action: "split", topic: "1.1", at_s: 100, title: "x" }))).toContain("1.2 x 100")
    expect(show(change([], { action: "split", topic: "1.2.1", at_s: 240, title: "x" }))).toContain("1.2.2 x 240")
  })
  it("merges two subtopics or two topics without subtopics into one with both summaries", () => {
    const one = change([], { action: "merge", topic: "1.2.2", with: "previous" })
    expect(show(one)).toEqual(["1.1 a 0", "1.2 b 200", "1.3 c 400"])
    const two = change(one, { action: "merge", topic: "1.2", with: "next", title: "d" })
    expect(applyTopicEdits(run, two).tree.topics[0]!.children).toMatchObject([
      { title: "a" },
      { title: "d", summary: "About b. About c.", start_s: 200, end_s: 600, children: [] },
    ])
    expect(effects(two).every((topic) => topic === "1.2")).toBe(true)
  })
  it("keeps the subtopics of merged topics, and makes a topic without any one of them", () =>
    expect(show(change([], { action: "merge", topic: "1.2", with: "previous" }))).toEqual([
      "1.1 a 0",
      "1.1.1 a 0",
      "1.1.2 b1 200",
      "1.1.3 b2 290",
      "1.2 c 400",
    ]))
  it("deletes a topic with its subtopics in favor of the one before, or after the first one", () => {
    expect(show(change([], { action: "delete", topic: "1.2" }))).toEqual(["1.1 a 0", "1.2 c 400"])
    expect(show(change([], { action: "delete", topic: "1.1" }))).toEqual([
      "1.1 b 0",
      "1.1.1 b1 0",
      "1.1.2 b2 290",
      "1.2 c 400",
    ])
    expect(show(change([], { action: "delete", topic: "1.2.1" }))).toEqual(["1.1 a 0", "1.2 b 200", "1.3 c 400"])
  })
  it("does not delete the only topic", () =>
    expect(() => change([], { action: "delete", topic: "1.1" }, treeOf(node("a", 0, 600)))).toThrow("only topic"))
})

describe("moving topics to another parent", () => {
  it.each([
    ["1.2.2", "1", ["1.1 a 0", "1.2 b 200", "1.3 b2 290", "1.4 c 400"]],
    ["1.2.1", "1", ["1.1 a 0", "1.2 b1 200", "1.3 b 290", "1.4 c 400"]],
    ["1.2.1", "1.1", ["1.1 a 0", "1.1.1 a 0", "1.1.2 b1 200", "1.2 b 290", "1.3 c 400"]],
    ["1.2.2", "1.3", ["1.1 a 0", "1.2 b 200", "1.3 c 290", "1.3.1 b2 290", "1.3.2 c 400"]],
    ["1.3", "1.2", ["1.1 a 0", "1.2 b 200", "1.2.1 b1 200", "1.2.2 b2 290", "1.2.3 c 400"]],
    ["1.1", "1.2", ["1.1 b 0", "1.1.1 a 0", "1.1.2 b1 200", "1.1.3 b2 290", "1.2 c 400"]],
  ])("%s to %s", (topic, parent, expected) =>
    expect(show(change([], { action: "move", topic, parent }))).toEqual(expected),
  )
})

describe("structure edits and other edits", () => {
  it("keep titles with their topics and drop those of topics that disappear", () => {
    const titled = patch(patch([], "1.2", { title: "Bees" }), "1.3", { title: "Cars" })
    const added = change(titled, { action: "add", at_s: 260, level: 2, title: "New" })
    expect(show(added)).toEqual(expect.arrayContaining(["1.2 Bees 200", "1.3 New 260", "1.4 Cars 400"]))
    const renamed = patch(added, "1.3", { title: "Newer" })
    expect(show(renamed)).toContain("1.3 Newer 260")
    expect(show(patch(renamed, "1.3", { title: null }))).toContain("1.3 New 260")
    const merged = change(renamed, { action: "delete", topic: "1.4" })
    expect(show(merged).join()).not.toContain("Cars")
    expect(applyTopicEdits(run, merged).tree.notes).toBeUndefined()
  })
  it("keep moved boundaries and let them move again and back", () => {
    const moved = patch([], "1.2", { start_s: 250 })
    const added = change(moved, { action: "add", at_s: 226, level: 2, title: "New" })
    expect(show(added).slice(0, 4)).toEqual(["1.1 a 0", "1.2 New 226", "1.3 b 250", "1.3.1 b1 250"])
    const further = patch(added, "1.3", { start_s: 270 })
    expect(show(further)).toContain("1.3 b 270")
    expect(listTopics(applyTopicEdits(run, further).tree).find((t) => t.number === "1.3")!.node.original).toEqual({
      start_s: 200,
    })
    expect(() => patch(further, "1.3", { start_s: 290 })).toThrow("between 226 and 290")
    expect(show(patch(further, "1.2", { start_s: 40 }))).toContain("1.2 New 40")
    expect(show(patch(patch(further, "1.2", { start_s: 40 }), "1.3", { start_s: null }))).toContain("1.3 b 200")
  })
  it("are undone by a reset of the topic", () => {
    const merged = change([], { action: "merge", topic: "1.1", with: "next" })
    expect(show(reset(merged, "1.1"))).not.toContain("1.1.1 a 0")
    const gone = change([], { action: "delete", topic: "1.2" })
    expect(show(reset(gone, "1.1"))).toEqual(show([]))
    const added = change([], { action: "add", at_s: 100, level: 2, title: "New" })
    expect(reset(added, "1.2")).toEqual([])
    expect(reset(added, "1")).toEqual(added)
  })
})

describe("structure edits and later runs", () => {
  const later = treeOf(
    node("x", 0, 105),
    node("y", 105, 212),
    node("z", 212, 600, [node("z1", 212, 404), node("z2", 404, 600)]),
  )
  it("place an added topic exactly, in place of a boundary that is near", () => {
    const edits = change([], { action: "add", at_s: 110, level: 2, title: "New" })
    expect(show(edits, later).slice(0, 3)).toEqual(["1.1 x 0", "1.2 New 110", "1.3 z 212"])
    expect(show(edits, treeOf())).toEqual(["1.1 all 0", "1.2 New 110"])
  })
  it("leave the boundary alone beside which the topic was added", () =>
    expect(show(change([], { action: "add", at_s: 226, level: 2, title: "New" }), later)).toEqual(
      expect.arrayContaining(["1.3 z 212", "1.4 New 226", "1.4.2 z2 404"]),
    ))
  it("remove the boundary that was merged away, and no other", () => {
    const edits = change([], { action: "delete", topic: "1.2" })
    expect(show(edits, later)).toEqual(["1.1 x 0", "1.2 y 105", "1.2.1 y 105", "1.2.2 z2 404"])
    expect(effects(edits, later)).not.toContain(null)
  })
  it("add what was merged away again", () => {
    const edits = change(change([], { action: "delete", topic: "1.2" }), {
      action: "add",
      at_s: 200,
      level: 2,
      title: "b",
    })
    expect(show(edits)).toEqual(["1.1 a 0", "1.2 b 200", "1.3 c 400"])
    expect(edits.filter(isStructureEdit).map((e) => [e.at_s, e.level])).toEqual([
      [290, null],
      [200, 2],
    ])
  })
  it("say if the recording has no speech there any more", () => {
    const edits = change([], { action: "add", at_s: 500, level: 2, title: "New" })
    expect(effects(edits, { topics: [node("short", 0, 300)] })).toEqual([expect.stringContaining("no speech at 8:20")])
    expect(applyTopicEdits({ topics: [] }, edits).edits[0]).toMatchObject({ topic: null })
  })
})

describe("any topic edits", () => {
  const trees = fc.uniqueArray(fc.integer({ min: 1, max: 299 }), { minLength: 0, maxLength: 12 }).chain((cuts) =>
    fc.array(fc.boolean(), { minLength: cuts.length, maxLength: cuts.length }).map((top): TopicTree => {
      const sorted = cuts.map((c) => 2 * c).sort((a, b) => a - b)
      const ends = [0, ...sorted.filter((_, i) => top[i]), 600]
      const topics = ends.slice(1).map((end, i) => {
        const inner = [ends[i]!, ...sorted.filter((c) => c > ends[i]! && c < end), end]
        const own = inner.length > 2 ? inner.slice(1).map((e, j) => node(`s${inner[j]}`, inner[j]!, e)) : []
        return node(`t${ends[i]}`, ends[i]!, end, own)
      })
      return treeOf(...(topics.length > 1 ? topics : []))
    }),
  )
  type Step = {
    readonly kind: StructureChange["action"] | "title" | "start" | "reset" | "run"
    readonly a: number
    readonly b: number
  }
  const step = fc.record<Step>({
    kind: fc.constantFrom("add", "add", "split", "merge", "delete", "move", "title", "start", "reset", "run"),
    a: fc.nat(1000),
    b: fc.nat(1000),
  })
  const isGapless = (n: TopicNode): boolean =>
    n.start_s < n.end_s &&
    (n.children.length === 0 ||
      (n.children[0]!.start_s === n.start_s &&
        n.children.at(-1)!.end_s === n.end_s &&
        n.children.every((c, i) => i === 0 || c.start_s === n.children[i - 1]!.end_s) &&
        n.children.every(isGapless)))

  const apply = (
    edits: readonly StoredTopicEdit[],
    { kind, a, b }: Step,
    tree: TopicTree,
  ): readonly StoredTopicEdit[] => {
    const all = listTopics(applyTopicEdits(tree, edits).tree)
    const { number, node: n } = all[a % all.length]!
    const other = all[b % all.length]!.number
    const at_s = n.start_s + ((n.end_s - n.start_s) * (b % 97)) / 97
    switch (kind) {
      case "add":
        return change(edits, { action: "add", at_s, level: b % 2 ? 3 : 2, title: `n${ids}` }, tree)
      case "split":
        return change(edits, { action: "split", topic: number, at_s, title: `n${ids}` }, tree)
      case "merge":
        return change(edits, { action: "merge", topic: number, with: b % 2 ? "next" : "previous" }, tree)
      case "delete":
        return change(edits, { action: "delete", topic: number }, tree)
      case "move":
        return change(edits, { action: "move", topic: number, parent: other }, tree)
      case "title":
        return patch(edits, number, { title: `n${ids}` }, tree)
      case "start":
        return patch(edits, number, { start_s: at_s }, tree)
      case "reset":
        return reset(edits, number, tree)
      case "run":
        return edits
    }
  }

  it("keep a gapless tree in which every added topic begins where it was placed", () =>
    fc.assert(
      fc.property(fc.array(trees, { minLength: 2, maxLength: 4 }), fc.array(step, { maxLength: 30 }), (runs, steps) => {
        let edits: readonly StoredTopicEdit[] = []
        let current = 0
        for (const s of steps) {
          if (s.kind === "run") current = s.a % runs.length
          try {
            edits = apply(edits, s, runs[current]!)
          } catch (error) {
            if (!AppError.is(error) || (error.code !== "invalid" && error.code !== "not_found")) throw error
          }
          for (const tree of [runs[current]!, runs[(current + 1) % runs.length]!]) {
            const seen = applyTopicEdits(tree, edits)
            expect(seen.tree.topics.every(isGapless)).toBe(true)
            expect(seen.edits).toHaveLength(edits.length)
            const starts = new Map(listTopics(seen.tree).map(({ node: n, level }) => [`${level}@${n.start_s}`, n]))
            for (const edit of edits.filter(isStructureEdit)) {
              if (edit.level !== 2 && edit.level !== 3) continue
              expect(starts.has(`${edit.level}@${edit.at_s}`)).toBe(true)
            }
            expect(seen.edits.filter((e) => e.kind === "structure" && e.topic === null)).toEqual([])
          }
        }
      }),
      { numRuns: 60 },
    ))
})
