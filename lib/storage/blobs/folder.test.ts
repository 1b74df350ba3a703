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
import { openBlobFolder } from "./folder.ts"
import { findBlobKey } from "./keys.ts"
import { toFolderError } from "./mount-check.ts"
import { testBlobs } from "./testing/blobs.testsuite.ts"

testBlobs("folder", async () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-blobs-"))
  return {
    blobs: openBlobFolder(join(dir, "uploads")),
    everything: async () => readdirSync(dir, { recursive: true }).map(String).toSorted(),
    abandon: async (onThisHost) => {
      const name = onThisHost
        ? createTempName().replace(/\d+/, "999999999")
        : ".incoming-999999999-00000000-of-another-host"
      writeFileSync(join(dir, "uploads", name), "half")
    },
    teardown: async () => rmSync(dir, { recursive: true }),
  }
})

describe("openBlobFolder", () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "earmark-blobs-"))
  })
  afterEach(() => rmSync(dir, { recursive: true }))
  const KEY = `${"b".repeat(64)}.wav`

  it("ignores symbolic links and folders", async () => {
    const [inside, outside] = [join(dir, "uploads"), join(dir, "secret")]
    mkdirSync(join(inside, "folder"), { recursive: true })
    writeFileSync(outside, "secret")
    symlinkSync(outside, join(inside, KEY))
    symlinkSync(dir, join(inside, "documents"))
    const blobs = openBlobFolder(inside)
    for await (const { key } of blobs.list("")) expect.unreachable(`${key} is listed`)
    for (const key of [KEY, "folder", "documents/secret"])
      expect([await blobs.open(key), await blobs.stat(key)], key).toEqual([null, null])
    for (const key of ["../secret", "folder/../../secret", "/etc/passwd"])
      await expect(blobs.open(key), key).rejects.toMatchObject({ code: "not_found" })
  })

  it("finds a blob by its hash after the folder was moved", async () => {
    const old = join(dir, "old")
    mkdirSync(old)
    writeFileSync(join(old, KEY), "sound")
    cpSync(old, join(dir, "new"), { recursive: true })
    const blobs = openBlobFolder(join(dir, "new"))
    expect(findBlobKey(blobs, join(old, KEY))).toBe(KEY)
    expect(findBlobKey(blobs, `s3://bucket/prefix/${KEY}`)).toBe(KEY)
    const document = `documents/${"c".repeat(64)}/My notes.md`
    expect(findBlobKey(blobs, `s3://bucket/${document}`)).toBe(document)
    for (const other of ["/home/me/talk.wav", `/x/${KEY}/y`, `s3://bucket/documents/${"c".repeat(64)}/..`])
      expect(findBlobKey(blobs, other), other).toBeNull()
  })

  it("names the setting to change if the folder is not writable", async () => {
    writeFileSync(join(dir, "file"), "")
    const blobs = openBlobFolder(join(dir, "file", "uploads"))
    await expect(blobs.check(new AbortController().signal)).rejects.toThrow(/Couldn't write to .*SERVICE_BLOB_URL/)
  })

  const sound = () => Readable.from([Buffer.from("sound")])
  const unavailable = {
    code: "unavailable",
    status: 503,
    retry: "later",
    message: expect.stringMatching(/Mount it again/),
  }

  it("never creates a mounted folder: while it is unmounted, every method asks to retry later", async () => {
    const [share, gone] = [join(dir, "share"), join(dir, "gone")]
    mkdirSync(join(share, "recordings"), { recursive: true })
    const blobs = openBlobFolder(join(share, "recordings"), { mounted: true })
    const incoming = await blobs.receive(sound(), { maxBytes: 9 })
    await incoming.keep(KEY)
    const late = await blobs.receive(sound(), { maxBytes: 9 })
    renameSync(share, gone)
    mkdirSync(share)
    const { signal } = new AbortController()
    const calls: Record<string, () => Promise<unknown>> = {
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
    for (const [name, call] of Object.entries(calls)) await expect(call(), name).rejects.toMatchObject(unavailable)
    expect(readdirSync(share)).toEqual([])
    rmdirSync(share)
    renameSync(gone, share)
    expect(await blobs.stat(KEY)).toMatchObject({ bytes: 5 })
    await expect(blobs.file("none.wav", { dir, signal })).rejects.toMatchObject({ code: "not_found", retry: "never" })
  })

  it("detects a folder of the same name under the mount point of an unmounted share", async () => {
    // On Linux this is a separate file system, as a share is.
    const disk = mkdtempSync("/dev/shm/earmark-blobs-")
    onTestFinished(() => rmSync(disk, { recursive: true }))
    const share = join(dir, "share")
    symlinkSync(disk, share)
    mkdirSync(join(share, "recordings"))
    const blobs = openBlobFolder(join(share, "recordings"), { mounted: true })
    expect(await blobs.check(new AbortController().signal)).toContain("GiB free")
    rmSync(share)
    mkdirSync(join(share, "recordings"), { recursive: true })
    await expect(blobs.receive(sound(), { maxBytes: 9 })).rejects.toMatchObject(unavailable)
    await expect(blobs.check(new AbortController().signal)).rejects.toMatchObject(unavailable)
    expect(readdirSync(join(share, "recordings"))).toEqual([])
    rmSync(share, { recursive: true })
    symlinkSync(disk, share)
    expect(await blobs.stat(KEY)).toBeNull()
  })

  it("converts file system errors to errors that say what to do", () => {
    const convert = (code: string) => toFolderError(Object.assign(new Error(code), { code }), "/mnt/share")
    for (const code of ["EROFS", "EACCES", "EPERM"])
      expect(convert(code), code).toMatchObject({
        code: "unavailable",
        retry: "retry",
        message: expect.stringMatching(`${code}.*chown it.*ReadWritePaths`),
      })
    for (const code of ["EIO", "ESTALE", "ENOENT"]) expect(convert(code), code).toMatchObject(unavailable)
    expect(convert("ENOSPC")).toMatchObject({ status: 507 })
    expect(convert("EMFILE")).toMatchObject({ message: "EMFILE" })
  })
})
