import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { eq, sql } from "drizzle-orm"
import { describe, expect, it, onTestFinished } from "vitest"
import { packageRoot } from "../../platform/package-root.ts"
import { openDatabase } from "./open.ts"
import { choices } from "./schema/index.ts"
import { withRead, withWrite } from "./transact.ts"

const setup = async (busyTimeoutMs = 5_000) => {
  const folder = await mkdtemp(join(tmpdir(), "earmark-write-queue-"))
  const open = (ms: number) =>
    openDatabase({ path: join(folder, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle"), busyTimeoutMs: ms })
  const [handle, other] = [open(busyTimeoutMs), open(0)]
  onTestFinished(async () => {
    for (const h of [handle, other]) h.close()
    await rm(folder, { recursive: true, force: true })
  })
  const write = (value: string) =>
    handle.enqueueWrite(() =>
      withWrite(handle, (tx) => {
        const row = { kind: "speech", value, reason: "", chosenAt: 0 } as const
        tx.insert(choices).values(row).onConflictDoUpdate({ target: choices.kind, set: { value } }).run()
        return value
      }),
    )
  const value = () => withRead(handle, (tx) => tx.select().from(choices).get())?.value
  return { handle, other, write, value }
}

describe("write queue", () => {
  it("writes immediately if no lock is held", async () => {
    const { write, value } = await setup()
    const written = write("a")
    expect(value()).toBe("a")
    expect(await written).toBe("a")
  })

  it("waits for another process's lock without blocking the event loop, and keeps the order", async () => {
    const { other, write, value } = await setup()
    other.raw.exec("begin immediate")
    const order: string[] = []
    const all = ["a", "b", "c"].map((v) => write(v).then((w) => order.push(w)))
    let ticks = 0
    const timer = setInterval(() => ticks++, 5)
    await sleep(150)
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(5)
    expect(value()).toBeUndefined()
    other.raw.exec("rollback")
    await Promise.all(all)
    expect(order).toEqual(["a", "b", "c"])
    expect(value()).toBe("c")
  })

  it("rejects each write after its own timeout if the database stays locked", async () => {
    const { handle, other, write, value } = await setup(60)
    other.raw.exec("begin immediate")
    const failures = await Promise.all([write("a"), write("b")].map((w) => w.catch((error: unknown) => error)))
    for (const failure of failures) expect(failure).toMatchObject({ code: "unavailable", retry: "retry" })
    other.raw.exec("rollback")
    expect(await write("c")).toBe("c")
    expect(value()).toBe("c")
    expect(handle.raw.pragma("busy_timeout", { simple: true })).toBe(60)
  })

  it("continues after a write that fails", async () => {
    const { handle, other, write, value } = await setup()
    other.raw.exec("begin immediate")
    const bad = handle.enqueueWrite(() => withWrite(handle, (tx) => tx.run(sql`insert into nowhere values (1)`)))
    const good = write("good")
    other.raw.exec("rollback")
    await expect(bad).rejects.toThrow(/nowhere/)
    await good
    expect(value()).toBe("good")
  })
})

describe("group commit", () => {
  const setupLocked = async () => {
    const f = await setup()
    f.other.raw.exec("begin immediate")
    return { ...f, unlock: () => f.other.raw.exec("rollback") }
  }

  it("commits queued writes together and rolls back only the one that throws", async () => {
    const { handle, other, write, value, unlock } = await setupLocked()
    const version = () => other.raw.pragma("data_version", { simple: true }) as number
    const failing = () =>
      handle.enqueueWrite(() =>
        withWrite(handle, (tx) => {
          tx.update(choices).set({ value: "failing" }).run()
          throw new Error("no")
        }),
      )
    const all = [write("a"), write("b"), failing(), failing()]
    unlock()
    const before = version()
    const ends = await Promise.allSettled(all)
    expect(ends.map((e) => e.status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"])
    expect(value()).toBe("b")
    expect(version()).toBe(before + 1)
  })

  it("commits writes one by one if one of them rolls back the whole transaction", async () => {
    const { handle, write, value, unlock } = await setupLocked()
    let runs = 0
    const breaking = () =>
      handle.enqueueWrite(() => {
        runs++
        if (handle.raw.inTransaction) handle.raw.exec("rollback")
        throw new Error("rolled back")
      })
    const all = [write("a"), breaking(), write("c"), write("d")]
    unlock()
    const ends = await Promise.allSettled(all)
    expect(ends.map((e) => e.status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"])
    expect(runs).toBe(2)
    expect(value()).toBe("d")
  })

  it("commits the writes that still fit on a full disk", async () => {
    const { handle, write, value, unlock } = await setupLocked()
    handle.raw.pragma(`max_page_count = ${handle.raw.pragma("page_count", { simple: true })}`)
    const all = [write("a"), write("x".repeat(100_000)), write("c")]
    unlock()
    const ends = await Promise.allSettled(all)
    expect(ends.map((e) => e.status)).toEqual(["fulfilled", "rejected", "fulfilled"])
    expect(ends[1]).toMatchObject({ reason: { code: "storage_full" } })
    expect(value()).toBe("c")
  })

  it("rejects queued writes if the database is closed", async () => {
    const { handle, write } = await setupLocked()
    const all = [write("a"), write("b")]
    handle.close()
    for (const end of await Promise.allSettled(all)) expect(end.status).toBe("rejected")
  })
})

describe("statement cache", () => {
  it("returns rows in the requested shape, regardless of the previous use of the statement", async () => {
    const { handle, write } = await setup()
    await write("a")
    const text = "select kind, value from choices where kind = 'speech'"
    const named = { kind: "speech", value: "a" }
    const byBuilder = () =>
      withRead(handle, (tx) => tx.select({ v: choices.value }).from(choices).where(eq(choices.kind, "speech")).all())
    for (let i = 0; i < 2; i++) {
      expect(withRead(handle, (tx) => tx.all(text))).toEqual([named])
      expect(withRead(handle, (tx) => tx.values(text))).toEqual([["speech", "a"]])
      expect(withRead(handle, (tx) => tx.get(text))).toEqual(named)
      expect(byBuilder()).toEqual([{ v: "a" }])
    }
  })

  it("returns columns that another connection has added", async () => {
    const { handle, other, write } = await setup()
    await write("a")
    const read = () => withRead(handle, (tx) => tx.all("select * from choices"))
    expect(Object.keys(read()[0] as object)).not.toContain("added")
    other.raw.exec("alter table choices add column added text default 'x'")
    expect(read()[0]).toMatchObject({ value: "a", added: "x" })
  })
})
