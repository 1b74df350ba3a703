import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Entry, fromBuffer, type ZipFile } from "yauzl"
import { createClient } from "#lib/api/client/index.ts"
import { newId, uuid5 } from "#lib/domain/ids.ts"
import { setHttpDeps } from "#lib/http/container.ts"
import type { HttpServer } from "#lib/http/server/http-server.ts"
import { createJobParser } from "#lib/http/uploads/job-parser.ts"
import { openVizCompute } from "#lib/map/worker/compute-thread.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { type Node, openNode } from "#lib/services/installation/open-node.ts"
import { newJob, topicsOf, transcriptOf } from "#lib/storage/stores/testing/fixtures.ts"
import { errorOf } from "#test/fixtures/client-errors.ts"
import { answerBy, loadRoutes } from "#test/fixtures/routes.ts"
import { raw, serve, silent, tempConfig } from "#test/fixtures/web.ts"

/** The real routes with a real database, to which tests add clips as workers do. */
const { config, dir, remove } = tempConfig()
const sound = readFileSync(join(packageRoot(), "public/samples/three-subjects.flac"))
let node: Node
let server: HttpServer
let client: ReturnType<typeof createClient>

beforeAll(async () => {
  node = await openNode(config, silent)
  const viz = openVizCompute({ workerFile: join(dir, "absent.js"), log: silent })
  setHttpDeps({ parseJob: createJobParser(), ...node, viz, root: dir, stopping: new AbortController().signal })
  server = await serve(config, answerBy(await loadRoutes()))
  client = createClient({ baseUrl: server.url })
})
afterAll(async () => {
  await server.close({ deadlineMs: 0 })
  await node.close()
  remove()
})

const put = async (title: string, file_path: string | null): Promise<string> => {
  const id = uuid5(newId())
  await node.store!.clips.saveTranscript(
    id,
    { title, source_url: null, file_path },
    transcriptOf("Hello there friends."),
  )
  await node.store!.topics.save(id, topicsOf(title))
  return id
}
const recording = (name: string): string => {
  const path = join(dir, name)
  writeFileSync(path, sound)
  return path
}

const readZip = async (bytes: Buffer): Promise<Map<string, string>> => {
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true }, (error, file) => (error ? reject(error) : resolve(file))),
  )
  const files = new Map<string, string>()
  await new Promise<void>((resolve, reject) => {
    zip.on("end", resolve).on("error", reject)
    zip.on("entry", (entry: Entry) =>
      zip.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error)
        files.set(entry.fileName, await text(stream))
        zip.readEntry()
      }),
    )
    zip.readEntry()
  })
  return files
}

describe("saved views", () => {
  it("are created, listed, changed and deleted", async () => {
    const { id, ...view } = await client.createSavedView({ name: " Interviews ", query: "?tag=interviews" })
    expect(view).toMatchObject({ name: "Interviews", query: "tag=interviews" })
    expect(await errorOf(client.createSavedView({ name: "INTERVIEWS" }))).toEqual([
      409,
      "There is a view with the name 'INTERVIEWS' already. Choose another name.",
    ])
    expect(await client.updateSavedView(id, { query: "sort=title" })).toMatchObject({ query: "sort=title" })
    expect((await client.savedViews()).views.map(({ name }) => name)).toEqual(["Interviews"])
    await client.deleteSavedView(id)
    expect(await errorOf(client.deleteSavedView(id))).toEqual([404, `unknown view '${id}'`])
    expect((await client.savedViews()).views).toEqual([])
  })
})

describe("the parameter fields", () => {
  it("leaves the version of a clip as it is", async () => {
    const id = await put("selected", null)
    const { etag } = await client.clip(id)
    const title = await raw(server.url, `/clips/${id}?fields=title`)
    expect([title.json, title.headers.etag]).toEqual([{ title: "selected" }, etag])
    const headers = { "if-none-match": etag! }
    expect((await raw(server.url, `/clips/${id}?fields=title`, { headers })).status).toBe(304)
    expect((await client.editClip(id, { title: "Other" }, { ifMatch: title.headers.etag! })).title).toBe("Other")
    const changed = await raw(server.url, `/clips/${id}?fields=title`, { headers })
    expect([changed.status, changed.json]).toEqual([200, { title: "Other" }])
  })
  it("selects fields of lists and topics", async () => {
    const id = await put("selected", null)
    const { clips } = await client.clips({ limit: 1 }, { fields: ["id", "title"] })
    expect(clips).toEqual([{ id, title: "selected" }])
    expect(await client.topics(id, { fields: ["clip_id"] })).toEqual({ clip_id: id })
  })
})

