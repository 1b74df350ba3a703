import { createHash, randomBytes } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { CreateMultipartUploadCommand, PutObjectCommand } from "@aws-sdk/client-s3"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createTempName } from "#lib/platform/files/temp-files.ts"
import { copyBlobs } from "#lib/storage/blobs/copy.ts"
import { openBlobFolder } from "#lib/storage/blobs/folder.ts"
import { documentKey, findBlobKey, recordingKey } from "#lib/storage/blobs/keys.ts"
import { openS3 } from "#lib/storage/blobs/s3/index.ts"
import { testBlobs } from "#lib/storage/blobs/testing/blobs.testsuite.ts"
import type { BlobStore } from "#lib/storage/blobs/types.ts"
import { startCuttingProxy } from "../../fixtures/cutting-proxy.ts"
import { openSwift } from "../../fixtures/shared-servers.ts"
import { KEY, type Swift } from "../../fixtures/swift.ts"

const MB = 2 ** 20
const { signal } = new AbortController()
let swift: Swift
beforeAll(async () => {
  Object.assign(process.env, KEY)
  swift = await openSwift()
})
afterAll(() => swift.close())

const openAt = (url: string, limits = {}): Promise<BlobStore> => {
  const { place } = loadConfig({ SERVICE_BLOB_URL: url }).blobs
  if (place.kind !== "s3") throw new Error("no bucket")
  return openS3(place, limits)
}
async function* noise(chunks: number, hash = createHash("sha256")): AsyncGenerator<Buffer> {
  const chunk = randomBytes(MB)
  for (let i = 0; i < chunks; i++) {
    chunk.writeUInt32LE(i, 0)
    hash.update(chunk)
    yield Buffer.from(chunk)
  }
}

testBlobs("S3 (Swift)", async () => {
  const bucket = await swift.bucket()
  const prefix = "recordings of ours/"
  // Small enough that a few megabytes are sent and copied in parts.
  const blobs = await openAt(swift.url(bucket, encodeURIComponent("recordings of ours")), {
    part: 5 * MB,
    copyPart: 5 * MB,
  })
  return {
    blobs,
    everything: () => swift.objects(bucket),
    abandon: async (mine) => {
      const name = mine ? createTempName().replace(/\d+/, "999999999") : ".incoming-999999999-00000000-of-another"
      const Key = `${prefix}incoming/${name.slice(1)}`
      await swift.client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: "half" }))
      await swift.client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: `${Key}-parts` }))
    },
    teardown: async () => blobs.close(),
  }
})

