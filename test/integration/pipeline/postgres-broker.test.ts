import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest"
import { createLogger } from "#lib/platform/logger.ts"
import { openPostgresBroker } from "#lib/queue/postgres/index.ts"
import { testBroker } from "#lib/queue/testing/broker.testsuite.ts"
import type { DeliveryHandler } from "#lib/queue/types.ts"
import { openPostgres, type PostgresHandle } from "#lib/storage/database/postgres/open.ts"
import { askPostgres, EMPTY, migrationsDir, startPostgres } from "#test/fixtures/postgres.ts"

/** Long enough that a live consumer on a busy machine does not lose its message. */
const VISIBILITY_MS = 1500
const log = createLogger("silent", "test")
let server: Awaited<ReturnType<typeof startPostgres>>
let url: string
beforeAll(async () => {
  server = await startPostgres()
  url = await server.database()
})
afterAll(() => server.close())

const fixture = async () => {
  await askPostgres(url, EMPTY)
  const handles: PostgresHandle[] = []
  return {
    open: async () => {
      const handle = await openPostgres({ url, migrationsDir, log })
      handles.push(handle)
      return openPostgresBroker(handle, { visibilityMs: VISIBILITY_MS, pollMs: 50 })
    },
    redeliveryMs: VISIBILITY_MS,
    teardown: async () => {
      for (const handle of handles) await handle.close()
    },
  }
}

testBroker("PostgreSQL", fixture)

const collector = () => {
  const seen: string[] = []
  const handler: DeliveryHandler = async ({ id }) => {
    seen.push(id)
    return "ack"
  }
  return { seen, handler }
}

it("notifies consumers in other processes of a message long before their next poll", async () => {
  const f = await fixture()
  onTestFinished(f.teardown)
  const handle = await openPostgres({ url, migrationsDir, log })
  onTestFinished(() => handle.close())
  const lazy = openPostgresBroker(handle, { pollMs: 600_000 })
  const { seen, handler } = collector()
  await lazy.consume("l1", handler, { concurrency: 1 })
  const other = await f.open()
  // The first message may arrive before the listener is ready, later ones must not.
  await vi.waitFor(
    async () => {
      await other.publish([{ stage: "l1", id: `m${seen.length}-${Date.now()}`, body: "{}" }])
      expect(seen.length).toBeGreaterThan(1)
    },
    { timeout: 10_000, interval: 100 },
  )
  await lazy.close({ drainMs: 1000 })
})

it("continues after the database restarts", async () => {
  const f = await fixture()
  onTestFinished(f.teardown)
  const broker = await f.open()
  const { seen, handler } = collector()
  await broker.consume("l1", handler, { concurrency: 1 })
  await server.stop()
  await expect(broker.publish([{ stage: "l1", id: "lost", body: "{}" }])).rejects.toThrow(/does not answer/)
  expect(broker.health().state).toBe("down")
  await server.start()
  await vi.waitFor(() => broker.publish([{ stage: "l1", id: "kept", body: "{}" }]), { timeout: 20_000 })
  await vi.waitFor(() => expect(seen).toEqual(["kept"]), { timeout: 20_000 })
  await vi.waitFor(() => expect(broker.health().state).toBe("ok"), { timeout: 20_000 })
  await broker.close({ drainMs: 1000 })
})

it("reports recovery after the database restarts although only its health is queried", async () => {
  const handle = await openPostgres({ url, migrationsDir, log })
  onTestFinished(() => handle.close())
  const broker = openPostgresBroker(handle)
  await server.stop()
  await expect(broker.depth()).rejects.toMatchObject({ code: "unavailable" })
  expect(broker.health()).toMatchObject({ state: "down", detail: expect.stringContaining("does not answer") })
  await server.start()
  await vi.waitFor(() => expect(broker.health().state).toBe("ok"), { timeout: 10_000, interval: 100 })
})
