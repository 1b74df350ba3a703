import { createHash } from "node:crypto"
import { readFileSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { AppError } from "../../../domain/errors.ts"
import { openTestNode, type TestNode } from "../../testing/open-test-node.ts"
import { appendToUpload, stopReceiving } from "./append-part.ts"
import { findUploadedFile, finishUpload } from "./finish-upload.ts"
import { removeParts, removeUnusedParts } from "./parts.ts"
import { createUpload, getUpload, removeUpload } from "./resumable-uploads.ts"

const MB = 2 ** 20
const HOUR_MS = 3_600_000

let node: TestNode
beforeAll(async () => {
  node = await openTestNode({ SERVICE_MAX_UPLOAD_MB: "20" })
})
afterAll(() => node.end())

/** Returns the bytes of a file that begins like a WAV file, of a different content for each mark. */
const wav = (bytes: number, mark: string): Buffer => Buffer.alloc(bytes, mark).fill("RIFF\0\0\0\0WAVE", 0, 12)
async function* bodyOf(...chunks: readonly (Buffer | Error)[]) {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk
    yield chunk
  }
}
const create = (size: number, name = "talk.wav") => createUpload(node, { name, metadata: "m", size })
const append = (id: string, start: number, ...chunks: readonly (Buffer | Error)[]) =>
  appendToUpload(node, { id }, { start, body: bodyOf(...chunks) })
const offsetOf = async (id: string) => (await getUpload(node, { id })).offset
const partsOf = (id: string) => node.store.resumableUploads.listParts(id)
/** Counts the stored parts. */
const countParts = async (): Promise<number> => {
  let count = 0
  for await (const _ of node.blobs.list("partial/")) count++
  return count
}

describe("a new upload", () => {
  it("is empty, has the limits of the settings, and is the same for the same operation", async () => {
    const before = await node.store.now()
    const upload = await createUpload(node, { name: "talk.wav", metadata: "m", size: 20 * MB }, "operation")
    expect(upload).toMatchObject({ id: "operation", name: "talk.wav", metadata: "m", size: 20 * MB, offset: 0 })
    const lifetimeMs = upload.expiresAt - before
    expect(lifetimeMs).toBeGreaterThanOrEqual(node.config.retention.partialUploadsMs)
    expect(lifetimeMs).toBeLessThan(node.config.retention.partialUploadsMs + 60_000)
    expect(await createUpload(node, { name: "other.wav", metadata: "", size: 1 }, "operation")).toEqual(upload)
    expect((await create(1)).id).not.toBe((await create(1)).id)
  })

  it("must be neither empty nor larger than the limit", async () => {
    await expect(create(0)).rejects.toMatchObject({
      code: "invalid",
      message: "Upload-Length: the recording is empty (0 bytes)",
    })
    await expect(create(20 * MB + 1)).rejects.toMatchObject({
      code: "too_large",
      message: "The recording has 21 MB. The maximum is 20 MB (SERVICE_MAX_UPLOAD_MB).",
    })
  })
})

