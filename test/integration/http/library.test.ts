import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createClient } from "#lib/api/client/index.ts"
import { makePdf } from "#lib/documents/testing/make-pdf.ts"
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
import { raw, serve, silent, tempConfig } from "#test/fixtures/web.ts"

/** The routes that the pages use, with a real database. */
const { config, dir, remove } = tempConfig()
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

const put = async (title: string, file_path: string | null, text = "we saw the comit together"): Promise<string> => {
  const id = uuid5(newId())
  await node.store!.clips.saveTranscript(id, { title, source_url: null, file_path }, transcriptOf(text))
  await node.store!.topics.save(id, topicsOf(title))
  return id
}

describe("the waveform of a recording", () => {
  const sample = join(packageRoot(), "public/samples/three-subjects.flac")

  it("matches the length and loudness of the recording, and is stored until the file changes", async () => {
    const path = join(dir, "talk.flac")
    writeFileSync(path, readFileSync(sample))
    const id = await put("loud", path)
    const wave = await client.waveform(id)
    expect(wave.duration_s).toBeCloseTo(159.97, 0)
    expect([wave.peaks.length, Math.max(...wave.peaks)]).toEqual([2000, 255])
    expect(Math.min(...wave.peaks)).toBeLessThan(40)
    expect(await client.waveform(id)).toEqual(wave)
    const { size, mtimeMs } = statSync(path)
    expect(await node.store!.clips.getWaveform(id, `${size}-${Math.round(mtimeMs)}`)).toEqual(wave)
    writeFileSync(path, readFileSync(sample).subarray(0, 200_000))
    expect((await errorOf(client.waveform(id)))[0]).toBe(415)
  })
  it("is missing when there is no recording", async () => {
    const id = await put("silent", null)
    expect(await errorOf(client.waveform(id))).toEqual([
      404,
      `clip '${id}' has no recording: only its transcript is stored`,
    ])
    expect(await errorOf(client.waveform("nobody"))).toEqual([404, "unknown clip 'nobody'"])
  })
})

describe("word edits over HTTP", () => {
  it("change the transcript, the exports and the search, and can be undone", async () => {
    const id = await put("sky", null)
    const { edits } = await client.editWords(id, [{ kind: "text", start_s: 3, end_s: 3.5, words: ["comet"] }])
    expect((await client.clip(id)).transcription[3]?.word).toBe("comet")
    expect(await client.exportClip(id, "txt")).toContain("we saw the comet together")
    const { words } = await client.search({ q: "comet together" })
    expect(words).toMatchObject([{ clip_id: id, start_s: 3 }])
    expect(await client.wordEdits(id)).toEqual({ edits })
    await client.dropWordEdit(id, edits[0]!.id)
    expect((await client.clip(id)).transcription[3]?.word).toBe("comit")
  })
  it("are rejected with an error message", async () => {
    const id = await put("bad", null)
    expect(await errorOf(client.wordEdits("nobody"))).toEqual([404, "unknown clip 'nobody'"])
    expect(await errorOf(client.dropWordEdit(id, 7))).toEqual([404, `clip '${id}' has no correction 7`])
    for (const edit of [
      { kind: "text", start_s: 2, end_s: 1, words: ["x"] },
      { kind: "text", start_s: 0, end_s: 1, words: ["  "] },
      { kind: "speaker", start_s: 0, end_s: 1 },
      { kind: "other" },
    ])
      expect((await errorOf(client.editWords(id, [edit as never])))[0]).toBe(422)
    const outside = { kind: "text" as const, start_s: 5000, end_s: 6000, words: ["x"] }
    expect(await errorOf(client.editWords(id, [outside]))).toEqual([
      422,
      expect.stringMatching(/^edits\[0\]\.start_s: must be within the recording, which ends at [\d.]+ seconds/),
    ])
    const unknownSpeaker = expect.stringContaining("the recording has no speaker '77'. Its only speaker is '0'.")
    expect(await errorOf(client.editWords(id, [{ kind: "merge", from: "77", into: "0" }]))).toEqual([
      422,
      unknownSpeaker,
    ])
    expect(await errorOf(client.editClip(id, { speakers: { "77": "Ada" } }))).toEqual([422, unknownSpeaker])
    expect((await client.wordEdits(id)).edits).toEqual([])
    for (const number of ["x", "-1", "1.5"])
      expect((await raw(server.url, `/clips/${id}/edits/${number}`, { method: "DELETE" })).status).toBe(422)
  })
  it("the search rejects invalid queries", async () => {
    for (const query of ["", "?q=", "?q=a&limit=0", `?q=${"a".repeat(201)}`])
      expect((await raw(server.url, `/search${query}`)).status).toBe(422)
  })
})

