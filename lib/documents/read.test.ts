import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { LIMITS } from "./limits.ts"
import { readFileInside } from "./read.ts"

describe("readFileInside", () => {
  let dir: string
  beforeEach(() => {
    dir = realpathSync(mkdtempSync(join(tmpdir(), "earmark-read-")))
    for (const folder of ["root/notes", "outside"]) mkdirSync(join(dir, folder), { recursive: true })
    writeFileSync(join(dir, "root/notes/a.txt"), "inside")
    writeFileSync(join(dir, "outside/a.txt"), "secret")
  })
  afterEach(() => rmSync(dir, { recursive: true }))
  const read = async (path: string) =>
    Buffer.from(await readFileInside(join(dir, path), [join(dir, "root")])).toString()

  it("reads a file below a root", async () => {
    expect(await read("root/notes/a.txt")).toBe("inside")
  })
  it("refuses a file whose folder was replaced by a link to the outside after its path was checked", async () => {
    renameSync(join(dir, "root/notes"), join(dir, "root/moved"))
    symlinkSync(join(dir, "outside"), join(dir, "root/notes"))
    await expect(read("root/notes/a.txt")).rejects.toMatchObject({ code: "forbidden" })
  })
  it("refuses a link in place of the file, and a folder", async () => {
    symlinkSync(join(dir, "outside/a.txt"), join(dir, "root/link.txt"))
    await expect(read("root/link.txt")).rejects.toMatchObject({ code: "invalid" })
    await expect(read("root/notes")).rejects.toMatchObject({ code: "invalid" })
  })

  it("refuses a file that is larger than a document may be, without reading it", async () => {
    const path = join(dir, "root/large.txt")
    writeFileSync(path, "")
    truncateSync(path, LIMITS.fileBytes + 1)
    const admitted: number[] = []
    const reading = readFileInside(path, [join(dir, "root")], async (size) => void admitted.push(size))
    await expect(reading).rejects.toMatchObject({
      code: "too_large",
      message: `Couldn't read ${path}: it is larger than 100 MB. Split it into smaller files.`,
    })
    expect(admitted).toEqual([LIMITS.fileBytes + 1])
  })
  it("reads what is appended while it waits for its turn", async () => {
    const path = join(dir, "root/notes/a.txt")
    const bytes = await readFileInside(path, [join(dir, "root")], async () => appendFileSync(path, " and more"))
    expect(Buffer.from(bytes).toString()).toBe("inside and more")
  })
})
