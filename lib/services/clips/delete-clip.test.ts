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
import { removeDocument } from "../documents/documents.ts"
import { type Node, openNode } from "../installation/open-node.ts"
import { cancelJob } from "../jobs/cancel-job.ts"
import { submitJob } from "../jobs/submit-job.ts"
import { deleteClip } from "./delete-clip.ts"

describe("what was sent", () => {
  let dir: string
  let node: Node
  const at = (name: string) => join(dir, name)
  const kept = () => readdirSync(at("share/recordings"), { recursive: true }).map(String)
  const receive = (text: string) => node.blobs.receive(Readable.from([Buffer.from(text)]), { maxBytes: 100 })
  /** Takes the share away meanwhile. */
  const unmounted = async (deed: () => Promise<unknown>) => {
    renameSync(at("share"), at("gone"))
    await expect(deed()).rejects.toMatchObject({ status: 503, message: expect.stringMatching(/mount it again/) })
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

  const send = async () => {
    const incoming = await receive("sound")
    const key = recordingKey(incoming.sha256, "a.wav")
    await incoming.keep(key)
    const upload = { path: node.blobs.addressOf(key), name: "a.wav", sha256: incoming.sha256 }
    return { key, ...(await submitJob(node, { request: audioJobRequest.parse({ source: "a.wav" }), upload })) }
  }

  it("stays whole, with its runs, when its clip is deleted while the share is away; later both go", async () => {
    const { key, job_id, session_id } = await send()
    await cancelJob(node, { job_id })
    await unmounted(() => deleteClip(node, { id: session_id }))
    expect([kept(), (await node.store!.jobs.get(job_id))?.job_id]).toEqual([[key], job_id])
    await deleteClip(node, { id: session_id })
    expect([kept(), await node.store!.jobs.get(job_id)]).toEqual([[], null])
  })

  it("stays in the list of documents while its file cannot be removed", async () => {
    const incoming = await receive("# Tides\n\nThe tide rises by thirteen metres.")
    const { id } = await addDocument(node, { incoming, name: "tides.md" }, new AbortController().signal)
    await unmounted(() => removeDocument(node, { id }))
    expect((await node.index.listFiles()).map((kept) => kept.id)).toEqual([id])
    await removeDocument(node, { id })
    expect([await node.index.listFiles(), kept().filter((name) => name.endsWith(".md"))]).toEqual([[], []])
  })
})