describe("people over HTTP", () => {
  it("are made by names, listed, renamed, merged, split and deleted", async () => {
    const [first, second] = [await put("Bees", null, "the waggle dance"), await put("Comets", null, "a long tail")]
    const { speakers } = await client.editClipSpeaker(first, "0", { name: "  Ada " })
    expect(speakers).toMatchObject([{ speaker: "0", name: "Ada", person: { name: "Ada", state: "confirmed" } }])
    expect((await client.clip(first)).speakers).toEqual({ "0": "Ada" })
    await client.editClip(second, { speakers: { "0": "Eve" } })
    const [ada, eve] = (await client.people({ sort: "name" })).people
    expect([ada, eve]).toMatchObject([
      { name: "Ada", clips: 1 },
      { name: "Eve", clips: 1 },
    ])
    expect(await client.renamePerson(ada!.id, { name: "Ada L." })).toMatchObject({ name: "Ada L." })
    expect(await errorOf(client.renamePerson(ada!.id, { name: "EVE" }))).toEqual([
      409,
      "There is a person with the name 'Eve' already. Merge the two people, or choose another name.",
    ])
    expect(await client.mergePeople(ada!.id, { from: [eve!.id] })).toMatchObject({ clips: 2 })
    expect((await client.clip(second)).speakers).toEqual({ "0": "Ada L." })
    expect((await client.personClips(ada!.id)).clips.map(({ clip_title }) => clip_title)).toEqual(["Comets", "Bees"])
    expect((await client.personWords(ada!.id, { q: "waggle" })).words).toMatchObject([{ clip_id: first }])
    expect(await client.suggestedSpeakers(ada!.id)).toEqual({ speakers: [] })
    const split = await client.splitPerson(ada!.id, { name: "Eve", speakers: [{ clip_id: second, speaker: "0" }] })
    expect(await client.person(split.id)).toMatchObject({ name: "Eve", clips: 1 })

    const { etag } = await client.clip(first)
    await client.editClipSpeaker(first, "0", { person_id: null }, { ifMatch: etag! })
    const late = client.editClipSpeaker(first, "0", { name: "Bob" }, { ifMatch: etag! })
    expect((await errorOf(late))[0]).toBe(412)
    expect((await client.clip(first)).speakers).toEqual({})
    expect((await errorOf(client.person(ada!.id)))[1]).toBe(`unknown person '${ada!.id}'`)
    await client.deletePerson(split.id)
    expect((await client.clip(second)).speakers).toEqual({})
    expect((await client.people()).people).toEqual([])
  })
  it.each([
    [{}, "at least one of name, person_id, rejected_person_id"],
    [{ name: "Ada", person_id: "x" }, "only one of name, person_id, rejected_person_id"],
    [{ name: " " }, "name"],
    [{ name: "x".repeat(201) }, "name"],
  ])("rejects the change %j of a speaker", async (patch, named) => {
    const id = await put("Bees", null)
    expect(await errorOf(client.editClipSpeaker(id, "0", patch))).toEqual([422, expect.stringContaining(named)])
  })
})

describe("a question about a recording", () => {
  it("is answered with the second of the cited sentence, as JSON and as a stream", async () => {
    const text = "We spoke of the harbour for a while. The barometer fell to nine hundred. Then we went home."
    const id = await put("weather", null, text)
    const request = { question: "How far did the barometer fall?", scope: "clips" } as const
    const { answer, sources, citations } = await client.query(request)
    expect(answer).toMatch(/^The barometer fell to nine hundred\. \[1\]/)
    expect(sources[0]?.chunk.metadata).toMatchObject({ source: id, start_s: 0 })
    expect(citations[0]).toEqual({ source: 1, start_s: 8 })
    for await (const { event, data } of client.queryStream(request))
      if (event === "done") expect(data.citations).toEqual(citations)
  })
  it("is answered with the words between two pauses when the transcript has no punctuation", async () => {
    const lines = [
      "we spoke of the harbour and its boats for quite a while that evening",
      "then the anchor chain broke at the seventh link under the strain",
      "and after that we all went home along the wall in the rain",
    ]
    // Three words per second, and a second of silence after each line.
    const words = lines.flatMap((line, n) =>
      line.split(" ").map((word, i) => ({ word, start: n * 20 + i / 3, end: n * 20 + (i + 1) / 3, speaker: "0" })),
    )
    const id = uuid5(newId())
    const clip = { title: "storm", source_url: null, file_path: null }
    await node.store!.clips.saveTranscript(id, clip, { ...transcriptOf(""), words, duration_s: 60 })
    const { answer, sources, citations } = await client.query({
      question: "Which link of the anchor chain broke?",
      scope: "clips",
    })
    const source = sources.findIndex(({ chunk }) => chunk.metadata.source === id) + 1
    expect(answer).toContain(`The anchor chain broke at the seventh link under the strain. [${source}]`)
    expect(answer).not.toMatch(/quite a while|along the wall/)
    expect(citations).toContainEqual({ source, start_s: 20 })
  })
})

