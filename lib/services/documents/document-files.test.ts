import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Embedder } from "../../engines/language/types.ts"
import type { IncomingBlob } from "../../storage/blobs/types.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { addDocument, checkDocumentHead } from "./add-document.ts"
import { getDocument, listDocuments, readBlob, readDocumentFile, removeDocument } from "./documents.ts"
import { ingest } from "./ingest.ts"

const { signal } = new AbortController()

let node: TestNode
let folder: string
beforeAll(async () => {
  node = await openTestNode()
  folder = node.at("own")
  mkdirSync(folder)
})
afterAll(() => node.end())

const receive = (text: string): Promise<IncomingBlob> =>
  node.blobs.receive(Readable.from([Buffer.from(text)]), { maxBytes: 1000 })
const add = async (name: string, text: string) => addDocument(node, { incoming: await receive(text), name }, signal)
/** Writes a file in the folder of the user and ingests it. Returns its path and ID. */
const ingestFile = async (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text)
  await ingest(node, { paths: [path], prune: false }, { signal })
  const { documents } = await listDocuments(node)
  return { path, id: documents.find(({ source }) => source === path)!.id }
}
const stateOf = async (id: string) => (await getDocument(node, { id })).state

describe("an uploaded document", () => {
  it("is described, listed with its text, read and removed with its file", async () => {
    const before = Date.now()
    const entry = await add("tides.md", "# Tides\n\nThe tide rises.")
    expect(entry).toMatchObject({ title: "Tides", chunks: 1, state: "kept", uploaded: true })
    expect(Date.parse(entry.ingested_at)).toBeGreaterThanOrEqual(before)
    expect(entry.name).toMatch(/\.md$/)
    expect(entry.source).toBe(join(node.blobs.location, node.blobs.keyOf(entry.source)!))
    expect((await listDocuments(node)).documents).toEqual([entry])
    const { parts, ...rest } = await getDocument(node, entry)
    expect(rest).toEqual(entry)
    const metadata = { source: entry.source, title: "Tides", heading: "Tides" }
    expect(parts).toEqual([{ id: `${entry.id}:0`, doc_id: entry.id, text: "# Tides\n\nThe tide rises.", metadata }])
    const { bytes, name } = await readDocumentFile(node, entry)
    expect([Buffer.from(bytes).toString(), name]).toEqual(["# Tides\n\nThe tide rises.", entry.name])
    await removeDocument(node, entry)
    expect(await node.blobs.stat(node.blobs.keyOf(entry.source)!)).toBeNull()
    expect((await listDocuments(node)).documents).toEqual([])
  })

  it("is gone if its file is missing in the storage", async () => {
    const entry = await add("moon.md", "The Moon pulls.")
    await node.blobs.remove(node.blobs.keyOf(entry.source)!)
    expect([await stateOf(entry.id), (await listDocuments(node)).documents[0]!.state]).toEqual(["gone", "gone"])
    await expect(readDocumentFile(node, entry)).rejects.toMatchObject({
      code: "not_found",
      message: `no such file: ${entry.source}`,
    })
    await removeDocument(node, entry)
  })

  it("needs a known extension and matching first bytes, and is discarded otherwise", async () => {
    const incoming = await receive("GIF89a")
    let isDiscarded = false
    const discard = async () => {
      isDiscarded = true
      await incoming.discard()
    }
    const adding = addDocument(node, { incoming: { ...incoming, discard }, name: "a.gif" }, signal)
    await expect(adding).rejects.toMatchObject({
      code: "unsupported_media",
      message: expect.stringMatching(/^Couldn't add a\.gif: unsupported format\. Supported: .*md/),
    })
    expect(isDiscarded).toBe(true)
    expect(() => checkDocumentHead("a.pdf", Buffer.from("no PDF"))).toThrow(
      "Couldn't read a.pdf: its contents do not match the extension '.pdf'. Save it again (text as UTF-8) or correct the extension.",
    )
    expect(() => checkDocumentHead("a.pdf", Buffer.from("%PDF-1.7"))).not.toThrow()
    expect(() => checkDocumentHead("a", Buffer.from("text"))).toThrow(/unsupported format/)
  })

  it("is reported if it is deleted while it is indexed", async () => {
    const index = { ...node.index, getFile: async () => null }
    const adding = addDocument({ ...node, index }, { incoming: await receive("A text."), name: "a.md" }, signal)
    await expect(adding).rejects.toMatchObject({
      code: "unavailable",
      message: "Couldn't add a.md: it was deleted during indexing. Upload it again.",
    })
    for (const { id } of (await listDocuments(node)).documents) await removeDocument(node, { id })
  })
})

describe("a file of the user", () => {
  it("is kept, changed or gone, and never deleted", async () => {
    const { path, id } = await ingestFile("bees.md", "# Bees\n\nThe waggle dance.")
    expect([await stateOf(id), (await getDocument(node, { id })).uploaded]).toEqual(["kept", false])
    const { bytes, name } = await readDocumentFile(node, { id })
    expect([bytes.byteLength, name]).toEqual([25, "bees.md"])
    const later = Date.now() / 1000 + 60
    utimesSync(path, later, later)
    expect(await stateOf(id)).toBe("changed")
    renameSync(path, `${path}.away`)
    expect(await stateOf(id)).toBe("gone")
    await expect(readDocumentFile(node, { id })).rejects.toMatchObject({ code: "not_found" })
    renameSync(`${path}.away`, path)
    await removeDocument(node, { id })
    expect((await readDocumentFile(node, { id }).catch((error: unknown) => error)) as object).toMatchObject({
      code: "not_found",
      message: `unknown document '${id}'`,
    })
    rmSync(path)
  })

  it("is not read once it is outside the permitted folders, or leads out of them", async () => {
    const { path, id } = await ingestFile("link.md", "A text.")
    const config = { ...node.config, roots: [node.at("elsewhere")] }
    await expect(readDocumentFile({ ...node, config }, { id })).rejects.toMatchObject({ code: "forbidden" })
    rmSync(path)
    symlinkSync("/etc/passwd", path)
    await expect(readDocumentFile(node, { id })).rejects.toMatchObject({ code: "forbidden" })
    rmSync(path)
  })
})

it("a blob that is empty or too large for a document is not read", async () => {
  const open = (bytes: number) => async () => ({
    bytes,
    modifiedAt: 0,
    head: new Uint8Array(),
    read: () => {
      throw new Error("nothing is read")
    },
    close: async () => undefined,
  })
  expect(await readBlob({ ...node.blobs, open: open(0) }, "a.txt")).toHaveLength(0)
  await expect(readBlob({ ...node.blobs, open: open(1e9) }, "d/a.txt")).rejects.toMatchObject({
    code: "too_large",
    message: expect.stringMatching(/^Couldn't read a\.txt: it is larger than \d+ MB\. Split it into smaller files\.$/),
  })
})

describe("ingest", () => {
  /** An embedder other than the builtin one, which notes how many texts it is given at a time. */
  const modelOf = (calls: number[], embed?: Embedder["embed"]) => ({
    ...node.engines,
    getEmbedder: async (): Promise<Embedder> => ({
      ...(await node.engines.getEmbedder()),
      name: "model",
      embed: async (texts, ...rest) => {
        calls.push(texts.length)
        return embed ? embed(texts, ...rest) : texts.map(() => Float32Array.of(1, 0))
      },
    }),
  })

  it("resolves paths, and reports and embeds each file", async () => {
    writeFileSync(join(folder, "a.md"), "A text.")
    writeFileSync(join(folder, "b.md"), "Short.")
    const calls: number[] = []
    const progress: [string, number, number][] = []
    const result = await ingest(
      { ...node, engines: modelOf(calls) },
      { paths: ["own"], prune: false },
      { signal, cwd: node.dir, onProgress: ({ path, files, result }) => progress.push([path, files, result.ingested]) },
    )
    expect(result).toEqual({ ingested: 2, chunks: 2, unchanged: 0, skipped: 0, pruned: 0, failed: [] })
    expect(progress).toEqual([
      [join(folder, "a.md"), 1, 1],
      [join(folder, "b.md"), 2, 2],
    ])
    expect(calls).toEqual([1, 1])
  })

  it("ends with the first file if the model is unreachable, and when the caller goes", async () => {
    writeFileSync(join(folder, "c.md"), "Other.")
    writeFileSync(join(folder, "d.md"), "Another.")
    const gone = Object.assign(new Error("no model"), { code: "ECONNREFUSED" })
    const engines = modelOf([], () => Promise.reject(gone))
    const paths = [folder]
    await expect(ingest({ ...node, engines }, { paths, prune: false }, { signal })).rejects.toThrow("no model")
    const aborted = AbortSignal.abort(new Error("the client is gone"))
    await expect(ingest(node, { paths, prune: false }, { signal: aborted })).rejects.toThrow("the client is gone")
    const sources = (await listDocuments(node)).documents.map(({ name }) => name)
    expect(sources).toEqual(["a.md", "b.md", "link.md"])
  })
})
