import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freeBytes, makeFolder, nearestFolder } from "./folder.ts"

describe("folders", () => {
  it("are created with their parents, with access for this user only", () => {
    const dir = mkdtempSync(join(tmpdir(), "earmark-folder-"))
    const deep = join(dir, "a/b")
    expect(nearestFolder(deep)).toBe(dir)
    makeFolder(deep)
    makeFolder(deep)
    expect(statSync(deep).mode & 0o777).toBe(0o700)
    expect(freeBytes(deep)).toBeGreaterThan(0)
    rmSync(dir, { recursive: true })
  })

  it("fail with an error if the file system does not allow them", () => {
    expect(() => makeFolder("/proc/earmark/data")).toThrow(/ENOENT|EACCES|EPERM|EROFS/)
  })
})
