import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished, vi } from "vitest"
import { packageRoot } from "../../platform/package-root.ts"
import { type DatabaseHandle, openDatabase } from "../../storage/database/open.ts"
import { testBroker } from "../testing/broker.testsuite.ts"
import type { DeliveryHandler } from "../types.ts"
import { openSqliteBroker } from "./index.ts"

/** Long enough that a busy machine does not take a live holder for a dead one. */
const VISIBILITY_MS = 1500

const fixture = async () => {
  const folder = await mkdtemp(join(tmpdir(), "earmark-broker-"))
  const path = join(folder, "earmark.db")
  const migrationsDir = join(packageRoot(), "drizzle")
  const opened: DatabaseHandle[] = []
  const openHandle = () => {
    const handle = openDatabase({ path, migrationsDir, busyTimeoutMs: 5000 })
    opened.push(handle)
    return handle
  }
  return {
    path,
    migrationsDir,
    openHandle,
    open: async () => openSqliteBroker(openHandle(), { visibilityMs: VISIBILITY_MS, pollMs: 20 }),
    redeliveryMs: VISIBILITY_MS,
    teardown: async () => {
      for (const handle of opened) handle.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

testBroker("SQLite", fixture)

describe("the queue in SQLite", () => {
  const setup = async () => {
    const f = await fixture()
    onTestFinished(f.teardown)
    return f
  }

  it("ignores a settlement for a message that was redelivered to another consumer", async () => {
    const f = await setup()
    let time = 1_000_000
    const now = () => time
    const [slow, quick] = [f.openHandle(), f.openHandle()].map((h) => openSqliteBroker(h, { now, pollMs: 5 }))
    let settle = () => {}
    let deliveries = 0
    const consumed = new Promise<void>((resolve) => {
      void slow!.consume(
        "l1",
        () => {
          resolve()
          return new Promise((done) => {
            settle = () => done("ack")
          })
        },
        { concurrency: 1 },
      )
    })
    await slow!.publish([{ stage: "l1", id: "m", body: "{}" }])
    await consumed
    time += 20_000
    await quick!.consume("l1", async () => (deliveries++ === 0 ? { retryInMs: 60_000 } : "ack"), { concurrency: 1 })
    await vi.waitFor(() => expect(deliveries).toBe(1), { timeout: 5000 })
    settle()
    await slow!.close({ drainMs: 1000 })
    expect((await quick!.depth()).l1).toBe(1)
    time += 60_000
    await vi.waitFor(async () => expect((await quick!.depth()).l1).toBe(0), { timeout: 5000 })
    await quick!.close({ drainMs: 1000 })
  })

  it("notifies consumers of a message that another process published long before their next poll", async () => {
    const f = await setup()
    const lazy = openSqliteBroker(f.openHandle(), { pollMs: 600_000 })
    const seen: string[] = []
    const handler: DeliveryHandler = async ({ id }) => {
      seen.push(id)
      return "ack"
    }
    await lazy.consume("l1", handler, { concurrency: 1 })
    const other = await f.open()
    await other.publish([{ stage: "l1", id: "m", body: "{}" }])
    await vi.waitFor(() => expect(seen).toEqual(["m"]), { timeout: 5000 })
    await lazy.close({ drainMs: 1000 })
  })

  it("delivers messages written before the clock was set back", async () => {
    const f = await setup()
    let time = 3_600_000
    const broker = openSqliteBroker(f.openHandle(), { now: () => time, pollMs: 20 })
    await broker.publish([{ stage: "l1", id: "m", body: "{}" }])
    time = 0
    const received: string[] = []
    const handler: DeliveryHandler = async ({ id }) => {
      received.push(id)
      return "ack"
    }
    await broker.consume("l1", handler, { concurrency: 1 })
    await vi.waitFor(() => expect(received).toEqual(["m"]), { timeout: 5000 })
    await broker.close({ drainMs: 1000 })
  })

  it("keeps dead letters with their reason", async () => {
    const f = await setup()
    const handle = f.openHandle()
    const broker = openSqliteBroker(handle, { now: () => 42 })
    await broker.consume("l1", async () => ({ deadLetter: "no such stage" }), { concurrency: 1 })
    await broker.publish([{ stage: "l1", id: "m", body: "odd" }])
    const dead = handle.raw.prepare(
      "select id, body, dead_at, dead_reason from broker_messages where dead_at is not null",
    )
    await vi.waitFor(() =>
      expect(dead.all()).toEqual([{ id: "m", body: "odd", dead_at: 42, dead_reason: "no such stage" }]),
    )
    await broker.close({ drainMs: 1000 })
  })

  it("reports down and fails to publish when its database is closed", async () => {
    const f = await setup()
    const handle = f.openHandle()
    const broker = openSqliteBroker(handle)
    handle.close()
    expect(broker.health()).toMatchObject({ state: "down", detail: expect.stringContaining("not open") })
    await expect(broker.publish([{ stage: "l1", id: "m", body: "{}" }])).rejects.toThrow()
  })
})
