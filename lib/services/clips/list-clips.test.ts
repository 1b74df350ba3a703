import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { countFacets, listClips, toGist, toStoredFilters } from "./list-clips.ts"

describe("toGist", () => {
  it.each([
    ["They agree. Then they leave.", "They agree."],
    ["  Why now?  Because.", "Why now?"],
    ["No mark at the end", "No mark at the end"],
    ["Version 2.1 ships! Really.", "Version 2.1 ships!"],
    ["", ""],
  ])("returns the first sentence of %j", (summary, gist) => {
    expect(toGist(summary)).toBe(gist)
  })
  it("keeps a sentence of 160 characters whole", () => {
    const sentence = `${"word ".repeat(31)}last.`
    expect(sentence).toHaveLength(160)
    expect(toGist(sentence)).toBe(sentence)
  })
  it("cuts a longer one at a word, and inside a word if there is no space in the second half", () => {
    expect(toGist(`${"word ".repeat(32)}last.`)).toBe(`${"word ".repeat(31)}word…`)
    expect(toGist(`ab ${"x".repeat(200)}`)).toBe(`ab ${"x".repeat(157)}…`)
  })
})

describe("a list of clips", () => {
  let node: TestNode
  beforeAll(async () => {
    node = await openTestNode()
    await node.addClip("a")
  })
  afterAll(() => node.end())
  const query = { limit: 10, order: "newest" } as unknown as Parameters<typeof listClips>[1]

  it("has the main topics of each clip as its strip, without regions where there is no map", async () => {
    const { clips } = await listClips(node, query)
    expect(clips).toHaveLength(1)
    expect(clips[0]!.gist).not.toBe("")
    expect(clips[0]!.strip.length).toBeGreaterThan(0)
    expect(clips[0]!.strip).toHaveLength(clips[0]!.topics.filter(({ level }) => level === 2).length)
    expect(new Set(clips[0]!.strip.map(({ region }) => region))).toEqual(new Set([null]))
  })
  it("finds no clip of a subject that the map does not have", async () => {
    expect(await toStoredFilters(node, { subject: "Budget", q: "plan" })).toEqual({ ids: [], q: "plan" })
    expect(await toStoredFilters(node, { q: "plan" })).toEqual({ q: "plan" })
  })
  it("has no subjects where there is no map", async () => {
    expect((await countFacets(node)).subjects).toEqual([])
  })
})
