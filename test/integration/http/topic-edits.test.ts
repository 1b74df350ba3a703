import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createClient, type TaggedVizData } from "#lib/api/client/index.ts"
import { newId, uuid5 } from "#lib/domain/ids.ts"
import { setHttpDeps } from "#lib/http/container.ts"
import type { HttpServer } from "#lib/http/server/http-server.ts"
import { createJobParser } from "#lib/http/uploads/job-parser.ts"
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
  setHttpDeps({
    parseJob: createJobParser(),
    ...node,
    viz,
    root: packageRoot(),
    stopping: new AbortController().signal,
  })
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

describe("notes over HTTP", () => {
  it("highlight words, change by ETag, are listed, searched and exported, and rejected with a reason", async () => {
    const note = await client.createNote({ clip_id: id, start_s: 3, end_s: 5, color: "pink", text: "Check *this*" })
    expect(note).toMatchObject({ quote: "w3 w4", color: "pink", clip_title: "talk" })
    const read = await fetch(`${server.url}/notes/${note.id}`)
    expect([read.status, read.headers.get("etag")]).toEqual([200, note.etag])
    const again = await fetch(`${server.url}/notes/${note.id}`, { headers: { "if-none-match": note.etag } })
    expect(again.status).toBe(304)
    const changed = await client.editNote(note.id, { text: "Checked" }, { ifMatch: note.etag })
    expect(await errorOf(client.editNote(note.id, { text: "Late" }, { ifMatch: note.etag }))).toMatchObject([
      412,
      expect.stringMatching(/^The note changed/),
    ])
    await client.createNote({ text: "An answer", sources: [{ title: "talk", clip_id: id, start_s: 3, text: "w3" }] })
    expect((await client.notes({ clip_id: id })).notes).toEqual([changed])
    expect((await client.search({ q: "checked" })).notes).toMatchObject([{ id: note.id, start_s: 3 }])
    const exported = await fetch(client.exportNotesUrl({ clip_id: id }))
    expect(exported.headers.get("content-disposition")).toContain("notes.md")
    expect(await exported.text()).toBe("# Highlights and notes\n\n## talk\n\n> w3 w4\n>\n> — 0:03\n\nChecked\n")
    const json = await (await fetch(client.exportNotesUrl({ format: "json" }))).json()
    expect(json.notes).toHaveLength(2)
    for (const [request, detail] of [
      [{ text: " " }, "text: must not be empty without start_s and end_s"],
      [{ start_s: 3, end_s: 5 }, "clip_id: is needed with start_s"],
      [{ clip_id: id, start_s: 5, end_s: 5 }, "end_s: must be after start_s"],
      [{ clip_id: id, start_s: 5 }, "end_s: is needed with start_s"],
    ] as const)
      expect(await errorOf(client.createNote(request))).toEqual([422, expect.stringContaining(detail)])
    expect(await errorOf(client.createNote({ clip_id: "nobody", text: "x" }))).toEqual([404, "unknown clip 'nobody'"])
    await client.deleteNote(note.id, { ifMatch: changed.etag })
    expect(await errorOf(client.note(note.id))).toEqual([404, `unknown note '${note.id}'`])
  })
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
    const { total_clips, regions } = before.data
    const part = await client.vizData({ fields: ["total_clips", "regions"] })
    expect(part).toEqual({ data: { total_clips, regions }, etag: before.etag })
    await client.editTopic(id, "1.2", { title: "Keeping wasps" })
    const after = (await client.vizData({ etag: before.etag }))!
    expect(titles(after)).toContain("Keeping wasps")
    expect(titles(after)).not.toContain("Keeping bees")
  })
  it("can be undone, one edit or all edits of a topic", async () => {
    const { edits } = await client.topics(id)
    const boundaryEdit = edits.find((e) => e.kind === "border")!
    expect((await client.removeTopicEdit(id, boundaryEdit.id)).edits).toHaveLength(1)
    const { etag: _, ...topics } = await client.resetTopic(id, "1.2")
    expect(topics).toEqual({
      clip_id: id,
      tree: topicsOf("talk").tree,
      edits: [],
      can_undo: true,
      can_redo: false,
    })
  })
  it("adds, merges, moves and deletes topics everywhere, and undoes and redoes it", async () => {
    const { etag } = await client.topics(id)
    const added = await client.changeTopics(id, { action: "add", at_s: 71, title: "Swarming" }, { ifMatch: etag! })
    const other = client.changeTopics(id, { action: "delete", topic: "1.2" }, { ifMatch: etag! })
    expect((await errorOf(other))[0]).toBe(412)
    const titles = async () => (await client.clip(id)).topics.map(({ title }) => title)
    expect(await titles()).toContain("Swarming")
    expect((await client.search({ q: "swarming" })).topics).toMatchObject([{ number: "1.3", start_s: 71 }])
    expect((await client.vizSearch({ q: "swarming" }))[0]).toMatchObject({ topic_title: "Swarming" })
    expect((await client.vizData())!.data.points.map((p) => p.topic_title)).toContain("Swarming")
    expect(await client.exportClip(id, "md")).toContain("## Swarming \\[1:11\\]")
    await client.changeTopics(id, { action: "move", topic: "1.3", parent: "1.2" })
    expect(await client.changeTopics(id, { action: "split", topic: "1.2.2", at_s: 80 })).toMatchObject({
      can_undo: true,
    })
    await client.changeTopics(id, { action: "delete", topic: "1.2.3" })
    await client.changeTopics(id, { action: "merge", topic: "1.2", with: "previous" })
    for (let i = 0; i < 4; i++) await client.undoTopicEdit(id)
    expect((await client.topics(id)).tree).toEqual(added.tree)
    expect(await client.undoTopicEdit(id)).toMatchObject({ tree: topicsOf("talk").tree, can_redo: true })
    expect(await client.redoTopicEdit(id)).toMatchObject({ tree: added.tree })
    await client.undoTopicEdit(id)
  })
  it("is rejected if a topic cannot be changed so", async () => {
    const change = (body: unknown) => errorOf(client.changeTopics(id, body as never))
    for (const body of [
      { action: "add" },
      { action: "add", at_s: -1 },
      { action: "x" },
      { action: "delete", topic: "x" },
      {},
    ])
      expect((await change(body))[0]).toBe(422)
    expect(await change({ action: "add", at_s: 60 })).toEqual([422, "at_s: a topic already begins at 1:00"])
    expect((await change({ action: "delete", topic: "1.9" }))[0]).toBe(404)
    expect(await errorOf(client.changeTopics("nobody", { action: "delete", topic: "1.1" }))).toEqual([
      404,
      "unknown clip 'nobody'",
    ])
    expect((await errorOf(client.undoTopicEdit("nobody")))[0]).toBe(404)
    await client.editTopic(id, "1", { title: "x" })
    expect(await errorOf(client.redoTopicEdit(id))).toEqual([
      409,
      `there is no change of the topics of clip '${id}' to redo`,
    ])
    await client.undoTopicEdit(id)
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

describe("versions over HTTP", () => {
  const get = (path: string, ifNoneMatch?: string) =>
    fetch(`${server.url}${path}`, { headers: ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch } })

  it.each(["", "/topics", "/edits"])("lets clients ask whether /clips/{id}%s has changed", async (path) => {
    const first = await get(`/clips/${id}${path}`)
    const etag = first.headers.get("etag")!
    expect([first.status, first.headers.get("cache-control")]).toEqual([200, "private, no-cache"])
    const again = await get(`/clips/${id}${path}`, etag)
    expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""])
    await client.editClip(id, { title: newId() })
    await client.editTopic(id, "1", { title: newId() })
    await client.editWords(id, [{ kind: "text", start_s: 0, end_s: 1, words: ["uno"] }])
    expect((await get(`/clips/${id}${path}`, etag)).status).toBe(200)
  })
  it("rejects changes to an old version with what has changed and the current ETag", async () => {
    const { etag: old } = await client.clip(id)
    const { etag } = await client.editClip(id, { title: "First" }, { ifMatch: old! })
    const headers = { "content-type": "application/json", "if-match": old! }
    const body = JSON.stringify({ title: "Second" })
    const rejected = await fetch(`${server.url}/clips/${id}`, { method: "PATCH", headers, body })
    expect([rejected.status, rejected.headers.get("etag")]).toEqual([412, etag])
    expect(await rejected.json()).toMatchObject({
      detail: expect.stringMatching(/^The title changed since the version in If-Match; the last change was at 20/),
      code: "precondition_failed",
      changed: ["title"],
      etag,
    })
    await client.editTopic(id, "1", { title: "Topic" }, { ifMatch: old! })
    for (const change of [
      () => client.editTopic(id, "1", { title: "Other" }, { ifMatch: old! }),
      () => client.resetTopic(id, "1", { ifMatch: old! }),
      async () => client.removeTopicEdit(id, (await client.topics(id)).edits[0]!.id, { ifMatch: '"x"' }),
      () => client.editWords(id, [{ kind: "text", start_s: 0, end_s: 1, words: ["uno"] }], { ifMatch: '"x"' }),
      async () => client.dropWordEdit(id, (await client.wordEdits(id)).edits[0]!.id, { ifMatch: '"x"' }),
      () => client.deleteClip(id, { ifMatch: old! }),
    ])
      expect((await errorOf(change()))[0]).toBe(412)
    expect(await client.clip(id)).toMatchObject({ title: "First", tree: { topics: [{ title: "Topic" }] } })
  })
  it("deletes the current version", async () => {
    await client.deleteClip(id, { ifMatch: (await client.clip(id)).etag! })
    expect((await errorOf(client.deleteClip(id, { ifMatch: "*" })))[0]).toBe(404)
  })
})
