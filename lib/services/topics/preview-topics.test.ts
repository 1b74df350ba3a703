import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { speechWords } from "#test/fixtures/speech-words.ts"
import { topicPreviewQuery } from "../../api/topics.ts"
import { Earmark } from "../../sdk/index.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { previewTopics } from "./preview-topics.ts"

let node: TestNode
beforeAll(async () => {
  node = await openTestNode()
})
afterAll(() => node.end())

const signal = new AbortController().signal
const settings = (given: object = {}) => topicPreviewQuery.parse(given)

describe("a preview", () => {
  it("has the topics that a run of the builtin provider with the same settings has, and stores nothing", async () => {
    const earmark = new Earmark(node.config)
    const words = speechWords()
    const { session_id: id, tree } = await earmark.generateTopics("name:talk", { transcription: words })
    const more = await earmark.generateTopics("name:other", {
      transcription: words,
      topic_detail: "more",
      min_subdivide_duration_s: 30,
    })
    await earmark.close()
    const outline = (list: readonly { title: string; start_s: number; end_s: number; children: readonly object[] }[]) =>
      list.map(({ title, start_s, end_s, children }): object => ({
        title,
        start_s,
        end_s,
        children: children.map((child) => ({ ...outline([child as never])[0], children: undefined })),
      }))
    expect(outline((await previewTopics(node, { id }, settings(), signal)).topics)).toEqual(
      outline(tree.topics[0]!.children),
    )
    const asked = settings({ topic_detail: "more", min_subdivide_duration_s: "30" })
    expect(outline((await previewTopics(node, { id }, asked, signal)).topics)).toEqual(
      outline(more.tree.topics[0]!.children),
    )
    expect((await node.store.topics.get(id))?.tree).toEqual(tree)
  })

  it("is empty without words, and fails for an unknown clip or when aborted", async () => {
    await node.addClip("silent", { words: [] })
    expect(await previewTopics(node, { id: "silent" }, settings(), signal)).toEqual({ topics: [] })
    await expect(previewTopics(node, { id: "nobody" }, settings(), signal)).rejects.toMatchObject({ status: 404 })
    const aborted = AbortSignal.abort(new Error("gone"))
    await expect(previewTopics(node, { id: "silent" }, settings(), aborted)).rejects.toThrow("gone")
  })

  it.each([{ topic_detail: "most" }, { min_subdivide_duration_s: "-1" }, { min_subdivide_duration_s: "x" }])(
    "rejects %j",
    (given) => {
      expect(topicPreviewQuery.safeParse(given).success).toBe(false)
    },
  )
})