describe("a clip", () => {
  it("is listed, renamed, and gets speaker names", async () => {
    const id = await put("talk", null)
    expect((await client.clips({ limit: 1 })).clips[0]).toMatchObject({ id, title: "talk" })
    expect(await client.editClip(id, { title: "Mine", speakers: { "0": "Ada" } })).toMatchObject({ title: "Mine" })
    expect(await client.exportClip(id, "srt")).toContain("Ada: Hello there friends.")
  })
  it("is tagged, marked as a favorite, found by both, and counted", async () => {
    const [first, second] = [await put("tagged one", null), await put("tagged two", null)]
    const patched = await client.editClip(first, { tags: ["Bees", "bees", " honey "], favorite: true })
    expect([patched.tags, patched.favorite]).toEqual([["Bees", "honey"], true])
    expect(await client.labelClips({ ids: [first, second, "nobody"], add_tags: ["BEES"] })).toEqual({
      updated: [second],
      unchanged: [first],
      failed: [{ id: "nobody", detail: "unknown clip 'nobody'" }],
    })
    const found = await client.clips({ tag: "bees", sort: "created_at" })
    expect([found.clips.map(({ id }) => id), found.total]).toEqual([[first, second], 2])
    expect((await client.clips({ favorite: "true" })).clips.map(({ id }) => id)).toEqual([first])
    expect((await client.tags()).tags).toEqual([
      { name: "Bees", clips: 2 },
      { name: "honey", clips: 1 },
    ])
    expect(await client.facets()).toMatchObject({ favorites: 1, languages: [{ name: "en" }] })
    for (const body of [{ ids: [first] }, { ids: [], favorite: true }, { ids: [first], add_tags: ["a,b"] }])
      expect((await errorOf(client.labelClips(body)))[0]).toBe(422)
  })
  it("shows its topics and the first sentence of its summary in a list", async () => {
    await put("listed", null)
    const [listed] = (await client.clips({ limit: 1 }, { fields: ["gist", "strip"] })).clips
    expect(listed).toEqual({
      gist: "About listed.",
      strip: [
        { start_s: 0, duration_s: 60, title: "listed one", region: null },
        { start_s: 60, duration_s: 40, title: "listed two", region: null },
      ],
    })
  })
  it("is exported with others as one zip file", async () => {
    const ids = [await put("same title", null), await put("Same title", null)]
    const response = await fetch(client.exportClipsUrl({ format: "txt", ids: [...ids, "nobody"] }))
    expect(response.headers.get("content-type")).toBe("application/zip")
    const files = await readZip(Buffer.from(await response.arrayBuffer()))
    expect([...files.keys()].toSorted()).toEqual(["Same title.txt", "same title (2).txt"])
    for (const text of files.values()) expect(text).toContain("Hello there friends.")
    const none = await raw(server.url, "/clips/export?format=txt&tag=nothing%20has%20this")
    expect([none.status, none.json?.detail]).toEqual([
      404,
      "No clip matches these filters, so there is nothing to export.",
    ])
  })
  it("has regions once it is on the map", async () => {
    const id = await put("mapped", null)
    expect(await client.clipRegions(id)).toEqual({ topics: {}, regions: [] })
    expect(await errorOf(client.clipRegions("nobody"))).toEqual([404, "unknown clip 'nobody'"])
  })
  for (const [what, patch] of [
    ["an empty title", { title: "  " }],
    ["a speaker name that is a number", { speakers: { "0": 7 } }],
    ["an array", []],
  ] as const)
    it(`rejects a patch with ${what}`, async () =>
      expect((await errorOf(client.editClip("x", patch as never)))[0]).toBe(422))
  it("answers 404 with the documented message for an unknown ID", async () => {
    for (const call of [
      () => client.deleteClip("nobody"),
      () => client.editClip("nobody", { title: "x" }),
      () => client.exportClip("nobody", "vtt"),
    ])
      expect(await errorOf(call())).toEqual([404, "unknown clip 'nobody'"])
    expect((await raw(server.url, "/clips/nobody/audio")).json?.detail).toBe("unknown clip 'nobody'")
  })
  it("is exported as a download that no browser displays", async () => {
    const id = await put('A "talk"\r\nX: y', null)
    const { status, headers } = await raw(server.url, `/clips/${id}/export?format=md`)
    expect([
      status,
      headers["content-type"],
      headers["content-disposition"],
      headers["x-content-type-options"],
    ]).toEqual([
      200,
      "text/markdown; charset=utf-8",
      `attachment; filename="A -talk- X- y.md"; filename*=UTF-8''A%20-talk-%20X-%20y.md`,
      "nosniff",
    ])
    expect((await raw(server.url, `/clips/${id}/export`)).status).toBe(422)
  })
  it("cannot be deleted while its job runs, and is deleted with its upload only", async () => {
    const ownFile = recording("owned.flac")
    const uploads = join(config.data.dir, "uploads")
    mkdirSync(uploads, { recursive: true })
    const upload = join(uploads, "ab.flac")
    writeFileSync(upload, sound)
    const id = uuid5(newId())
    const sources = [
      { kind: "upload", path: upload, name: "a.flac" } as const,
      { kind: "file", path: ownFile } as const,
    ]
    for (const source of sources) {
      const job = newJob({ sessionId: id, source })
      await node.store!.jobs.submit(job)
      await node.store!.clips.saveTranscript(id, { title: "t", source_url: null, file_path: upload }, transcriptOf("a"))
      const [status, detail] = await errorOf(client.deleteClip(id))
      expect([status, detail]).toEqual([409, expect.stringContaining(`job '${job.jobId}' is queued`)])
      await client.cancel(job.jobId)
    }
    await client.deleteClip(id)
    expect([existsSync(upload), existsSync(ownFile)]).toEqual([false, true])
    expect((await client.jobs()).jobs.filter((j) => j.session_id === id)).toEqual([])
  })
})

