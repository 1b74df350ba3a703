import { readdirSync, readFileSync, statSync } from "node:fs"
import { chmod, mkdtemp, open as openFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Driver from "better-sqlite3"
import { describe, expect, it, onTestFinished } from "vitest"
import { AppError } from "../../domain/errors.ts"
import { packageRoot } from "../../platform/package-root.ts"
import { openDatabase } from "./open.ts"
import { jobs } from "./schema/index.ts"
import { withRead, withWrite } from "./transact.ts"

const migrationsDir = join(packageRoot(), "drizzle")

const tempDir = async () => {
  const folder = await mkdtemp(join(tmpdir(), "earmark-db-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const open = (path: string, busyTimeoutMs = 5000) => {
  const handle = openDatabase({ path, migrationsDir, busyTimeoutMs })
  onTestFinished(() => handle.close())
  return handle
}

const thrownBy = (work: () => unknown): AppError => {
  try {
    work()
  } catch (error) {
    if (AppError.is(error)) return error
    throw error
  }
  throw new Error("nothing was thrown")
}

const newJob = (id: string) => ({
  id,
  sessionId: id,
  title: "t",
  source: { kind: "file" as const, path: "/x" },
  options: {} as never,
  status: "queued" as const,
  createdAt: 1,
})

describe("openDatabase", () => {
  it("creates the folder and the file, and sets the pragmas", async () => {
    const { raw } = open(join(await tempDir(), "deep", "er", "earmark.db"))
    const pragma = (name: string) => raw.pragma(name, { simple: true })
    expect(pragma("journal_mode")).toBe("wal")
    expect(pragma("synchronous")).toBe(1)
    expect(pragma("foreign_keys")).toBe(1)
    expect(pragma("busy_timeout")).toBe(5000)
    expect(pragma("integrity_check")).toBe("ok")
    expect(pragma("foreign_key_check")).toBeUndefined()
  })

  it("reopens an existing database, and may be closed more than once", async () => {
    const path = join(await tempDir(), "earmark.db")
    const first = open(path)
    withWrite(first, (tx) => void tx.insert(jobs).values(newJob("a")).run())
    first.close()
    first.close()
    expect(withRead(open(path), (tx) => tx.select({ id: jobs.id }).from(jobs).all())).toEqual([{ id: "a" }])
  })

  it("rejects a database of a newer version", async () => {
    const path = join(await tempDir(), "earmark.db")
    const { raw } = open(path)
    raw.prepare("insert into __drizzle_migrations (hash, created_at) values ('x', ?)").run(Date.now() * 2)
    const error = thrownBy(() => open(path))
    expect(error).toMatchObject({ code: "unavailable", retry: "never" })
    expect(error.message).toContain(path)
    expect(error.message).toMatch(/newer version of Earmark.*Install the newer version/)
  })

  it.each([
    ["a text file", "root:x:0:0:root:/root:/bin/bash\n".repeat(50)],
    ["another program's database", null],
  ])("rejects %s without changing its mode, its content or its folder", async (_, text) => {
    const dir = await tempDir()
    const path = join(dir, "other.db")
    if (text === null) new Driver(path).exec("create table bookmarks (url text); create table jobs (x)").close()
    else await writeFile(path, text)
    await chmod(path, 0o644)
    const before = readFileSync(path)
    expect(thrownBy(() => open(path))).toMatchObject({ code: "unavailable", retry: "never" })
    expect(statSync(path).mode & 0o777).toBe(0o644)
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(dir)).toEqual(["other.db"])
  })

  it("rejects another program's drizzle database and a database with another application ID", async () => {
    const dir = await tempDir()
    for (const [i, sql] of [
      "create table __drizzle_migrations (id integer primary key, hash text, created_at numeric); create table jobs (x)",
      "pragma application_id = 252006674; create table t (x); drop table t",
    ].entries()) {
      const path = join(dir, `${i}.db`)
      new Driver(path).exec(sql).close()
      expect(thrownBy(() => open(path)).message).toMatch(/belongs to another program/)
    }
  })

  it("creates a file that only this user can read, and keeps the mode of an existing empty file", async () => {
    const dir = await tempDir()
    open(join(dir, "made.db"))
    expect(statSync(join(dir, "made.db")).mode & 0o777).toBe(0o600)
    await writeFile(join(dir, "empty.db"), "", { mode: 0o640 })
    expect(open(join(dir, "empty.db")).raw.prepare("select count(*) from jobs").pluck().get()).toBe(0)
    expect(statSync(join(dir, "empty.db")).mode & 0o777).toBe(0o640)
  })

  it("rejects a database of another program", async () => {
    const path = join(await tempDir(), "other.db")
    const other = new Driver(path)
    other.exec("create table bookmarks (url text)")
    other.close()
    expect(thrownBy(() => open(path)).message).toMatch(/belongs to another program.*SERVICE_DB_PATH/)
  })

  it.each([
    ["text", "this is no database, ".repeat(500)],
    ["only a header", "SQLite format 3\0"],
  ])("reports that a file with %s is not a database", async (_, content) => {
    const path = join(await tempDir(), "earmark.db")
    await writeFile(path, content)
    const error = thrownBy(() => open(path))
    expect(error).toMatchObject({ code: "unavailable", retry: "never" })
    expect(error.message).toMatch(/damaged or not a database.*Move it away or restore a backup/)
  })

  it("reports damaged pages", async () => {
    const path = join(await tempDir(), "earmark.db")
    open(path).close()
    const file = await openFile(path, "r+")
    await file.write(Buffer.alloc(60_000, 0xa5), 0, 60_000, 4096)
    await file.close()
    const error = thrownBy(() => withRead(open(path), (tx) => tx.select().from(jobs).all()))
    expect(error.message).toMatch(/damaged or not a database/)
  })

  it("reports a path that is not writable, with the settings to change", async () => {
    const file = join(await tempDir(), "a-file")
    await writeFile(file, "")
    for (const path of [join(file, "earmark.db"), join(file, "sub", "earmark.db"), "/proc/earmark.db", tmpdir()]) {
      const error = thrownBy(() => open(path))
      expect(error).toMatchObject({ code: "unavailable", retry: "never" })
      expect(error.message).toContain(path)
      expect(error.message).toMatch(/for writing.*SERVICE_DATA_DIR/)
    }
  })
})

describe("transactions", () => {
  it("reports a database that stays locked, and succeeds when retried after the lock is released", async () => {
    const path = join(await tempDir(), "earmark.db")
    const handle = open(path, 50)
    const holder = open(path)
    holder.raw.exec("begin immediate")
    const error = thrownBy(() => withWrite(handle, (tx) => void tx.insert(jobs).values(newJob("a")).run()))
    expect(error).toMatchObject({ code: "unavailable", retry: "retry" })
    expect(error.message).toMatch(/^database is locked/)
    expect(withRead(handle, (tx) => tx.select().from(jobs).all())).toEqual([])
    holder.raw.exec("rollback")
    withWrite(handle, (tx) => void tx.insert(jobs).values(newJob("a")).run())
  })

  it("reports a full disk without writing anything, and works again once space is free", async () => {
    const handle = open(join(await tempDir(), "earmark.db"))
    handle.raw.pragma(`max_page_count = ${handle.raw.pragma("page_count", { simple: true })}`)
    const error = thrownBy(() =>
      withWrite(handle, (tx) => {
        tx.insert(jobs).values(newJob("small")).run()
        tx.insert(jobs)
          .values({ ...newJob("big"), title: "x".repeat(100_000) })
          .run()
      }),
    )
    expect(error).toMatchObject({ code: "storage_full", status: 507, retry: "retry" })
    expect(error.message).toMatch(/disk .* is full/)
    expect(withRead(handle, (tx) => tx.select().from(jobs).all())).toEqual([])
    handle.raw.pragma("max_page_count = 1000000")
    withWrite(handle, (tx) => void tx.insert(jobs).values(newJob("small")).run())
  })

  it("rejects an asynchronous body", async () => {
    const handle = open(join(await tempDir(), "earmark.db"))
    const body = async () => {}
    // @ts-expect-error a synchronous transaction cannot return a promise
    expect(() => withWrite(handle, body)).toThrow(/promise/)
  })

  it("holds the write lock from the start", async () => {
    const path = join(await tempDir(), "earmark.db")
    const [handle, other] = [open(path), open(path, 20)]
    withWrite(handle, (tx) => {
      expect(tx.select().from(jobs).all()).toEqual([])
      const blocked = thrownBy(() => withWrite(other, (tx2) => void tx2.insert(jobs).values(newJob("b")).run()))
      expect(blocked.message).toMatch(/^database is locked/)
    })
  })

  it("throws errors of the body unchanged", async () => {
    const handle = open(join(await tempDir(), "earmark.db"))
    const own = new Error("my own")
    expect(() =>
      withWrite(handle, () => {
        throw own
      }),
    ).toThrow(own)
  })
})
