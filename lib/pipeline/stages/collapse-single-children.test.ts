import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { flattenTree } from "../../domain/topics/flatten-tree.ts"
import type { TopicNode } from "../../domain/topics/topic-tree.ts"
import { collapseSingleChildren } from "./collapse-single-children.ts"

const node = (title: string, ...children: TopicNode[]): TopicNode => ({
  title,
  summary: "",
  start_s: 0,
  end_s: 1,
  children,
})
const shape = (n: TopicNode): string => `${n.title}${n.children.length ? `(${n.children.map(shape).join(" ")})` : ""}`

describe("collapseSingleChildren", () => {
  it.each([
    [node("a", node("b", node("c"), node("d"))), "a(c d)"],
    [node("a", node("b", node("c"))), "a"],
    [node("a", node("b", node("c")), node("d")), "a(b d)"],
    [node("a"), "a"],
  ])("replaces a single child by its children: %#", (root, wanted) => {
    expect(shape(collapseSingleChildren({ topics: [root] }).topics[0]!)).toBe(wanted)
  })

  it("leaves no single child, keeps the root, and is idempotent", () => {
    const tree = (depth: number): fc.Arbitrary<TopicNode> =>
      fc
        .tuple(fc.string({ minLength: 1 }), depth === 0 ? fc.constant([]) : fc.array(tree(depth - 1), { maxLength: 3 }))
        .map(([title, children]) => node(title, ...children))
    fc.assert(
      fc.property(tree(3), (root) => {
        const flat = collapseSingleChildren({ topics: [root] })
        const walk = (n: TopicNode): void => {
          expect(n.children).not.toHaveLength(1)
          n.children.forEach(walk)
        }
        flat.topics.forEach(walk)
        expect(flattenTree(flat)[0]!.title).toBe(root.title)
        expect(collapseSingleChildren(flat)).toEqual(flat)
      }),
    )
  })
})
