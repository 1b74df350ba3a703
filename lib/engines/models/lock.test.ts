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
/** Returns true if the lock can be acquired immediately. */
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
  it("contains its owner while it is held, and leaves no file behind", async () => {
    await withLock(path, { signal: new AbortController().signal, waiting: async () => {} }, async () => {
      expect(readFileSync(path, "utf8")).toContain(formatOwner(await currentOwner()))
      expect(readdirSync(dir)).toEqual(["model.lock"])
      expect([await isLocked(path), await free()]).toEqual([true, false])
    })
    expect([readdirSync(dir), await isLocked(path)]).toEqual([[], false])
  })

  it("stays held by a running process, whatever its age, but not by a dead one or another one with the same PID", async () => {
    const me = await currentOwner()
    writeFileSync(path, formatOwner(me))
    old()
    expect([await isLocked(path), await free()]).toEqual([true, false])

    const child = spawn("true")
    await new Promise((resolve) => child.once("close", resolve))
    for (const dead of [
      { ...me, pid: child.pid! },
      { ...me, startTime: "1" },
    ]) {
      writeFileSync(path, formatOwner(dead))
      expect([await isOwnerAlive(formatOwner(dead)), await isLocked(path), await free()]).toEqual([false, false, true])
    }
  })

  it("expires if it is empty or from another host", async () => {
    const elsewhere = formatOwner({ ...(await currentOwner()), host: "0".repeat(16) })
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

  it("is held by one waiter at a time after its owner has died", async () => {
    writeFileSync(path, formatOwner({ ...(await currentOwner()), startTime: "1" }))
    let inside = 0
    let maxInside = 0
    const work = async () => {
      maxInside = Math.max(maxInside, ++inside)
      await new Promise((resolve) => setTimeout(resolve, 5))
      inside--
    }
    const waits = { signal: new AbortController().signal, waiting: async () => {} }
    await Promise.all(Array.from({ length: 6 }, () => withLock(path, waits, work)))
    expect(maxInside).toBe(1)
  })
})
