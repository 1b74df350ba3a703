import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { incomingName } from "../scratch.ts"
import { openFolder } from "./folder.ts"
import { blobKey } from "./keys.ts"
import { testBlobs } from "./testing/blobs.testsuite.ts"

testBlobs("a folder", async () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-blobs-"))
  return {
    blobs: openFolder(join(dir, "uploads")),
    everything: async () => readdirSync(dir, { recursive: true }).map(String).toSorted(),
    abandon: async (mine) => {
      const name = mine ? incomingName().replace(/\d+/, "999999999") : ".incoming-999999999-00000000-of-another-host"
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
})
