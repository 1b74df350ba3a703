import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { openBlobFolder } from "./folder.ts"
import { withUploadLimits } from "./quota.ts"
import type { BlobInfo, BlobStore } from "./types.ts"

const KB = 1024
let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "earmark-quota-"))
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

let folders = 0
const open = (limits: { quotaBytes?: number; reserveBytes?: number }) => {
  const folder = join(dir, String(folders++))
  const blobs = withUploadLimits(openBlobFolder(folder), { quotaBytes: 2 ** 40, reserveBytes: 0, ...limits })
  return { folder, blobs }
}
async function* bytesOf(size: number, seed = 1): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < size; sent += KB) yield Buffer.alloc(Math.min(KB, size - sent), seed)
}
const LIMITS = { maxBytes: 2 ** 30 }

describe("withUploadLimits", () => {
  it("accepts uploads up to the quota, rejects the next one and stores nothing of it", async () => {
    const { folder, blobs } = open({ quotaBytes: 10 * KB })
    const first = await blobs.receive(bytesOf(6 * KB), LIMITS)
    await first.keep(`${first.sha256}.wav`)
    await expect(blobs.receive(bytesOf(5 * KB, 2), LIMITS)).rejects.toMatchObject({
      status: 507,
      message: expect.stringMatching(/SERVICE_UPLOAD_QUOTA_GB/),
    })
    expect(readdirSync(folder)).toEqual([`${first.sha256}.wav`])
    const second = await blobs.receive(bytesOf(4 * KB, 3), LIMITS)
    expect(await second.keep(`${second.sha256}.wav`)).toBe(true)
  })
  it("counts the uploads that were stored before and those in progress", async () => {
    const { folder, blobs } = open({ quotaBytes: 10 * KB })
    const waiting = await blobs.receive(bytesOf(3 * KB), LIMITS)
    writeFileSync(join(folder, `${"a".repeat(64)}.wav`), Buffer.alloc(3 * KB))
    const fresh = withUploadLimits(openBlobFolder(folder), { quotaBytes: 5 * KB, reserveBytes: 0 })
    await expect(fresh.receive(bytesOf(3 * KB, 2), LIMITS)).rejects.toMatchObject({ code: "storage_full" })
    await expect(blobs.receive(bytesOf(8 * KB, 2), LIMITS)).rejects.toMatchObject({ code: "storage_full" })
    await waiting.discard()
    const next = await blobs.receive(bytesOf(8 * KB, 2), LIMITS)
    await next.discard()
  })
  it("does not count a file twice that is uploaded again", async () => {
    const { blobs } = open({ quotaBytes: 10 * KB })
    for (let i = 0; i < 5; i++) {
      const incoming = await blobs.receive(bytesOf(4 * KB), LIMITS)
      expect(await incoming.keep(`${incoming.sha256}.wav`)).toBe(i === 0)
    }
  })
  /** Opens a store whose list can be held back. Counts the lists. */
  const openSlow = () => {
    const store = openBlobFolder(join(dir, String(folders++)))
    const lists = { started: 0, held: Promise.resolve() }
    const list = async function* (prefix: string) {
      lists.started++
      const found: BlobInfo[] = []
      for await (const blob of store.list(prefix)) found.push(blob)
      await lists.held
      yield* found
    }
    return { lists, blobs: withUploadLimits({ ...store, list }, { quotaBytes: 10 * KB, reserveBytes: 0 }) }
  }
  const store = async (blobs: BlobStore, size: number, seed: number) => {
    const incoming = await blobs.receive(bytesOf(size, seed), LIMITS)
    await incoming.keep(`${incoming.sha256}.wav`)
  }
  it("lists the blobs once for uploads that arrive together", async () => {
    const { lists, blobs } = openSlow()
    await Promise.all([1, 2, 3].map((seed) => store(blobs, KB, seed)))
    expect(lists.started).toBe(1)
  })
  it("does not make uploads wait while it measures again, and counts those that are stored meanwhile", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    onTestFinished(() => void vi.useRealTimers())
    const { lists, blobs } = openSlow()
    await store(blobs, 4 * KB, 1)
    let release = () => {}
    lists.held = new Promise((resolve) => {
      release = resolve
    })
    vi.setSystemTime(Date.now() + 11 * 60_000)
    await store(blobs, KB, 2)
    await store(blobs, KB, 3)
    expect(lists.started).toBe(2)
    release()
    await expect(blobs.receive(bytesOf(5 * KB, 4), LIMITS)).rejects.toMatchObject({ code: "storage_full" })
    await store(blobs, 2 * KB, 5)
  })
  it("measures again with the next upload after the storage did not answer", async () => {
    const { lists, blobs } = openSlow()
    lists.held = Promise.reject(new Error("no answer"))
    lists.held.catch(() => undefined)
    await expect(store(blobs, KB, 1)).rejects.toThrow("no answer")
    lists.held = Promise.resolve()
    await store(blobs, KB, 1)
    expect(lists.started).toBe(2)
  })
  it("leaves space free on the disk", async () => {
    const { folder, blobs } = open({ reserveBytes: 2 ** 60 })
    await expect(blobs.receive(bytesOf(KB), LIMITS)).rejects.toMatchObject({
      status: 507,
      message: expect.stringMatching(/SERVICE_UPLOAD_RESERVE_MB/),
    })
    expect(readdirSync(folder)).toEqual([])
  })
})