describe("documents over HTTP", () => {
  const send = (text: string, name: string) => client.addDocument(new Blob([text]), { filename: name })

  it("are uploaded, listed, read, queried and removed with their file", async () => {
    const entry = await send("# Hives\n\nThe white box stands by the old pear tree.", "notes on hives.md")
    expect(entry).toMatchObject({ name: "notes on hives.md", state: "kept", uploaded: true, chunks: 1 })
    expect(existsSync(entry.source)).toBe(true)
    expect((await client.documents()).documents).toEqual([entry])
    const { parts } = await client.document(entry.id)
    expect(parts[0]).toMatchObject({ doc_id: entry.id, text: expect.stringContaining("old pear tree") })
    const { sources } = await client.query({ question: "Where does the white box stand?" })
    expect(sources[0]?.chunk.id).toBe(parts[0]?.id)
    await client.removeDocument(entry.id)
    expect([existsSync(entry.source), (await client.documents()).documents]).toEqual([false, []])
    expect(await errorOf(client.document(entry.id))).toEqual([404, `unknown document '${entry.id}'`])
    expect(await errorOf(client.removeDocument(entry.id))).toEqual([404, `unknown document '${entry.id}'`])
  })
  it("a PDF is served for display in the browser, any other file as a download only", async () => {
    const page = await send("<script>alert(1)</script><p>Somebody's page.", "page.html")
    const saved = await raw(server.url, new URL(client.documentFileUrl(page.id), server.url).pathname)
    expect([saved.status, saved.text]).toEqual([200, "<script>alert(1)</script><p>Somebody's page."])
    expect(saved.headers).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": expect.stringMatching(/^attachment; filename="page\.html"/),
    })
    const path = join(dir, "paper.pdf")
    writeFileSync(path, makePdf("The first page.", "The tide turns at noon."))
    await client.ingest({ paths: [path] })
    const paper = (await client.documents()).documents.find((d) => d.name === "paper.pdf")
    const { parts } = await client.document(paper!.id)
    expect(parts.map((p) => p.metadata.page)).toEqual([1, 2])
    const shown = await raw(server.url, `/documents/${encodeURIComponent(paper!.id)}/file`)
    expect(shown.headers).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": expect.stringMatching(/^inline; filename="paper\.pdf"/),
    })
    rmSync(path)
    expect((await raw(server.url, `/documents/${encodeURIComponent(paper!.id)}/file`)).status).toBe(404)
    expect((await raw(server.url, "/documents/nobody/file")).status).toBe(404)
    for (const { id } of [page, paper!]) await client.removeDocument(id)
  })
  it("files in the owner's folders are not moved, and the result of ingesting each is reported", async () => {
    mkdirSync(join(dir, "notes"), { recursive: true })
    const path = join(dir, "notes/tides.txt")
    writeFileSync(path, "The tide turns at noon.")
    await client.ingest({ paths: [path] })
    const [document] = (await client.documents()).documents
    expect(document).toMatchObject({ source: path, state: "kept", uploaded: false })
    utimesSync(path, new Date(), new Date(Date.now() + 60_000))
    expect((await client.documents()).documents[0]?.state).toBe("changed")
    await client.removeDocument(document!.id)
    expect(existsSync(path)).toBe(true)
  })
  it("an unreadable upload leaves nothing behind, and its error uses the original file name", async () => {
    const [status, detail] = await errorOf(send("no pdf at all", "paper.pdf"))
    expect([status, detail.startsWith("Couldn't read paper.pdf:")]).toEqual([415, true])
    expect((await errorOf(send("x", "program.exe")))[0]).toBe(415)
    expect((await errorOf(send("", "empty.txt")))[0]).toBe(422)
    for (const name of ["../../escape.md", "..", "a/b.md"]) {
      const entry = await send(`The name was ${name}.`, name).catch(() => null)
      if (entry) expect(entry.source.startsWith(join(join(config.data.dir, "uploads"), "documents"))).toBe(true)
      if (entry) await client.removeDocument(entry.id)
    }
    expect((await client.documents()).documents).toEqual([])
    const asJson = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }
    expect((await raw(server.url, "/documents", asJson)).status).toBe(415)
  })
})

it("returns its configuration", async () => {
  const installation = await client.installation()
  expect(installation.choices.provider).toMatchObject({ value: "builtin", reason: "set by SERVICE_PROVIDER" })
  expect(installation.queues.map((q) => q.stage)).toContain("whisper")
  expect(installation.workers).toEqual([])
})
