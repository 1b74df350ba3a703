import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { createTempName } from "../../platform/files/temp-files.ts"
import { openFolder } from "./folder.ts"
import { blobKey } from "./keys.ts"
import { folderError } from "./mount-check.ts"
import { testBlobs } from "./testing/blobs.testsuite.ts"

testBlobs("a folder", async () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-blobs-"))
  return {
    blobs: openFolder(join(dir, "uploads")),
    everything: async () => readdirSync(dir, { recursive: true }).map(String).toSorted(),
    abandon: async (mine) => {
      const name = mine ? createTempName().replace(/\d+/, "999999999") : ".incoming-999999999-00000000-of-another-host"
      writeFileSync(join(dir, "uploads", name), "half")
    },
    teardown: async () => rmSync(dir, { recursive: true }),
  }
})

describe("a folder of blobs", () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "earmark-blobs-"))
  })
  afterEach(() => rmSync(dir, { recursive: true }))
  const KEY = `${"b".repeat(64)}.wav`

  it("follows no link and takes no folder or device for a blob", async () => {
    const [inside, outside] = [join(dir, "uploads"), join(dir, "secret")]
    mkdirSync(join(inside, "folder"), { recursive: true })
    writeFileSync(outside, "secret")
    symlinkSync(outside, join(inside, KEY))
    symlinkSync(dir, join(inside, "documents"))
    const blobs = openFolder(inside)
    for (const key of [KEY, "folder", "documents/secret"])
      expect([await blobs.open(key), await blobs.stat(key)], key).toEqual([null, null])
    for (const key of ["../secret", "folder/../../secret", "/etc/passwd"])
      await expect(blobs.open(key), key).rejects.toMatchObject({ code: "not_found" })
  })

  it("knows a blob by its hash when the folder lies elsewhere than it did", async () => {
    const old = join(dir, "old")
    mkdirSync(old)
    writeFileSync(join(old, KEY), "sound")
    cpSync(old, join(dir, "new"), { recursive: true })
    const blobs = openFolder(join(dir, "new"))
    expect(blobKey(blobs, join(old, KEY))).toBe(KEY)
    expect(blobKey(blobs, `s3://bucket/prefix/${KEY}`)).toBe(KEY)
    const document = `documents/${"c".repeat(64)}/My notes.md`
    expect(blobKey(blobs, `s3://bucket/${document}`)).toBe(document)
    for (const other of ["/home/me/talk.wav", `/x/${KEY}/y`, `s3://bucket/documents/${"c".repeat(64)}/..`])
      expect(blobKey(blobs, other), other).toBeNull()
  })

  it("says what to do where it cannot be written", async () => {
    writeFileSync(join(dir, "file"), "")
    const blobs = openFolder(join(dir, "file", "uploads"))
    await expect(blobs.check(new AbortController().signal)).rejects.toThrow(/cannot be written to.*SERVICE_BLOB_URL/)
  })

  const sound = () => Readable.from([Buffer.from("sound")])
  const away = { code: "unavailable", status: 503, retry: "later", message: expect.stringMatching(/mount it again/) }

  it("that is mounted is never made: while it is away everything waits, and nothing lies under its mount point", async () => {
    const [share, gone] = [join(dir, "share"), join(dir, "gone")]
    mkdirSync(join(share, "recordings"), { recursive: true })
    const blobs = openFolder(join(share, "recordings"), { mounted: true })
    const incoming = await blobs.receive(sound(), { maxBytes: 9 })
    await incoming.keep(KEY)
    const late = await blobs.receive(sound(), { maxBytes: 9 })
    renameSync(share, gone)
    mkdirSync(share)
    const { signal } = new AbortController()
    const deeds: Record<string, () => Promise<unknown>> = {
      receive: () => blobs.receive(sound(), { maxBytes: 9 }),
      keep: () => late.keep(`documents/${"c".repeat(64)}/a.md`),
      stat: () => blobs.stat(KEY),
      open: () => blobs.open(KEY),
      file: () => blobs.file(KEY, { dir, signal }),
      remove: () => blobs.remove(KEY),
      list: async () => {
        for await (const _ of blobs.list("")) throw new Error("listed")
      },
      check: () => blobs.check(signal),
    }
    for (const [name, deed] of Object.entries(deeds)) await expect(deed(), name).rejects.toMatchObject(away)
    expect(readdirSync(share)).toEqual([])
    rmdirSync(share)
    renameSync(gone, share)
    expect(await blobs.stat(KEY)).toMatchObject({ bytes: 5 })
    await expect(blobs.file("none.wav", { dir, signal })).rejects.toMatchObject({ code: "not_found", retry: "never" })
  })

  it("that is mounted is told from one of the same name under its mount point", async () => {
    // A disk of its own on every Linux, as a share is.
    const disk = mkdtempSync("/dev/shm/earmark-blobs-")
    onTestFinished(() => rmSync(disk, { recursive: true }))
    const share = join(dir, "share")
    symlinkSync(disk, share)
    mkdirSync(join(share, "recordings"))
    const blobs = openFolder(join(share, "recordings"), { mounted: true })
    expect(await blobs.check(new AbortController().signal)).toContain("GiB free")
    rmSync(share)
    mkdirSync(join(share, "recordings"), { recursive: true })
    await expect(blobs.receive(sound(), { maxBytes: 9 })).rejects.toMatchObject(away)
    await expect(blobs.check(new AbortController().signal)).rejects.toMatchObject(away)
    expect(readdirSync(join(share, "recordings"))).toEqual([])
    rmSync(share, { recursive: true })
    symlinkSync(disk, share)
    expect(await blobs.stat(KEY)).toBeNull()
  })

  it("says of each failure of the file system what to do, and never that the service is broken", () => {
    const said = (code: string) => folderError(Object.assign(new Error(code), { code }), "/mnt/share")
    for (const code of ["EROFS", "EACCES", "EPERM"])
      expect(said(code), code).toMatchObject({
        code: "unavailable",
        retry: "retry",
        message: expect.stringMatching(`${code}.*chown it.*ReadWritePaths`),
      })
    for (const code of ["EIO", "ESTALE", "ENOENT"]) expect(said(code), code).toMatchObject(away)
    expect(said("ENOSPC")).toMatchObject({ status: 507 })
    expect(said("EMFILE")).toMatchObject({ message: "EMFILE" })
  })
})