describe("the audio of a clip", () => {
  const get = (id: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(`${server.url}/clips/${id}/audio`, { method, headers })
  const sha = (bytes: ArrayBuffer | Buffer) =>
    createHash("sha256")
      .update(Buffer.from(bytes as Buffer))
      .digest("hex")
  let id: string
  beforeAll(async () => {
    id = await put("sound", recording("sound.txt"))
  })

  it("is served complete, with the type of its content and not of its name", async () => {
    const answer = await get(id)
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("accept-ranges")]).toEqual([
      200,
      "audio/flac",
      "bytes",
    ])
    expect(answer.headers.get("content-length")).toBe(String(sound.length))
    expect(sha(await answer.arrayBuffer())).toBe(sha(sound))
    const head = await get(id, {}, "HEAD")
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      String(sound.length),
      "",
    ])
  })
  for (const [range, from, to] of [
    ["bytes=0-99", 0, 100],
    ["bytes=100-", 100, undefined],
    ["bytes=-50", -50, undefined],
    ["bytes=10-99999999999", 10, undefined],
  ] as const)
    it(`is served in part for ${range}`, async () => {
      const answer = await get(id, { range })
      const part = sound.subarray(from, to)
      const start = from < 0 ? sound.length + from : from
      expect([answer.status, answer.headers.get("content-range")]).toEqual([
        206,
        `bytes ${start}-${start + part.length - 1}/${sound.length}`,
      ])
      expect(sha(await answer.arrayBuffer())).toBe(sha(part))
    })
  for (const range of ["bytes=99999999999-", "bytes=-0"])
    it(`answers 416 with its size to ${range}`, async () => {
      const answer = await get(id, { range })
      expect([answer.status, answer.headers.get("content-range")]).toEqual([416, `bytes */${sound.length}`])
      expect((await answer.json()).detail).toEqual(expect.stringContaining(`${sound.length} bytes`))
    })
  for (const range of ["bytes=5-2", "lines=1-2", "bytes=0-1,3-4", `bytes=${"0-1,".repeat(500)}0-1`, "bytes=a-b"])
    it(`is served complete for the invalid range ${range.slice(0, 20)}`, async () => {
      const answer = await get(id, { range })
      expect(answer.status).toBe(200)
      await answer.body?.cancel()
    })
  it("is not sent again if unchanged, and a range only if the version matches", async () => {
    const first = await get(id, {}, "HEAD")
    const etag = first.headers.get("etag")!
    expect((await get(id, { "if-none-match": etag })).status).toBe(304)
    expect((await get(id, { "if-range": etag, range: "bytes=0-1" })).status).toBe(206)
    expect((await get(id, { "if-range": '"old"', range: "bytes=0-1" })).status).toBe(200)
  })
  it("answers 404 when there is no audio or the file was removed", async () => {
    expect((await get(await put("none", null))).status).toBe(404)
    const removed = await put("removed", recording("removed.flac"))
    rmSync(join(dir, "removed.flac"))
    expect((await get(removed)).status).toBe(404)
  })
  it("answers 403 when the path leaves the allowed folders, and 415 when the file is not audio", async () => {
    const path = recording("moved.flac")
    const moved = await put("moved", path)
    renameSync(path, `${path}.old`)
    symlinkSync("/etc/passwd", path)
    expect((await get(moved)).status).toBe(403)
    expect((await get(await put("outside", "/etc/passwd"))).status).toBe(403)
    writeFileSync(join(dir, "page.flac"), "<script>alert(1)</script>")
    expect((await get(await put("page", join(dir, "page.flac")))).status).toBe(415)
  })
  it("closes the file when the client disconnects", async () => {
    const countOpen = () => listOpenFiles().filter((to) => to.startsWith(dir) && /\.(flac|txt)$/.test(to)).length
    const before = countOpen()
    for (let i = 0; i < 5; i++) {
      const abort = new AbortController()
      const answer = await fetch(`${server.url}/clips/${id}/audio`, { signal: abort.signal })
      const reader = answer.body!.getReader()
      await reader.read()
      abort.abort()
      await reader.closed.catch(() => undefined)
    }
    await expect.poll(countOpen).toBe(before)
  })
})

/** Returns the paths of the open files of this process. */
const listOpenFiles = (): string[] =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)]
    } catch {
      return []
    }
  })
