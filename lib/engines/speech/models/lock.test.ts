import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { currentOwner, formatOwner, isLocked, isOwnerAlive, withLock } from "./lock.ts"

let dir: string
let path: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "earmark-lock-"))
  path = join(dir, "model.lock")
})
afterEach(() => rmSync(dir, { recursive: true }))

const old = (): void => utimesSync(path, new Date(Date.now() - 130_000), new Date(Date.now() - 130_000))
/** Whether the lock can be had at once. */
const free = async (): Promise<boolean> => {
  const taken = new Error("taken")
  const waiting = async () => {
    throw taken
  }
  return withLock(path, { signal: new AbortController().signal, waiting }, async () => true).catch((error: unknown) => {
    if (error !== taken) throw error
    return false
  })
}

describe("a lock", () => {
  it("is whole as soon as it is there, and nothing is left of it", async () => {
    await withLock(path, { signal: new AbortController().signal, waiting: async () => {} }, async () => {
      expect(readFileSync(path, "utf8")).toContain(formatOwner(await currentOwner()))
      expect(readdirSync(dir)).toEqual(["model.lock"])
      expect([await isLocked(path), await free()]).toEqual([true, false])
    })
    expect([readdirSync(dir), await isLocked(path)]).toEqual([[], false])
  })

  it("of a process that lives is kept, however old; of one that is dead it is not, nor of another under its number", async () => {
    const me = await currentOwner()
    writeFileSync(path, formatOwner(me))
    old()
    expect([await isLocked(path), await free()]).toEqual([true, false])

    const child = spawn("true")
    await new Promise((resolve) => child.once("close", resolve))
    for (const gone of [
      { ...me, pid: child.pid! },
      { ...me, started: "1" },
    ]) {
      writeFileSync(path, formatOwner(gone))
      expect([await isOwnerAlive(formatOwner(gone)), await isLocked(path), await free()]).toEqual([false, false, true])
    }
  })

  it("that says nothing, or is of another machine, is kept while it is fresh and no longer", async () => {
    const elsewhere = formatOwner({ ...(await currentOwner()), createLockFile: "0".repeat(16) })
    for (const text of ["", String(process.pid), elsewhere]) {
      writeFileSync(path, text)
      expect([await isLocked(path), await free()]).toEqual([true, false])
      old()
      expect([await isLocked(path), await free()]).toEqual([false, true])
      writeFileSync(path, text)
      utimesSync(path, new Date(Date.now() + 3_600_000), new Date(Date.now() + 3_600_000))
      expect(await free()).toBe(true)
    }
    expect(existsSync(path)).toBe(false)
  })

  it("is had by one at a time, of many that want it when its holder is gone", async () => {
    writeFileSync(path, formatOwner({ ...(await currentOwner()), startTime: "1" }))
    let inside = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++inside)
      await new Promise((resolve) => setTimeout(resolve, 5))
      inside--
    }
    const waits = { signal: new AbortController().signal, waiting: async () => {} }
    await Promise.all(Array.from({ length: 6 }, () => withLock(path, waits, work)))
    expect(most).toBe(1)
  })
})
