import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { probeGroups, probePackage } from "./load.ts"
import { GROUPS } from "./packages.ts"
import { capabilityError, requireGroups } from "./registry.ts"
import { verifyGroup, verifyGroupUncached } from "./verify-group.ts"

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
  it("distinguishes present, missing and broken packages", async () => {
    expect(await probePackage("sound", from)).toBe("present")
    expect(await probePackage("not-installed-anywhere", from)).toBe("missing")
  })
  it("reports a package as broken if one of its dependencies is missing", async () => {
    expect(await probePackage("broken", from)).toEqual({
      broken: expect.stringContaining("a-package-that-is-not-there"),
    })
  })
  it("reports a package without its main file as broken", async () => {
    expect(await probePackage("hollow", from)).toEqual({ broken: expect.any(String) })
  })
  it("calls a native package before it reports it as present", async () => {
    expect(await probePackage("better-sqlite3", from)).toEqual({ broken: expect.stringContaining("wrong ELF") })
  })
})

describe("probeGroups", () => {
  it("finds the installed packages of this repository", async () => {
    expect((await probeGroups([])).rag).toEqual({ state: "present" })
  })
  it("names the broken package and the install command with versions", async () => {
    const { rag } = await probeGroups([], from)
    expect(rag).toMatchObject({ state: "broken", detail: expect.stringContaining("better-sqlite3 is installed but") })
    expect(capabilityError("rag", rag).message).toMatch(/npm install better-sqlite3@\^\d+\S* drizzle-orm@/)
  })
  it("disables groups and explains how to enable them", async () => {
    const groups = await probeGroups(["broker"])
    expect(() => requireGroups(groups, ["rag"])).not.toThrow()
    expect(() => requireGroups(groups, ["rag", "broker"])).toThrow(/SERVICE_DISABLE_EXTRAS.*npm install .+/)
  })
})

describe("lazy groups", () => {
  const fakes = (mains: Record<string, string>): string => {
    const folder = mkdtempSync(join(dir, "unloaded-"))
    for (const name of GROUPS.telemetry) {
      const own = join(folder, "node_modules", name)
      mkdirSync(own, { recursive: true })
      writeFileSync(join(own, "package.json"), JSON.stringify({ name, type: "module", exports: "./index.js" }))
      writeFileSync(join(own, "index.js"), mains[name] ?? "export const fine = true")
    }
    return pathToFileURL(join(folder, "module.js")).href
  }
  it("are looked up first and verified later in a separate process", async () => {
    const home = fakes({ "@opentelemetry/api": "throw new Error('invalid ELF header')" })
    expect((await probeGroups([], home)).telemetry).toEqual({ state: "present" })
    expect(await verifyGroupUncached("telemetry", home)).toMatchObject({
      state: "broken",
      detail: "@opentelemetry/api is installed but does not load (invalid ELF header).",
    })
  })
  it("are reported as broken, without a crash of this process, if loading crashes", async () => {
    const home = fakes({ "@opentelemetry/sdk-node": "process.kill(process.pid, 'SIGSEGV')" })
    expect(await verifyGroupUncached("telemetry", home)).toMatchObject({
      state: "broken",
      detail: expect.stringMatching(/^@opentelemetry\/sdk-node .*SIGSEGV/),
    })
  })
  it("are present when each of their packages loads", async () => {
    expect(await verifyGroupUncached("telemetry", fakes({}))).toEqual({ state: "present" })
    expect(await verifyGroup("telemetry", { state: "present" })).toEqual({ state: "present" })
  })
  it("are not verified if they are missing or disabled", async () => {
    const { telemetry } = await probeGroups(["telemetry"])
    expect(await verifyGroup("telemetry", telemetry)).toBe(telemetry)
    expect((await probeGroups([], from)).telemetry).toMatchObject({
      state: "missing",
      install: expect.stringMatching(/^npm install @opentelemetry\/api@/),
    })
  })
})
