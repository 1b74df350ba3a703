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
  const folder = await mkdtemp(join(tmpdir(), "earmark-turns-"))
  const open = (ms: number) =>
    openDatabase({ path: join(folder, "earmark.db"), migrationsDir: join(packageRoot(), "drizzle"), busyTimeoutMs: ms })
  const [handle, other] = [open(busyTimeoutMs), open(0)]
  onTestFinished(async () => {
    for (const h of [handle, other]) h.close()
    await rm(folder, { recursive: true, force: true })
  })
  const write = (value: string) =>
    handle.turn(() =>
      withWrite(handle, (tx) => {
        const row = { kind: "speech", value, reason: "", chosenAt: 0 } as const
        tx.insert(choices).values(row).onConflictDoUpdate({ target: choices.kind, set: { value } }).run()
        return value
      }),
    )
  const value = () => withRead(handle, (tx) => tx.select().from(choices).get())?.value
  return { handle, other, write, value }
}

describe("writes in turns", () => {
  it("are made at once when nobody is in the way", async () => {
    const { write, value } = await setup()
    const written = write("a")
    expect(value()).toBe("a")
    expect(await written).toBe("a")
  })

  it("wait for another's lock without stopping this process, and keep their order", async () => {
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

  it("say that the database is locked when it stays so, each in its own time", async () => {
    const { handle, other, write, value } = await setup(60)
    other.raw.exec("begin immediate")
    const failures = await Promise.all([write("a"), write("b")].map((w) => w.catch((error: unknown) => error)))
    for (const failure of failures) expect(failure).toMatchObject({ code: "unavailable", retry: "retry" })
    other.raw.exec("rollback")
    expect(await write("c")).toBe("c")
    expect(value()).toBe("c")
    expect(handle.raw.pragma("busy_timeout", { simple: true })).toBe(60)
  })

  it("do not suffer from one of them that fails", async () => {
    const { handle, other, write, value } = await setup()
    other.raw.exec("begin immediate")
    const bad = handle.turn(() => withWrite(handle, (tx) => tx.run(sql`insert into nowhere values (1)`)))
    const good = write("good")
    other.raw.exec("rollback")
    await expect(bad).rejects.toThrow(/nowhere/)
    await good
    expect(value()).toBe("good")
  })
})

describe("writes that have gathered", () => {
  const gathered = async () => {
    const f = await setup()
    f.other.raw.exec("begin immediate")
    return { ...f, free: () => f.other.raw.exec("rollback") }
  }

  it("are one commit for others, and what one of them threw takes back that one alone", async () => {
    const { handle, other, write, value, free } = await gathered()
    const version = () => other.raw.pragma("data_version", { simple: true }) as number
    const spoilt = () =>
      handle.turn(() =>
        withWrite(handle, (tx) => {
          tx.update(choices).set({ value: "spoilt" }).run()
          throw new Error("no")
        }),
      )
    const all = [write("a"), write("b"), spoilt(), spoilt()]
    free()
    const before = version()
    const ends = await Promise.allSettled(all)
    expect(ends.map((e) => e.status)).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"])
    expect(value()).toBe("b")
    expect(version()).toBe(before + 1)
  })

  it("are written each by itself when one of them takes the whole commit back", async () => {
    const { handle, write, value, free } = await gathered()
    let runs = 0
    const breaking = () =>
      handle.turn(() => {
        runs++
        if (handle.raw.inTransaction) handle.raw.exec("rollback")
        throw new Error("all is taken back")
      })
    const all = [write("a"), breaking(), write("c"), write("d")]
    free()
    const ends = await Promise.allSettled(all)
    expect(ends.map((e) => e.status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"])
    expect(runs).toBe(2)
    expect(value()).toBe("d")
  })

  it("are written as far as there is room for them when the disk is full", async () => {
    const { handle, write, value, free } = await gathered()
    handle.raw.pragma(`max_page_count = ${handle.raw.pragma("page_count", { simple: true })}`)
    const all = [write("a"), write("x".repeat(100_000)), write("c")]
    free()
    const ends = await Promise.allSettled(all)
    expect(ends.map((e) => e.status)).toEqual(["fulfilled", "rejected", "fulfilled"])
    expect(ends[1]).toMatchObject({ reason: { code: "storage_full" } })
    expect(value()).toBe("c")
  })

  it("end with an error when the database is closed under them", async () => {
    const { handle, write } = await gathered()
    const all = [write("a"), write("b")]
    handle.close()
    for (const end of await Promise.allSettled(all)) expect(end.status).toBe("rejected")
  })
})

describe("statements that are kept", () => {
  it("give rows in the shape that is asked for, whatever was asked for before", async () => {
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

  it("see a schema that another connection has changed", async () => {
    const { handle, other, write } = await setup()
    await write("a")
    const read = () => withRead(handle, (tx) => tx.all("select * from choices"))
    expect(Object.keys(read()[0] as object)).not.toContain("added")
    other.raw.exec("alter table choices add column added text default 'x'")
    expect(read()[0]).toMatchObject({ value: "a", added: "x" })
  })
})
