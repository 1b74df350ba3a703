import { createHash, randomBytes } from "node:crypto"
import { createReadStream, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { documentKey, recordingKey } from "../keys.ts"
import type { BlobStore } from "../types.ts"

export type BlobsFixture = {
  readonly blobs: BlobStore
  /** Returns the names or keys of everything in the storage, including unfinished uploads. */
  everything(): Promise<readonly string[]>
  /** Leaves an unfinished upload, as a killed process does: of a dead process of this host, or of another host. */
  abandon(onThisHost: boolean): Promise<void>
  teardown(): Promise<void>
}

const MB = 2 ** 20
const MAX = { maxBytes: 100 * MB }
const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

async function* inChunks(bytes: Uint8Array, size = 65_521): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** The test suite that every blob store runs. */
export const testBlobs = (name: string, open: () => Promise<BlobsFixture>): void => {
  describe(`blob store: ${name}`, () => {
    let f: BlobsFixture
    let dir: string
    beforeAll(async () => {
      f = await open()
      dir = mkdtempSync(join(tmpdir(), "earmark-blobs-fetched-"))
    })
    afterAll(async () => {
      rmSync(dir, { recursive: true, force: true })
      await f.teardown()
    })

    const put = async (bytes: Uint8Array, name = "talk.wav"): Promise<string> => {
      const incoming = await f.blobs.receive(inChunks(bytes), MAX)
      const key = recordingKey(incoming.sha256, name)
      await incoming.keep(key)
      return key
    }
    const read = async (key: string, start: number, end: number): Promise<Buffer> =>
      buffer((await f.blobs.open(key))!.read({ start, end }))
    const keys = async (prefix = ""): Promise<string[]> => {
      const found: string[] = []
      for await (const { key } of f.blobs.list(prefix)) found.push(key)
      return found.toSorted()
    }

    it("receives bytes, returns their length and hash, and lists them only after `keep`", async () => {
      const bytes = randomBytes(300_000)
      const before = await keys()
      const incoming = await f.blobs.receive(inChunks(bytes), MAX)
      expect([incoming.bytes, incoming.sha256]).toEqual([bytes.length, sha(bytes)])
      expect(await keys()).toEqual(before)
      const key = recordingKey(incoming.sha256, "My Talk.WAV")
      expect(key).toBe(`${sha(bytes)}.wav`)
      expect([await f.blobs.stat(key), await f.blobs.open(key)]).toEqual([null, null])
      await incoming.keep(key)
      expect(await keys()).toEqual([...before, key].toSorted())
      const info = (await f.blobs.stat(key))!
      expect(info).toMatchObject({ key, bytes: bytes.length })
      // Clocks of hosts differ, and S3 counts whole seconds.
      expect(Math.abs(info.modifiedAt - Date.now())).toBeLessThan(120_000)
      expect((await f.everything()).filter((n) => n.includes("incoming-"))).toEqual([])
    })

    it("stores the same bytes once, and discards an upload", async () => {
      const bytes = randomBytes(10_000)
      const key = await put(bytes)
      const { modifiedAt } = (await f.blobs.stat(key))!
      const before = await f.everything()
      expect(await put(bytes)).toBe(key)
      const other = await f.blobs.receive(inChunks(randomBytes(20_000)), MAX)
      await other.discard()
      expect(await f.everything()).toEqual(before)
      expect((await f.blobs.stat(key))!.modifiedAt).toBe(modifiedAt)
    })

    it("stores empty and one-byte blobs", async () => {
      for (const bytes of [new Uint8Array(), Uint8Array.of(7)]) {
        const key = await put(bytes)
        const blob = (await f.blobs.open(key))!
        expect([blob.bytes, [...blob.head]]).toEqual([bytes.length, [...bytes]])
        await blob.close()
        const { path, remove } = await f.blobs.file(key, { dir, signal: new AbortController().signal })
        expect((await buffer(createReadStream(path))).equals(Buffer.from(bytes))).toBe(true)
        await remove?.()
      }
    })

    it("reads inclusive ranges, and the first bytes on opening", async () => {
      const bytes = randomBytes(9 * MB)
      const key = await put(bytes)
      const blob = (await f.blobs.open(key))!
      expect([blob.bytes, Buffer.from(blob.head).equals(bytes.subarray(0, 4096))]).toEqual([bytes.length, true])
      await blob.close()
      for (const [start, end] of [
        [0, 0],
        [0, bytes.length - 1],
        [4095, 4096],
        [8 * MB - 5, 8 * MB + 5],
        [bytes.length - 1, bytes.length - 1],
      ] as const)
        expect((await read(key, start, end)).equals(bytes.subarray(start, end + 1)), `${start}-${end}`).toBe(true)
    })

    it("closes the stream if the reader stops early", async () => {
      const key = await put(randomBytes(9 * MB))
      const stream = (await f.blobs.open(key))!.read({ start: 0, end: 9 * MB - 1 })
      for await (const chunk of stream) if ((chunk as Buffer).length > 0) break
      expect(stream.destroyed).toBe(true)
    })

    it("leaves nothing behind if the upload is too large or its source fails", async () => {
      const before = await f.everything()
      const breaking = async function* () {
        yield randomBytes(9 * MB)
        throw new Error("the client is gone")
      }
      const none = async function* () {
        yield* []
        throw new Error("the client is gone")
      }
      for (const source of [breaking(), none(), Readable.from(breaking())])
        await expect(f.blobs.receive(source, MAX)).rejects.toThrow("the client is gone")
      await expect(f.blobs.receive(inChunks(randomBytes(18 * MB)), { maxBytes: 17 * MB })).rejects.toMatchObject({
        code: "too_large",
        message: expect.stringContaining("17 MB, the limit set by SERVICE_MAX_UPLOAD_MB"),
      })
      expect(await f.everything()).toEqual(before)
    })

    it("provides a blob as a local file with the right hash, and removes the file afterwards", async () => {
      const bytes = randomBytes(9 * MB)
      const key = await put(bytes, "talk.mp3")
      const { path, remove } = await f.blobs.file(key, { dir, signal: new AbortController().signal })
      const hash = createHash("sha256")
      await pipeline(createReadStream(path), hash)
      expect(hash.digest("hex")).toBe(sha(bytes))
      expect(path.endsWith(".mp3")).toBe(true)
      await remove?.()
      const absent = f.blobs.file(`${"0".repeat(64)}.wav`, { dir, signal: new AbortController().signal })
      await expect(absent).rejects.toMatchObject({ code: "not_found" })
      expect(readdirSync(dir)).toEqual([])
      expect((await f.blobs.stat(key))!.bytes).toBe(bytes.length)
    })

    it("lists blobs by key prefix, and ignores the removal of missing blobs", async () => {
      const name = "Grüße aus 100% – a & b?.md"
      const incoming = await f.blobs.receive(inChunks(Buffer.from("# Hello")), MAX)
      const document = documentKey(incoming.sha256, name)
      await incoming.keep(document)
      const recording = await put(randomBytes(100))
      expect(await keys("documents/")).toEqual([document])
      expect(await keys(recording.slice(0, 30))).toEqual([recording])
      expect((await read(document, 2, 6)).toString()).toBe("Hello")
      for (const key of [document, document, recording, `${"1".repeat(64)}`]) await f.blobs.remove(key)
      expect(await keys("documents/")).toEqual([])
      expect([await f.blobs.stat(document), await f.blobs.stat(recording)]).toEqual([null, null])
    })

    it("maps addresses back to keys, and other addresses to null", async () => {
      const key = `${"a".repeat(64)}.wav`
      const address = f.blobs.addressOf(key)
      expect(f.blobs.keyOf(address)).toBe(key)
      for (const other of ["/etc/passwd", "s3://another/key", "", "x", `${address.slice(0, -70)}/../x`.slice(0, 9)])
        expect(f.blobs.keyOf(other), other).toBeNull()
    })

    it("removes unfinished uploads of dead processes only", async () => {
      const key = await put(randomBytes(1000))
      const before = await f.everything()
      await f.abandon(true)
      expect(await f.everything()).not.toEqual(before)
      expect(await f.blobs.sweep()).toBeGreaterThan(0)
      expect(await f.everything()).toEqual(before)
      await f.abandon(false)
      expect(await f.blobs.sweep()).toBe(0)
      expect(await f.blobs.stat(key)).not.toBeNull()
    })

    it("returns its location if it is writable", async () => {
      const before = await f.everything()
      expect(await f.blobs.check(AbortSignal.timeout(10_000))).toContain(f.blobs.location)
      expect(await f.everything()).toEqual(before)
    })
  })
}
