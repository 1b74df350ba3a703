import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { probeGroups, probePackage } from "./load.ts"
import { capabilityError, requireGroups } from "./registry.ts"

let dir: string
let from: string
const fake = (name: string, main: string | null) => {
  const folder = join(dir, "node_modules", name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version: "1.0.0", main: "index.js" }))
  if (main !== null) writeFileSync(join(folder, "index.js"), main)
}

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "earmark-capabilities-"))
  from = pathToFileURL(join(dir, "module.js")).href
  fake("sound", "module.exports = { fine: true }")
  fake("broken", "require('a-package-that-is-not-there')")
  fake("hollow", null)
  fake("better-sqlite3", "module.exports = class { constructor() { throw new Error('ERR_DLOPEN_FAILED: wrong ELF') } }")
})
afterAll(() => rmSync(dir, { recursive: true }))

describe("probePackage", () => {
  it("tells present, missing and broken apart", async () => {
    expect(await probePackage("sound", from)).toBe("present")
    expect(await probePackage("not-installed-anywhere", from)).toBe("missing")
  })
  it("calls a package broken, not missing, when one that it needs is missing", async () => {
    expect(await probePackage("broken", from)).toEqual({
      broken: expect.stringContaining("a-package-that-is-not-there"),
    })
  })
  it("calls a package without its main file broken", async () => {
    expect(await probePackage("hollow", from)).toEqual({ broken: expect.any(String) })
  })
  it("uses a native package before it calls it present", async () => {
    expect(await probePackage("better-sqlite3", from)).toEqual({ broken: expect.stringContaining("wrong ELF") })
  })
})

describe("probeGroups", () => {
  it("finds the real packages of this checkout", async () => {
    expect((await probeGroups([])).rag).toEqual({ state: "present" })
  })
  it("names what is broken and gives an install command with versions", async () => {
    const { rag } = await probeGroups([], from)
    expect(rag).toMatchObject({ state: "broken", detail: expect.stringContaining("better-sqlite3 is installed but") })
    expect(capabilityError("rag", rag).message).toMatch(/npm install better-sqlite3@\^\d+\S* drizzle-orm@/)
  })
  it("switches groups off, and says how to switch them on again", async () => {
    const groups = await probeGroups(["broker"])
    expect(() => requireGroups(groups, ["rag"])).not.toThrow()
    expect(() => requireGroups(groups, ["rag", "broker"])).toThrow(/SERVICE_DISABLE_EXTRAS.*npm install .+/)
  })
})
