import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Driver from "better-sqlite3"
import { describe, expect, it, onTestFinished } from "vitest"
import { packageRoot } from "../../platform/package-root.ts"
import { openDatabase } from "./open.ts"
import { openSource } from "./open-source.ts"

const migrationsDir = join(packageRoot(), "drizzle")

const folder = async () => {
  const dir = await mkdtemp(join(tmpdir(), "earmark-source-test-"))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}
const stateOf = (path: string) => ({
  bytes: readFileSync(path).toString("base64"),
  mode: statSync(path).mode & 0o777,
  changed: statSync(path).mtimeMs,
})

describe("openSource", () => {
  it("opens a database read-only and does not change its file", async () => {
    const path = join(await folder(), "earmark.db")
    openDatabase({ path, migrationsDir }).close()
    await chmod(path, 0o640)
    const before = stateOf(path)
    const source = await openSource(path, migrationsDir)
    expect(source.raw.prepare("select count(*) from clips").pluck().get()).toBe(0)
    expect(() => source.raw.exec("delete from clips")).toThrow(/readonly/)
    source.close()
    expect(stateOf(path)).toEqual(before)
  })

  it.each([
    ["empty", async (path: string) => writeFile(path, ""), /is empty/],
    [
      "not a database",
      async (path: string) => writeFile(path, "root:x:0:0\n".repeat(100)),
      /damaged or not a database/,
    ],
    [
      "a database of another program",
      async (path: string) => void new Driver(path).exec("create table t (x)").close(),
      /another program/,
    ],
  ])("rejects a file that is %s, without changing it", async (_, make, sentence) => {
    const dir = await folder()
    const path = join(dir, "file")
    await make(path)
    await chmod(path, 0o644)
    const before = stateOf(path)
    await expect(openSource(path, migrationsDir)).rejects.toThrow(sentence)
    expect(stateOf(path)).toEqual(before)
    expect(readdirSync(dir)).toEqual(["file"])
  })

  it("opens a migrated copy of a database of an older version, and deletes the copy on close", async () => {
    const older = join(await folder(), "drizzle")
    cpSync(migrationsDir, older, { recursive: true })
    const journal = join(older, "meta/_journal.json")
    const { entries, ...rest } = JSON.parse(readFileSync(journal, "utf8")) as { entries: { when: number }[] }
    const last = entries.at(-1)!.when
    writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, -1) }))
    const path = join(await folder(), "earmark.db")
    openDatabase({ path, migrationsDir: older }).close()
    const before = stateOf(path)
    const source = await openSource(path, migrationsDir)
    expect(source.raw.prepare("select max(created_at) from __drizzle_migrations").pluck().get()).toBe(last)
    const copy = source.path
    source.close()
    expect(stateOf(path)).toEqual(before)
    expect(() => statSync(copy)).toThrow(/ENOENT/)
  })
})