describe("appendToUpload", () => {
  it("joins the parts of several requests to one file and removes them", async () => {
    const content = wav(5000, "join")
    const { id } = await create(5000)
    expect(await append(id, 0, content.subarray(0, 700))).toMatchObject({ offset: 700, file: null })
    const parts = await partsOf(id)
    expect(parts).toMatchObject([{ start: 0, bytes: 700 }])
    const { offset, file } = await append(id, 700, content.subarray(700, 800), content.subarray(800))
    expect([offset, file!.sha256]).toEqual([5000, createHash("sha256").update(content).digest("hex")])
    expect(readFileSync(file!.address)).toEqual(content)
    expect(await getUpload(node, { id })).toMatchObject({ file })
    expect([await partsOf(id), await node.blobs.stat(parts[0]!.key)]).toEqual([[], null])
  })

  it("stores a long body in parts of 16 MB", async () => {
    const content = wav(16 * MB + 10, "long")
    const { id } = await create(17 * MB)
    expect(await append(id, 0, content)).toMatchObject({ offset: content.byteLength })
    expect((await partsOf(id)).map(({ start, bytes }) => [start, bytes])).toEqual([
      [0, 16 * MB],
      [16 * MB, 10],
    ])
  })

  it("rejects a body at another offset and says where the upload continues", async () => {
    const { id } = await create(100)
    await append(id, 0, wav(20, "a"))
    await expect(append(id, 0, wav(20, "a"))).rejects.toMatchObject({
      code: "conflict",
      message: `Upload-Offset: upload '${id}' continues at byte 20, not 0`,
    })
    expect(await offsetOf(id)).toBe(20)
  })

  it("rejects a body that goes beyond the size, and stores nothing of its last part", async () => {
    const { id } = await create(100)
    await expect(append(id, 0, wav(101, "a"))).rejects.toMatchObject({
      code: "too_large",
      message: "The body goes beyond Upload-Length, which is 100 bytes.",
    })
    expect([await offsetOf(id), await partsOf(id)]).toEqual([0, []])
  })

  it("keeps what has arrived when the connection breaks, and reports the break unless the file is complete", async () => {
    const broken = new AppError("bad_request", "The connection closed.")
    const content = wav(60, "b")
    const { id } = await create(60)
    await expect(append(id, 0, content.subarray(0, 40), broken)).rejects.toBe(broken)
    expect(await offsetOf(id)).toBe(40)
    expect((await append(id, 40, content.subarray(40), broken)).file).not.toBeNull()
  })

  it("ends an older request of the same upload and continues after what that one has received", async () => {
    const content = wav(60, "c")
    const { id } = await create(60)
    let isWaiting = false
    async function* lostConnection() {
      yield content.subarray(0, 30)
      isWaiting = true
      await new Promise(() => undefined)
    }
    const older = appendToUpload(node, { id }, { start: 0, body: lostConnection() })
    await expect.poll(() => isWaiting).toBe(true)
    await stopReceiving(id)
    expect(await older).toMatchObject({ offset: 30, file: null })
    expect(await append(id, 30, content.subarray(30))).toMatchObject({ offset: 60 })
  })

  it("stores the first of two requests that finish the same part", async () => {
    const before = await countParts()
    const { id } = await create(60)
    async function* overtaken() {
      yield wav(30, "d")
      const part = { start: 0, bytes: 10, key: "another" }
      await node.store.resumableUploads.addPart(id, part, { lifetimeMs: HOUR_MS })
    }
    const late = appendToUpload(node, { id }, { start: 0, body: overtaken() })
    await expect(late).rejects.toMatchObject({ code: "conflict", message: expect.stringMatching(/at byte 10, not 0/) })
    expect(await partsOf(id)).toMatchObject([{ key: "another" }])
    expect(await countParts()).toBe(before)
  })

  it("removes an upload whose first bytes are not those of a recording, at once or when it is complete", async () => {
    const text = Buffer.from("Dear diary, ".repeat(10))
    for (const parts of [[text], [text.subarray(0, 20), text.subarray(20)]]) {
      const { id } = await create(text.byteLength)
      const send = async () => {
        let start = 0
        for (const part of parts) start = (await append(id, start, part)).offset
      }
      await expect(send()).rejects.toMatchObject({ code: "unsupported_media" })
      await expect(getUpload(node, { id })).rejects.toMatchObject({ code: "not_found" })
    }
    const { id } = await create(10_000)
    await expect(append(id, 0, Buffer.alloc(4096, "x"))).rejects.toMatchObject({ code: "unsupported_media" })
    await expect(append(id, 0, wav(20, "x"))).rejects.toMatchObject({ code: "not_found" })
  })

  it("says that an unknown upload may have expired", async () => {
    await expect(append("none", 0)).rejects.toMatchObject({
      code: "not_found",
      message: "unknown upload 'none'. Uploads expire some time after their last part; start a new one.",
    })
  })
})

