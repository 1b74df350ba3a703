import type { Pool, PoolClient } from "pg"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { withClient } from "./open.ts"

const BUSY_TIMEOUT_MS = 3_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
})
afterEach(() => {
  vi.useRealTimers()
})

const createClient = () => {
  const client = { query: vi.fn(async () => ({ rows: [] })), release: vi.fn() }
  return client as typeof client & PoolClient
}

/** Returns a pool of two connections, of which `totalCount` are open, and a function that hands one out. */
const createPool = (totalCount: number) => {
  let give: (client: PoolClient) => void = () => undefined
  const connect = () =>
    new Promise<PoolClient>((resolve) => {
      give = resolve
    })
  const pool = { options: { max: 2 }, totalCount, connect } as unknown as Pool
  return { pool, give: (client: PoolClient) => give(client) }
}

describe("a pool whose connections are all in use", () => {
  it("runs the work if a connection becomes free in time", async () => {
    const { pool, give } = createPool(2)
    const client = createClient()
    const work = withClient(pool, async () => "done")
    await vi.advanceTimersByTimeAsync(BUSY_TIMEOUT_MS - 1)
    give(client)
    expect(await work).toBe("done")
    expect(client.release.mock.calls).toEqual([[]])
    expect(vi.getTimerCount()).toBe(0)
  })

  it("says after three seconds when to try again, and returns the connection that it gets later", async () => {
    const { pool, give } = createPool(2)
    const client = createClient()
    const run = vi.fn(async () => "done")
    const failing = expect(withClient(pool, run)).rejects.toMatchObject({
      code: "unavailable",
      status: 503,
      retry: "retry",
      retryInMs: 2_000,
      message:
        "All 2 connections to PostgreSQL are in use. Try again in a moment. If this happens often, raise SERVICE_DATABASE_POOL.",
    })
    await vi.advanceTimersByTimeAsync(BUSY_TIMEOUT_MS)
    await failing
    give(client)
    await vi.advanceTimersByTimeAsync(0)
    expect([run.mock.calls, client.release.mock.calls]).toEqual([[], [[]]])
  })
})

it("a pool that opens a connection waits as long as the driver does", async () => {
  const { pool, give } = createPool(1)
  const work = withClient(pool, async () => "done")
  await vi.advanceTimersByTimeAsync(2 * BUSY_TIMEOUT_MS)
  give(createClient())
  expect(await work).toBe("done")
})

describe("a connection whose work fails", () => {
  const failWith = async (error: Error, client = createClient()) => {
    const { pool, give } = createPool(0)
    const work = withClient(pool, () => Promise.reject(error))
    give(client)
    await expect(work).rejects.toBe(error)
    return { queries: client.query.mock.calls.flat(), released: client.release.mock.calls.flat() }
  }

  it("is rolled back and used again", async () => {
    expect(await failWith(new Error("wrong"))).toEqual({ queries: ["rollback"], released: [] })
  })

  it("is discarded if it is lost, or cannot roll back", async () => {
    const lost = Object.assign(new Error("reset"), { code: "ECONNRESET" })
    expect(await failWith(lost)).toEqual({ queries: [], released: [true] })
    const broken = new Error("cannot roll back")
    const client = createClient()
    client.query.mockRejectedValue(broken)
    expect((await failWith(new Error("wrong"), client)).released).toEqual([broken])
  })
})
