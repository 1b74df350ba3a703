import { utimesSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { documentKey, recordingKey } from "../../storage/blobs/keys.ts"
import { newJob, topicsOf } from "../../storage/stores/testing/fixtures.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { findUnusedUploads, removeIfUnused, removeUnusedUploads } from "../uploads/unused-uploads.ts"
import { findMissingUploads } from "./check-uploads.ts"
import { cleanUp, planCleanUp } from "./clean-up.ts"

const HOUR_S = 3600

let node: TestNode
beforeAll(async () => {
  node = await openTestNode({ SERVICE_KEEP_TOPIC_RUNS: "1" })
})
afterAll(() => node.end())
beforeEach(async () => {
  for (const { key } of await listBlobs()) await node.blobs.remove(key)
})

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const collected: T[] = []
  for await (const item of items) collected.push(item)
  return collected
}
const listBlobs = () => collect(node.blobs.list(""))
/** Stores an upload that is two hours old. */
const upload = async (text: string, keyOf: (sha256: string) => string = (sha256) => recordingKey(sha256, "a.wav")) => {
  const incoming = await node.blobs.receive(Readable.from([Buffer.from(text)]), { maxBytes: 100 })
  const key = keyOf(incoming.sha256)
  await incoming.keep(key)
  const old = Date.now() / 1000 - 2 * HOUR_S
  utimesSync(join(node.blobs.location, key), old, old)
  return { key, address: node.blobs.addressOf(key) }
}
const submitUpload = (path: string) =>
  node.store.jobs.submit(newJob({ source: { kind: "upload", path, name: "a.wav" } }))
const keys = async () => (await listBlobs()).map(({ key }) => key).sort()

describe("unused uploads", () => {
  it("are those to which no job, clip or document refers", async () => {
    const ofJob = await upload("of a job")
    await submitUpload(ofJob.address)
    const ofClip = await upload("of a clip")
    await node.addClip("a", { file_path: ofClip.address })
    const document = await upload("of a document", (sha256) => documentKey(sha256, "a.md"))
    await node.index.put({
      id: "d",
      kind: "file",
      source: document.address,
      fingerprint: "",
      embedModel: "m",
      chunks: [],
    })
    const unused = await upload("unused")
    const found = await collect(findUnusedUploads(node))
    expect(found.map(({ key, bytes }) => [key, bytes])).toEqual([[unused.key, 6]])
    for (const { key } of [ofJob, ofClip, document]) expect(await removeIfUnused(node, key)).toBe(false)
    expect(await removeIfUnused(node, unused.key)).toBe(true)
    expect(await keys()).toEqual([ofJob.key, ofClip.key, document.key].sort())
  })

  it("are kept if Earmark did not write them, or for an hour", async () => {
    await upload("a foreign file", () => "notes.txt")
    const young = await upload("young")
    const at = async (age_s: number) => {
      const time = Date.now() / 1000 - age_s
      utimesSync(young.address, time, time)
      return (await collect(findUnusedUploads(node))).length
    }
    expect([await at(HOUR_S - 60), await at(HOUR_S + 60)]).toEqual([0, 1])
  })

  it("of a service without a database are those that no document refers to", async () => {
    const document = await upload("of a document", (sha256) => documentKey(sha256, "b.md"))
    const unused = await upload("unused")
    const index = { ...node.index, listFiles: async () => [{ source: document.address }] as never }
    const deps = { ...node, store: null, index }
    await removeUnusedUploads(deps, [document.address, unused.address, "/home/me/talk.wav"])
    expect(await keys()).toEqual([document.key])
  })

  it("stay with a warning if the storage does not answer, and the others are removed", async () => {
    const [first, second] = [await upload("first"), await upload("second")]
    const warnings: object[] = []
    const log = { ...node.log, warn: (fields: object) => void warnings.push(fields) } as typeof node.log
    const remove = async (key: string) => {
      if (key === first.key) throw new Error("no answer")
      await node.blobs.remove(key)
    }
    await removeUnusedUploads({ ...node, log, blobs: { ...node.blobs, remove } }, [first.address, second.address])
    expect(warnings).toEqual([{ path: first.address, detail: "no answer" }])
    expect(await keys()).toEqual([first.key])
  })
})

describe("findMissingUploads", () => {
  it("returns the addresses in this storage without a file", async () => {
    const [kept, lost] = [await upload("kept"), await upload("lost")]
    const elsewhere = `/other/uploads/${lost.key}`
    for (const path of [kept.address, lost.address, elsewhere]) await submitUpload(path)
    await node.addClip("own", { file_path: "/home/me/talk.wav" })
    await node.blobs.remove(lost.key)
    const missing = await findMissingUploads(node)
    expect(missing).toContain(lost.address)
    for (const address of [kept.address, elsewhere, "/home/me/talk.wav"]) expect(missing).not.toContain(address)
  })
})

describe("cleanUp", () => {
  it("deletes what the plan says, until nothing is left", async () => {
    await node.addClip("runs")
    for (const name of ["second", "third"]) await node.store.topics.save("runs", topicsOf(name))
    const unused = await upload("unused by anybody")
    const plan = await planCleanUp(node)
    expect(plan).toMatchObject({ rows: { topicRuns: 2 }, uploads: 1, uploadBytes: 17 })
    expect(await cleanUp(node)).toEqual(plan)
    expect(await keys()).not.toContain(unused.key)
    expect(await node.store.topics.listRuns("runs")).toHaveLength(1)
    const nothing = { jobs: 0, outputs: 0, topicRuns: 0, vectors: 0, speech: 0, idempotencyKeys: 0 }
    expect(await planCleanUp(node)).toEqual({ rows: nothing, uploads: 0, uploadBytes: 0 })
  })

  it("adds up its batches of every kind", async () => {
    const batch = (n: number) => ({
      jobs: n,
      outputs: 2 * n,
      topicRuns: 3 * n,
      vectors: 4 * n,
      speech: 5 * n,
      idempotencyKeys: 6 * n,
    })
    const batches = [batch(10), batch(1), batch(0), batch(7)]
    const retention = { ...node.store.retention, deleteBatch: async () => batches.shift()! }
    const { rows } = await cleanUp({ ...node, store: { ...node.store, retention } })
    expect([rows, batches.length]).toEqual([batch(11), 1])
  })

  it("stops after a batch when the worker stops, and removes no uploads then", async () => {
    const { key } = await upload("unused")
    let batches = 0
    const deleteBatch = async () => ({
      jobs: ++batches,
      outputs: 0,
      topicRuns: 0,
      vectors: 0,
      speech: 0,
      idempotencyKeys: 0,
    })
    const store = { ...node.store, retention: { ...node.store.retention, deleteBatch } }
    expect(await cleanUp({ ...node, store }, () => batches === 2)).toMatchObject({ rows: { jobs: 3 }, uploads: 0 })
    expect(await keys()).toEqual([key])
  })

  it("does not count an upload that is used again meanwhile", async () => {
    const { address } = await upload("used again")
    const uploads = {
      ...node.store.uploads,
      listAddresses: async (hash?: string) => (hash === undefined ? [] : [address]),
    }
    const store = { ...node.store, uploads }
    expect(await cleanUp({ ...node, store })).toMatchObject({ uploads: 0, uploadBytes: 0 })
    expect(await keys()).toHaveLength(1)
  })
})