describe("a body with a checksum", () => {
  const digestOf = (body: Buffer) => createHash("sha1").update(body).digest()
  const send = (id: string, digest: Buffer, ...chunks: readonly (Buffer | Error)[]) =>
    appendToUpload(node, { id }, { start: 0, body: bodyOf(...chunks), checksum: { algorithm: "sha1", digest } })

  it("is stored if it is complete and has the digest", async () => {
    const content = wav(16 * MB + 10, "e")
    const { id } = await create(17 * MB)
    expect(await send(id, digestOf(content), content)).toMatchObject({ offset: content.byteLength })
    expect(await partsOf(id)).toHaveLength(2)
  })

  it("leaves nothing behind if it has another digest or breaks off", async () => {
    const content = wav(50, "f")
    const before = await countParts()
    const { id } = await create(60)
    await expect(send(id, digestOf(wav(50, "g")), content)).rejects.toMatchObject({
      code: "checksum_mismatch",
      message: "The body does not match its Upload-Checksum. Send the part again.",
    })
    const broken = new Error("gone")
    await expect(send(id, digestOf(content), content, broken)).rejects.toBe(broken)
    expect([await offsetOf(id), await partsOf(id), await countParts()]).toEqual([0, [], before])
  })
})

describe("findUploadedFile", () => {
  it("returns the file of a complete upload, and null for other sources", async () => {
    const { id } = await create(100)
    await append(id, 0, wav(60, "h"))
    await expect(findUploadedFile(node, `upload:${id}`)).rejects.toMatchObject({
      code: "conflict",
      message: `source: upload '${id}' has 60 of 100 bytes. Send the rest, then submit the job again.`,
    })
    const { file } = await append(id, 60, Buffer.alloc(40))
    const found = { path: file!.address, name: "talk.wav", sha256: file!.sha256 }
    expect(await findUploadedFile(node, `upload:${id}`)).toEqual(found)
    for (const source of [`an upload:${id}`, "/r/talk.wav"]) expect(await findUploadedFile(node, source)).toBeNull()
    expect(await findUploadedFile(node, `upload:${id}x`, { hasTranscript: true })).toBeNull()
    for (const unknown of [`${id}x`, "0".repeat(36)])
      await expect(findUploadedFile(node, `upload:${unknown}`)).rejects.toMatchObject({ code: "not_found" })
  })

  it("fails if a part is missing in the storage", async () => {
    const { id } = await create(60)
    await node.store.resumableUploads.addPart(id, { start: 0, bytes: 60, key: "partial/x" }, { lifetimeMs: HOUR_MS })
    await expect(finishUpload(node, { id })).rejects.toMatchObject({
      code: "unavailable",
      message: "A part of the upload is missing in the storage. Upload the file again.",
    })
  })
})

describe("parts", () => {
  it("are removed with their upload", async () => {
    const { id } = await create(100)
    await append(id, 0, wav(60, "i"))
    const [part] = await partsOf(id)
    await removeUpload(node, { id })
    expect(await node.blobs.stat(part!.key)).toBeNull()
    await expect(removeUpload(node, { id })).rejects.toMatchObject({ code: "not_found" })
  })

  it("of expired or complete uploads are removed after an hour, others stay", async () => {
    const [current, gone] = [await create(100), await create(100)]
    for (const { id } of [current, gone]) await append(id, 0, wav(60, "k"))
    const [[kept], [removed]] = [await partsOf(current.id), await partsOf(gone.id)]
    await node.store.resumableUploads.remove(gone.id)
    const now = Date.now()
    utimesSync(join(node.blobs.location, removed!.key), now / 1000, now / 1000)
    expect(await removeUnusedParts(node, now + HOUR_MS - 60_000)).toBe(0)
    expect(await removeUnusedParts(node, now + HOUR_MS + 60_000)).toBe(1)
    expect(await node.blobs.stat(removed!.key)).toBeNull()
    expect(await node.blobs.stat(kept!.key)).not.toBeNull()
    const file = { address: "/uploads/x.wav", sha256: "x" }
    await node.store.resumableUploads.finish(current.id, file)
    expect(await removeUnusedParts(node, now + 2 * HOUR_MS)).toBeGreaterThanOrEqual(1)
    expect(await node.blobs.stat(kept!.key)).toBeNull()
  })

  it("that the storage does not remove are logged, and the others are removed", async () => {
    const removed: string[] = []
    const warnings: object[] = []
    const remove = async (key: string) => {
      if (key === "a") throw new Error("no answer")
      removed.push(key)
    }
    const log = { ...node.log, warn: (fields: object) => void warnings.push(fields) } as typeof node.log
    await removeParts({ blobs: { ...node.blobs, remove }, log }, [{ key: "a" }, { key: "b" }])
    expect([removed, warnings]).toEqual([["b"], [{ key: "a", detail: "no answer" }]])
  })
})
