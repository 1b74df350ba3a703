import http from "node:http"
import { afterEach, describe, expect, it } from "vitest"
import { listen, silent, tempConfig } from "#test/fixtures/web.ts"
import { newJob } from "../../storage/stores/testing/fixtures.ts"
import { openNode } from "./open-node.ts"
import { checkBroker, getReadiness } from "./readiness.ts"

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const open = async (env: Record<string, string>) => {
  const { config, remove } = tempConfig(env)
  const node = await openNode(config, silent)
  ends.push(remove, () => node.close())
  return node
}

describe("getReadiness", () => {
  it("does not wait for a model server that never responds", async () => {
    const silentServer = http.createServer(() => undefined)
    const url = await listen(silentServer)
    ends.push(
      () => silentServer.close(),
      () => silentServer.closeAllConnections(),
    )
    const node = await open({ SERVICE_PROVIDER: "ollama", SERVICE_OLLAMA_BASE_URL: url })
    const began = Date.now()
    const { checks } = await getReadiness(node)
    expect(Date.now() - began).toBeLessThan(4000)
    expect(checks.models).toMatchObject({ state: "down", detail: expect.any(String) })
  })
  it('does not report "down" when only the model server is down', async () => {
    const node = await open({ SERVICE_PROVIDER: "ollama", SERVICE_OLLAMA_BASE_URL: "http://127.0.0.1:9" })
    await node.store!.installation.recordHeartbeat({
      id: "w",
      host: "h",
      pid: 1,
      version: null,
      started_at: Date.now(),
      active_at: null,
      stages: ["whisper", "l1", "decide", "l2", "summarize_l1", "summarize_l2", "l0", "persist"],
    })
    const { status, detail, checks } = await getReadiness(node)
    expect([status, checks.models.state, checks.worker.state]).toEqual(["degraded", "down", "ok"])
    expect(detail).toMatch(/^models: .*127\.0\.0\.1:9/)
  })
  it('reports "down" without throwing if the database has been closed', async () => {
    const node = await open({})
    await node.store!.close()
    await node.close().catch(() => undefined)
    ends.pop()
    const { status, checks } = await getReadiness(node)
    expect([status, checks.store.state, checks.worker.state]).toEqual(["down", "down", "down"])
  })
  it("reports a degraded broker while messages wait to be published", async () => {
    const node = await open({})
    const { store, broker } = { store: node.store!, broker: node.broker! }
    await store.jobs.submit(newJob())
    expect(await checkBroker(broker, store)).toMatchObject({ state: "ok" })
    const later = { ...store, now: async () => Date.now() + 40_000 }
    const check = await checkBroker(broker, later)
    expect(check).toMatchObject({
      state: "degraded",
      detail: expect.stringMatching(/messages of whisper have waited 40 s/),
    })
    await store.outbox.markPublished((await store.outbox.listDue(1)).map((m) => m.id))
    expect(await checkBroker(broker, later)).toMatchObject({ state: "ok" })
  })
})
