import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { audioJobRequest } from "../../domain/jobs/jobs.ts"
import { loadConfig } from "../../platform/config/config.ts"
import { createLogger } from "../../platform/logger.ts"
import { recordingKey } from "../../storage/blobs/keys.ts"
import { addDocument } from "../documents/add-document.ts"
import { getDocument, removeDocument } from "../documents/documents.ts"
import { type Node, openNode } from "../installation/open-node.ts"
import { cancelJob } from "../jobs/jobs.ts"
import { submitJob } from "../jobs/submit-job.ts"
import { findUnusedUploads, removeUnusedUploads } from "../uploads/unused-uploads.ts"
import { deleteClip } from "./clips.ts"

describe("deleting an upload", () => {
  let dir: string
  let node: Node
  const at = (name: string) => join(dir, name)
  const storedFiles = () => readdirSync(at("share/recordings"), { recursive: true }).map(String)
  const receive = (text: string) => node.blobs.receive(Readable.from([Buffer.from(text)]), { maxBytes: 100 })
  /** Expects `action` to fail while the share is unmounted. */
  const expectUnavailable = async (action: () => Promise<unknown>) => {
    renameSync(at("share"), at("gone"))
    await expect(action()).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/Mount it again/) })
    renameSync(at("gone"), at("share"))
  }
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "earmark-delete-"))
    mkdirSync(at("share/recordings"), { recursive: true })
    const config = loadConfig({
      SERVICE_DATA_DIR: at("data"),
      SERVICE_BLOB_URL: `file://${at("share/recordings")}`,
      SERVICE_PROVIDER: "builtin",
      SERVICE_MODELS_OFFLINE: "true",
    })
    node = await openNode(config, createLogger("silent", "test"))
  })
  afterEach(async () => {
    await node.close()
    rmSync(dir, { recursive: true })
  })

  const submitUpload = async () => {
    const incoming = await receive("sound")
    const key = recordingKey(incoming.sha256, "a.wav")
    await incoming.keep(key)
    const upload = { path: node.blobs.addressOf(key), name: "a.wav", sha256: incoming.sha256 }
    return { key, ...(await submitJob(node, { request: audioJobRequest.parse({ source: "a.wav" }), upload })) }
  }

  it("deletes neither clip nor job while the share is unmounted, and both afterwards", async () => {
    const { key, job_id, session_id } = await submitUpload()
    await cancelJob(node, { job_id })
    await expectUnavailable(() => deleteClip(node, { id: session_id }))
    expect([storedFiles(), (await node.store!.jobs.get(job_id))?.job_id]).toEqual([[key], job_id])
    await deleteClip(node, { id: session_id })
    expect([storedFiles(), await node.store!.jobs.get(job_id)]).toEqual([[], null])
  })

  it("keeps the document in the list while its file cannot be removed", async () => {
    const incoming = await receive("# Tides\n\nThe tide rises by thirteen metres.")
    const { id } = await addDocument(node, { incoming, name: "tides.md" }, new AbortController().signal)
    await expectUnavailable(() => removeDocument(node, { id }))
    expect((await node.index.listFiles()).map((file) => file.id)).toEqual([id])
    await removeDocument(node, { id })
    expect([await node.index.listFiles(), storedFiles().filter((name) => name.endsWith(".md"))]).toEqual([[], []])
  })

  it("keeps the file of a document that is uploaded again and then cannot be indexed", async () => {
    const upload = async (signal: AbortSignal) =>
      addDocument(node, { incoming: await receive("# Tides\n\nThe tide rises."), name: "tides.md" }, signal)
    const { id } = await upload(new AbortController().signal)
    const before = storedFiles()
    await expect(upload(AbortSignal.abort(new Error("the client is gone")))).rejects.toThrow("the client is gone")
    expect(storedFiles()).toEqual(before)
    expect(await getDocument(node, { id })).toMatchObject({ state: "kept" })
  })

  it("removes the file of a new document that cannot be indexed", async () => {
    const incoming = await receive(" ")
    const adding = addDocument(node, { incoming, name: "empty.md" }, new AbortController().signal)
    await expect(adding).rejects.toThrow(/empty.md: it contains no text/)
    expect(storedFiles().filter((name) => name.endsWith(".md"))).toEqual([])
  })

  it("rejects a job whose upload a deletion removes in between", async () => {
    const first = await submitUpload()
    await cancelJob(node, first)
    const incoming = await receive("sound")
    await incoming.keep(first.key)
    await deleteClip(node, { id: first.session_id })
    const upload = { path: node.blobs.addressOf(first.key), name: "a.wav", sha256: incoming.sha256 }
    const submitting = submitJob(node, { request: audioJobRequest.parse({ source: "a.wav" }), upload })
    await expect(submitting).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/Upload it again/) })
    expect(await node.store!.jobs.countByStatus()).toMatchObject({ queued: 0 })
  })

  it("keeps an upload for which a job is submitted while its clip is deleted", async () => {
    const { key, job_id, session_id } = await submitUpload()
    await cancelJob(node, { job_id })
    const [deleted] = await Promise.all([node.store!.clips.delete(session_id), submitUpload()])
    await removeUnusedUploads(node, deleted!.uploads)
    expect(storedFiles()).toEqual([key])
  })

  it("finds the upload that a crash between the two steps of a deletion leaves, after an hour", async () => {
    const { key, job_id, session_id } = await submitUpload()
    await cancelJob(node, { job_id })
    const find = async (now: number) => {
      const found: string[] = []
      for await (const blob of findUnusedUploads({ ...node, store: node.store! }, now)) found.push(blob.key)
      return found
    }
    const later = Date.now() + 3_700_000
    expect(await find(later)).toEqual([])
    await node.store!.clips.delete(session_id)
    expect([await find(Date.now()), await find(later)]).toEqual([[], [key]])
  })
})
