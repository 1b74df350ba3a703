import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { AppError } from "#lib/domain/errors.ts"
import { uuid5 } from "#lib/domain/ids.ts"
import type { SourceRef } from "#lib/domain/jobs/source.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { createOpenSource } from "#lib/sources/open.ts"
import { openBlobFolder } from "#lib/storage/blobs/folder.ts"
import { SAMPLE } from "../speech/helpers.ts"

let base: string
let inside: string
const at = (name: string): string => join(inside, name)
const signal = new AbortController().signal

const { fetch } = loadConfig({})
const folders = (dir: string) => ({ blobs: async () => openBlobFolder(dir), tempDir: dir })
const open = (ref: SourceRef) =>
  createOpenSource({ roots: [inside], ...folders(join(base, "uploads")), fetch })(ref, signal)
const errorFor = async (path: string): Promise<AppError> => {
  const error = await open({ kind: "file", path }).catch((e: unknown) => e)
  if (!AppError.is(error)) throw new Error(`${path} was not rejected`)
  expect(error.retry).toBe("never")
  return error
}

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "earmark-open-")))
  inside = join(base, "talks")
  for (const dir of [inside, join(base, "talks-evil"), join(base, "uploads"), at("folder")]) mkdirSync(dir)
  cpSync(SAMPLE, at("talk.flac"))
  cpSync(SAMPLE, join(base, "talks-evil", "talk.flac"))
  cpSync(SAMPLE, join(base, "uploads", "0123.bin"))
})
afterAll(() => {
  rmSync(base, { recursive: true })
})

describe("opening sources", () => {
  it("returns the real path and its identity", async () => {
    expect(await open({ kind: "file", path: at("talk.flac") })).toEqual({
      path: at("talk.flac"),
      sessionId: uuid5(at("talk.flac")),
      keptAt: at("talk.flac"),
    })
  })

  it("follows a link inside the roots, to the identity of its target", async () => {
    symlinkSync(at("talk.flac"), at("link.flac"))
    expect(await open({ kind: "file", path: at("link.flac") })).toEqual({
      path: at("talk.flac"),
      sessionId: uuid5(at("talk.flac")),
      keptAt: at("talk.flac"),
    })
  })

  it("accepts roots that are links", async () => {
    symlinkSync(inside, join(base, "linked-root"))
    const openFromLink = createOpenSource({ roots: [join(base, "linked-root")], ...folders(base), fetch })
    const opened = await openFromLink({ kind: "file", path: join(base, "linked-root", "talk.flac") }, signal)
    expect(opened.path).toBe(at("talk.flac"))
  })

  it("opens an upload only in the uploads folder, and keeps its identity", async () => {
    const upload = join(base, "uploads", "0123.bin")
    expect(await open({ kind: "upload", path: upload, name: "talk.flac" })).toEqual({
      path: upload,
      sessionId: undefined,
      keptAt: upload,
    })
    await expect(open({ kind: "upload", path: at("talk.flac"), name: "x" })).rejects.toMatchObject({
      code: "not_found",
    })
  })

  it("stops when aborted", async () => {
    const aborted = AbortSignal.abort(new Error("aborted"))
    const opening = createOpenSource({ roots: [inside], ...folders(base), fetch })(
      { kind: "file", path: at("talk.flac") },
      aborted,
    )
    await expect(opening).rejects.toThrow("aborted")
  })
})

describe("rejected paths", () => {
  it("a missing file", async () => {
    expect(await errorFor(at("nothing.mp3"))).toMatchObject({
      code: "not_found",
      message: `no such file: ${at("nothing.mp3")}`,
    })
    expect(await errorFor(join(at("talk.flac"), "below"))).toMatchObject({ code: "not_found" })
  })

  it("a sibling of the root, existing or not", async () => {
    for (const name of ["talk.flac", "nothing.flac"]) {
      const path = join(base, "talks-evil", name)
      const error = await errorFor(path)
      expect(error.code).toBe("forbidden")
      expect(error.message.replaceAll(path, "")).toContain("SERVICE_INGEST_ROOTS")
    }
  })

  it("a link out of the root, and a folder that is such a link", async () => {
    symlinkSync("/etc/passwd", at("out.wav"))
    symlinkSync(join(base, "talks-evil"), at("linked-folder"))
    expect(await errorFor(at("out.wav"))).toMatchObject({ code: "forbidden" })
    expect(await errorFor(at("linked-folder/talk.flac"))).toMatchObject({ code: "forbidden" })
  })

  it("a link to itself", async () => {
    symlinkSync(at("loop"), at("loop"))
    expect(await errorFor(at("loop"))).toMatchObject({ code: "invalid" })
  })

  it("a folder, a FIFO, a device, without waiting", async () => {
    execFileSync("mkfifo", [at("fifo.wav")])
    expect((await errorFor(at("folder"))).message).toContain("is a folder")
    expect((await errorFor(at("fifo.wav"))).message).toContain("not a regular file")
    const openAnywhere = createOpenSource({ roots: ["/"], ...folders(base), fetch })
    await expect(openAnywhere({ kind: "file", path: "/dev/zero" }, signal)).rejects.toThrow("not a regular file")
  })
})

describe("files that are not recordings", () => {
  it.each([
    ["empty.wav", "", "is empty"],
    ["text.wav", "hello, I am not a recording\n", "not a recording"],
    ["page.mp3", "<!doctype html><html><body>404</body></html>", "not a recording"],
    ["list.mp3", "#EXTM3U\n#EXTINF:10,\nfile:///etc/passwd\n", "not a recording"],
    ["script.mp3", "ffconcat version 1.0\nfile /etc/passwd\n", "not a recording"],
    ["one.mp3", "x", "not a recording"],
  ])("rejects %s", async (name, content, message) => {
    writeFileSync(at(name), content)
    const error = await errorFor(at(name))
    expect(error.code).toBe("unsupported_media")
    expect(error.message).toContain(message)
    expect(error.message).toContain(at(name))
  })
})
