import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createClient, type TaggedVizData } from "#lib/api/client/index.ts"
import { newId, uuid5 } from "#lib/domain/ids.ts"
import { setHttpDeps } from "#lib/http/container.ts"
import type { HttpServer } from "#lib/http/server/http-server.ts"
import { openVizCompute } from "#lib/map/worker/compute-thread.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { type Node, openNode } from "#lib/services/installation/open-node.ts"
import { topicsOf, transcriptOf } from "#lib/storage/stores/testing/fixtures.ts"
import { errorOf } from "#test/fixtures/client-errors.ts"
import { answerBy, loadRoutes } from "#test/fixtures/routes.ts"
import { serve, silent, tempConfig } from "#test/fixtures/web.ts"

/** The real routes with a real database. */
const { config, remove } = tempConfig()
let node: Node
let viz: ReturnType<typeof openVizCompute>
let server: HttpServer
let client: ReturnType<typeof createClient>
let id: string

beforeAll(async () => {
  node = await openNode(config, silent)
  viz = openVizCompute({ workerFile: join(packageRoot(), "dist/viz-worker.js"), log: silent })
  setHttpDeps({ ...node, viz, root: packageRoot(), stopping: new AbortController().signal })
  server = await serve(config, answerBy(await loadRoutes()))
  client = createClient({ baseUrl: server.url })
  id = uuid5(newId())
  const words = transcriptOf(Array.from({ length: 100 }, (_, i) => `w${i}`).join(" "))
  await node.store!.clips.saveTranscript(id, { title: "talk", source_url: null, file_path: "/talk.wav" }, words)
  await node.store!.topics.save(id, topicsOf("talk"))
})
afterAll(async () => {
  await server.close({ deadlineMs: 0 })
  await viz.close()
  await node.close()
  remove()
})

describe("editing a topic over HTTP", () => {
  it("changes the tree, the list, the exports and the search of the map", async () => {
    const { tree, edits } = await client.editTopic(id, "1.2", { title: "Keeping bees", start_s: 71 })
    expect(tree).toEqual((await client.clip(id)).tree)
    expect(edits).toHaveLength(2)
    expect((await client.clips()).clips[0]!.topics.at(-1)).toMatchObject({ title: "Keeping bees", start_s: 71 })
    expect(JSON.parse(await client.exportClip(id, "chapters")).chapters[1]).toEqual({
      startTime: 71,
      endTime: 100,
      title: "Keeping bees",
    })
    expect(await client.exportClip(id, "md")).toContain("## Keeping bees \\[1:11\\]")
    expect(await client.exportClip(id, "youtube")).toContain("Keeping bees")
    expect((await client.search({ q: "keeping bees" })).topics).toMatchObject([{ number: "1.2", start_s: 71 }])
    expect((await client.vizSearch({ q: "keeping bees" }))[0]).toMatchObject({ topic_title: "Keeping bees" })
  })
  it("changes the map and its ETag", async () => {
    const titles = ({ data }: TaggedVizData) => data.points.filter((p) => p.clip_id === id).map((p) => p.topic_title)
    const before = (await client.vizData())!
    expect(titles(before)).toContain("Keeping bees")
    expect(await client.vizData({ etag: before.etag })).toBeNull()
    await client.editTopic(id, "1.2", { title: "Keeping wasps" })
    const after = (await client.vizData({ etag: before.etag }))!
    expect(titles(after)).toContain("Keeping wasps")
    expect(titles(after)).not.toContain("Keeping bees")
  })
  it("can be undone, one edit or all edits of a topic", async () => {
    const { edits } = await client.topics(id)
    const boundaryEdit = edits.find((e) => e.kind === "border")!
    expect((await client.removeTopicEdit(id, boundaryEdit.id)).edits).toHaveLength(1)
    expect(await client.resetTopic(id, "1.2")).toEqual({ clip_id: id, tree: topicsOf("talk").tree, edits: [] })
  })
  it("is rejected with a message that names the mistake", async () => {
    expect(await errorOf(client.editTopic(id, "1.2", { start_s: 10 }))).toEqual([
      422,
      "start_s must be between 20 and 100 seconds, the boundaries next to it",
    ])
    for (const patch of [{ title: " " }, { title: 7 }, { start_s: -1 }, { end_s: "x" }, { title: "x".repeat(121) }, []])
      expect((await errorOf(client.editTopic(id, "1.2", patch as never)))[0]).toBe(422)
    for (const topic of ["2", "1.0", "x", "1.1.1.1", "1.99999999999999999999"])
      expect((await errorOf(client.editTopic(id, topic, { title: "x" })))[0]).toBe(422)
    expect((await errorOf(client.editTopic(id, "x", { title: "x" })))[1]).toContain("like 1, 1.2 or 1.2.3")
    expect(await errorOf(client.editTopic(id, "1.9", { title: "x" }))).toEqual([
      404,
      "unknown topic '1.9': the clip has no topic of this number",
    ])
    for (const call of [
      () => client.topics("nobody"),
      () => client.editTopic("nobody", "1", { title: "x" }),
      () => client.topicRuns("nobody"),
      () => client.rerunTopics("nobody"),
    ])
      expect(await errorOf(call())).toEqual([404, "unknown clip 'nobody'"])
    expect((await errorOf(client.removeTopicEdit(id, "x")))[0]).toBe(404)
    expect((await errorOf(client.topicRun(id, "x")))[0]).toBe(404)
  })
  it("rejects an empty patch", async () =>
    expect(await errorOf(client.editTopic(id, "1.2", {}))).toEqual([422, expect.stringContaining("at least one of")]))
})

describe("topic runs over HTTP", () => {
  it("are compared with each other and with the edited topics", async () => {
    const first = (await client.topicRuns(id)).runs[0]!
    await node.store!.topics.save(id, topicsOf("second"))
    const { runs } = await client.topicRuns(id)
    expect(runs[1]).toEqual(first)
    expect((await client.topicRun(id, runs[0]!.id)).tree).toEqual(topicsOf("second").tree)
    const diff = await client.diffTopics(id, { a: first.id, b: runs[0]!.id })
    expect(diff.topics).toMatchObject({ kept: [60], moved: [], agreement: { pk: 0, f1: 1 } })
    expect(diff.titles[0]).toMatchObject({ title_a: "talk", title_b: "second" })
    await client.editTopic(id, "1.2", { start_s: 70 })
    const shown = await client.diffTopics(id, { a: runs[0]!.id, tolerance_s: 5 })
    expect(shown.topics).toMatchObject({ added: [70], removed: [60], agreement: { f1: 0 } })
  })
  it("a run of another clip and an invalid tolerance are rejected", async () => {
    expect((await errorOf(client.diffTopics(id, { a: "nothing" })))[0]).toBe(404)
    expect((await errorOf(client.diffTopics(id, { a: "shown", tolerance_s: 601 })))[0]).toBe(422)
    expect((await errorOf(client.diffTopics("nobody", { a: "shown" })))[0]).toBe(404)
  })
})
