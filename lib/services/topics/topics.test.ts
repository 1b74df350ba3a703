import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { topicDiffQuery } from "../../api/topics.ts"
import { topicSettings } from "../../domain/jobs/jobs.ts"
import { topicsOf, wordsOf } from "../../storage/stores/testing/fixtures.ts"
import { openTestNode, submittedJob, type TestNode } from "../testing/open-test-node.ts"
import { editTopic, getTopics, removeTopicEdit, resetTopic } from "./topic-edits.ts"
import { diffTopicRuns, getTopicRun, listTopicRuns, rerunTopics } from "./topic-runs.ts"

let node: TestNode
beforeAll(async () => {
  node = await openTestNode()
})
beforeEach(async () => {
  await node.store.clips.delete("a")
  // The topics of the clip are 0 to 60 s and 60 to 100 s long.
  await node.addClip("a", { words: wordsOf("word ".repeat(100).trim()) })
})
afterAll(() => node.end())

const titles = async () => {
  const [recording] = (await getTopics(node, { id: "a" })).tree.topics
  return recording!.children.map(({ title }) => title)
}
const notFound = { status: 404 }

describe("edits of topics", () => {
  it("change the current topics, and are removed with their topic or alone", async () => {
    await editTopic(node, { id: "a", topic: "1.1" }, { title: "First" })
    await editTopic(node, { id: "a", topic: "1.2" }, { title: "Second", start_s: 55 })
    expect(await titles()).toEqual(["First", "Second"])
    const { edits } = await resetTopic(node, { id: "a", topic: "1.2" })
    expect(await titles()).toEqual(["First", "a two"])
    expect(edits).toHaveLength(1)
    const after = await removeTopicEdit(node, { id: "a", edit: edits[0]!.id })
    expect([await titles(), after.edits]).toEqual([["a one", "a two"], []])
  })

  it("reset the end of a topic too", async () => {
    await editTopic(node, { id: "a", topic: "1.2" }, { start_s: 55 })
    expect((await getTopics(node, { id: "a" })).edits).toHaveLength(1)
    expect((await resetTopic(node, { id: "a", topic: "1.1" })).edits).toEqual([])
  })

  it("of an unknown clip, topic or edit are not found", async () => {
    const id = "unknown"
    await expect(getTopics(node, { id })).rejects.toMatchObject({ ...notFound, message: "unknown clip 'unknown'" })
    await expect(editTopic(node, { id, topic: "1" }, { title: "x" })).rejects.toMatchObject(notFound)
    await expect(editTopic(node, { id: "a", topic: "1.9" }, { title: "x" })).rejects.toMatchObject(notFound)
    await expect(removeTopicEdit(node, { id, edit: "x" })).rejects.toMatchObject(notFound)
    await expect(removeTopicEdit(node, { id: "a", edit: "x" })).rejects.toMatchObject(notFound)
  })
})

describe("topic runs", () => {
  it("are listed, newest first, and found by their ID and clip", async () => {
    await node.store.topics.save("a", topicsOf("later"))
    const { runs } = await listTopicRuns(node, { id: "a" })
    const roots = await Promise.all(
      runs.map(async ({ id: run }) => (await getTopicRun(node, { id: "a", run })).tree.topics[0]!.title),
    )
    expect(roots).toEqual(["later", "a"])
    await node.addClip("b")
    const run = runs[0]!.id
    await expect(getTopicRun(node, { id: "b", run })).rejects.toMatchObject(notFound)
    await expect(getTopicRun(node, { id: "a", run: "x" })).rejects.toMatchObject({
      ...notFound,
      message: "unknown run 'x' of clip 'a'",
    })
    await expect(listTopicRuns(node, { id: "unknown" })).rejects.toMatchObject(notFound)
  })

  it("are compared with each other and with the edited topics", async () => {
    await node.store.topics.save("a", topicsOf("later"))
    const [later, first] = (await listTopicRuns(node, { id: "a" })).runs.map(({ id }) => id)
    await editTopic(node, { id: "a", topic: "1.2" }, { title: "Edited" })
    const diff = async (query: { a: string; b?: string }) =>
      JSON.stringify(await diffTopicRuns(node, { id: "a" }, topicDiffQuery.parse(query)))
    expect(await diff({ a: later!, b: later! })).not.toContain("Edited")
    expect(await diff({ a: later! })).toContain("Edited")
    expect(await diff({ a: first!, b: later! })).toMatch(/a two.*later two/)
    expect(await diff({ a: later!, b: first! })).toMatch(/later two.*a two/)
    const query = topicDiffQuery.parse({ a: "x" })
    await expect(diffTopicRuns(node, { id: "a" }, query)).rejects.toMatchObject(notFound)
  })

  it("start with a job on the stored transcript, with the requested settings and the language of the clip", async () => {
    const source_url = "https://example.org/b.mp3"
    await node.addClip("of a URL", { source_url })
    await node.addClip("of a file", { source_url, file_path: "/recordings/c.wav" })
    const settings = topicSettings.parse({ min_subdivide_duration_s: 7 })
    const sources = []
    for (const id of ["a", "of a URL", "of a file"]) {
      const { job_id, session_id } = await rerunTopics(node, { id }, settings)
      const { job } = await submittedJob(node.store, job_id)
      expect([session_id, job.title]).toEqual([id, `Clip ${id}`])
      expect(job.options).toMatchObject({
        title: `Clip ${id}`,
        language: "en",
        min_subdivide_duration_s: 7,
        force_retranscribe: false,
      })
      sources.push(job.source)
    }
    expect(sources).toEqual([
      { kind: "file", path: "a" },
      { kind: "url", url: source_url },
      { kind: "file", path: "/recordings/c.wav" },
    ])
    await expect(rerunTopics(node, { id: "unknown" }, settings)).rejects.toMatchObject(notFound)
  })
})
