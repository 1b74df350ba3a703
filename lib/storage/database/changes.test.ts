import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import Driver from "better-sqlite3"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { type Changes, watchChanges } from "./changes.ts"

describe("watchChanges", () => {
  let folder: string
  let own: Driver.Database
  let other: Driver.Database
  let changes: Changes
  beforeEach(() => {
    vi.useFakeTimers()
    folder = mkdtempSync(join(tmpdir(), "earmark-changes-"))
    const open = () => new Driver(join(folder, "x.db"))
    own = open()
    own.pragma("journal_mode = WAL")
    own.exec("create table t (n integer)")
    other = open()
    changes = watchChanges(own)
  })
  afterEach(() => {
    vi.useRealTimers()
    changes.close()
    own.close()
    other.close()
    rmSync(folder, { recursive: true })
  })
  const passTime = () => vi.advanceTimersByTime(200)

  it("calls subscribers once after a commit of another connection, and not while nothing changes", () => {
    const wake = vi.fn()
    changes.on(wake)
    passTime()
    expect(wake).toHaveBeenCalledTimes(0)
    other.exec("insert into t values (1)")
    passTime()
    expect(wake).toHaveBeenCalledTimes(1)
    passTime()
    expect(wake).toHaveBeenCalledTimes(1)
  })

  it("calls subscribers after a write of its own connection", () => {
    const wake = vi.fn()
    changes.on(wake)
    own.exec("insert into t values (1)")
    passTime()
    expect(wake).toHaveBeenCalledTimes(1)
  })

  it("does not call a subscriber before the other connection commits", () => {
    const wake = vi.fn()
    changes.on(wake)
    other.exec("begin; insert into t values (1)")
    passTime()
    expect(wake).toHaveBeenCalledTimes(0)
    other.exec("commit")
    passTime()
    expect(wake).toHaveBeenCalledTimes(1)
  })

  it("calls only the callbacks that are still subscribed, and checks nothing once there are none", () => {
    const [first, second] = [vi.fn(), vi.fn()]
    const stopFirst = changes.on(first)
    const stopSecond = changes.on(second)
    stopFirst()
    other.exec("insert into t values (1)")
    passTime()
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 1])
    stopSecond()
    expect(vi.getTimerCount()).toBe(0)
  })

  it("starts with the state at the first subscription", () => {
    other.exec("insert into t values (1)")
    const wake = vi.fn()
    changes.on(wake)
    passTime()
    expect(wake).toHaveBeenCalledTimes(0)
  })
})
