import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { createLogger } from "#lib/platform/logger.ts"
import { openPostgres } from "#lib/storage/database/postgres/open.ts"
import { openPostgresStore } from "#lib/storage/stores/postgres/index.ts"
import { newJob } from "#lib/storage/stores/testing/fixtures.ts"
import { askPostgres, migrationsDir } from "../../fixtures/postgres.ts"
import { openPostgresServer } from "../../fixtures/shared-servers.ts"

const log = createLogger("silent", "test")

/** A TCP proxy that silently drops everything while `silent` is set. */
const startSilentProxy = async (port: number) => {
  const state = { silent: false }
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1")
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      open.add(from)
      from.on("data", (chunk: Buffer) => void (state.silent || to.write(chunk)))
      from.on("error", () => undefined)
      from.on("close", () => void (state.silent || to.destroy()))
    }
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    port: (server.address() as AddressInfo).port,
    state,
    close: async () => {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe("a connection to PostgreSQL that drops packets", () => {
  let server: Awaited<ReturnType<typeof openPostgresServer>>
  beforeAll(async () => {
    server = await openPostgresServer()
  })
  afterAll(() => server.close())

  it("times out with a message, and the next connection works", async () => {
    const direct = new URL(await server.database())
    const proxy = await startSilentProxy(Number(direct.port))
    onTestFinished(proxy.close)
    const handle = await openPostgres({ url: direct.href.replace(direct.port, String(proxy.port)), migrationsDir, log })
    const store = openPostgresStore(handle)
    onTestFinished(() => store.close())
    const { job_id } = await store.jobs.submit(newJob())

    proxy.state.silent = true
    const from = Date.now()
    await expect(store.jobs.get(job_id)).rejects.toMatchObject({ code: "unavailable", retry: "retry" })
    expect(Date.now() - from).toBeLessThan(25_000)
    proxy.state.silent = false
    expect((await store.jobs.get(job_id))?.status).toBe("queued")
  })

  it("does not keep locks on the server", async () => {
    const url = await server.database()
    const handle = await openPostgres({ url, migrationsDir, log })
    onTestFinished(handle.close)
    const shown = async (name: string) => Object.values((await handle.pool.query(`show ${name}`)).rows[0] as object)[0]
    expect(await shown("idle_in_transaction_session_timeout")).toBe("30s")
    expect(Number(await shown("tcp_keepalives_idle"))).toBe(10)
    expect(Number(await shown("tcp_user_timeout"))).toBe(30_000)
    // Other sessions keep the settings of the administrator.
    expect((await askPostgres(url, "show idle_in_transaction_session_timeout"))[0]).toEqual({
      idle_in_transaction_session_timeout: "0",
    })
  })
})