describe("recordings in object storage", () => {
  let dir: string
  let bucket: string
  let proxy: Awaited<ReturnType<typeof startCuttingProxy>>
  let blobs: BlobStore
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "earmark-s3-"))
    bucket = await swift.bucket()
    proxy = await startCuttingProxy(swift.port)
    blobs = await openAt(swift.url(bucket, "talks", proxy.endpoint))
  })
  afterAll(async () => {
    blobs.close()
    await proxy.close()
    rmSync(dir, { recursive: true })
  })

  it("of 40 MB are uploaded and downloaded in parts, although the connection is cut repeatedly", async () => {
    const hash = createHash("sha256")
    const incoming = await blobs.receive(noise(40, hash), { maxBytes: 100 * MB })
    const sha256 = hash.digest("hex")
    expect([incoming.bytes, incoming.sha256]).toEqual([40 * MB, sha256])
    const key = `${sha256}.wav`
    await incoming.keep(key)
    expect(await swift.objects(bucket)).toContain(`talks/${key}`)

    proxy.state.cutAfter = 15 * MB
    const { path, remove } = await blobs.file(key, { dir, signal })
    expect(proxy.state.cuts).toBeGreaterThan(1)
    expect(createHash("sha256").update(readFileSync(path)).digest("hex")).toBe(sha256)
    await remove?.()
    const range = { start: 3 * MB, end: 3 * MB + 17 * MB }
    expect(await buffer((await blobs.open(key))!.read(range))).toHaveLength(17 * MB + 1)

    // With no progress the transfer fails and leaves no partial file.
    proxy.state.cutAfter = 0
    await expect(blobs.file(key, { dir, signal })).rejects.toMatchObject({ code: "unavailable", retry: "later" })
    expect(readdirSync(dir)).toEqual([])
    proxy.state.cutAfter = Number.POSITIVE_INFINITY
  })

  it("are rejected if their content differs from the upload", async () => {
    const Key = `talks/${"d".repeat(64)}.wav`
    await swift.client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: "other bytes" }))
    await expect(blobs.file(Key.slice(6), { dir, signal })).rejects.toThrow(/returned other bytes/)
    expect(readdirSync(dir)).toEqual([])
  })

  it("are served to players from a signed URL with type and ranges", async () => {
    const incoming = await blobs.receive(noise(1), { maxBytes: MB })
    const key = `${incoming.sha256}.wav`
    await incoming.keep(key)
    const link = (await blobs.link(key, "audio/wav"))!
    const answer = await fetch(link, { headers: { range: "bytes=0-9" } })
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([206, 10])
    expect((await fetch(link.replace(/Signature=..../, "Signature=0000"))).status).toBe(403)
  })

  it("cause an error with the next step if the key is wrong, the bucket is missing, or the storage does not answer", async () => {
    const checkError = async (url: string) => {
      const other = await openAt(url)
      const error = await other.check(AbortSignal.timeout(20_000)).catch((e: unknown) => e)
      expect(await other.receive(noise(1), { maxBytes: MB }).catch((e: unknown) => e)).toMatchObject({
        code: "unavailable",
      })
      expect(await other.file(`${"f".repeat(64)}.wav`, { dir, signal }).catch((e: unknown) => e)).toMatchObject({
        code: "unavailable",
      })
      other.close()
      return error as { code: string; retry: string; message: string }
    }
    const missing = await checkError(swift.url("earmark-none"))
    expect(missing).toMatchObject({ code: "unavailable", retry: "retry" })
    expect(missing.message).toMatch(/bucket 'earmark-none' does not exist .*aws s3 mb/)

    process.env.AWS_SECRET_ACCESS_KEY = "another-secret"
    const wrong = await checkError(swift.url(bucket)).finally(() => Object.assign(process.env, KEY))
    expect(wrong.message).toMatch(/rejected the credentials \(SignatureDoesNotMatch\)\. Set AWS_ACCESS_KEY_ID/)
    expect(wrong.message).not.toContain("secret")

    const silent = await checkError(swift.url(bucket, "", "http://127.0.0.1:1"))
    expect(silent).toMatchObject({ code: "unavailable", retry: "later" })
    expect(silent.message).toMatch(/127\.0\.0\.1:1 does not answer \(ECONNREFUSED\)\. Start it/)
  })
})

describe("moving recordings into a bucket", () => {
  it("copies missing files once, and stops at a file whose hash does not match its name", async () => {
    const dir = mkdtempSync(join(tmpdir(), "earmark-move-"))
    const from = openBlobFolder(dir)
    const to = await openAt(swift.url(await swift.bucket(), "moved"))
    const keys: string[] = []
    for (const [bytes, name] of [
      [3 * MB, "a.wav"],
      [0, "empty.md"],
    ] as const) {
      const incoming = await from.receive(bytes ? noise(3) : noise(0), { maxBytes: 9 * MB })
      const key = bytes ? recordingKey(incoming.sha256, name) : documentKey(incoming.sha256, name)
      await incoming.keep(key)
      keys.push(key)
    }
    writeFileSync(join(dir, "notes.txt"), "not a recording")
    expect(await copyBlobs(from, to, () => {})).toEqual({ copied: 2, skipped: 0, bytes: 3 * MB })
    expect(await copyBlobs(from, to, () => {})).toEqual({ copied: 0, skipped: 2, bytes: 0 })
    const copied: string[] = []
    for await (const { key } of to.list("")) copied.push(key)
    expect(copied.toSorted()).toEqual(keys.toSorted())
    // The database still refers to the recording by its old address.
    expect(findBlobKey(to, from.addressOf(keys[0]!))).toBe(keys[0])

    writeFileSync(join(dir, `${"e".repeat(64)}.wav`), "damaged")
    await expect(copyBlobs(from, to, () => {})).rejects.toThrow(/does not match the hash in its name/)
    to.close()
    rmSync(dir, { recursive: true })
  })
})
