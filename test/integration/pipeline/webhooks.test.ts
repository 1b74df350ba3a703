import http from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { WEBHOOK_EVENTS } from "#lib/domain/constants.ts"
import type { EventPayload } from "#lib/domain/webhooks.ts"
import { createWebhook, listDeliveries } from "#lib/services/webhooks/webhooks.ts"
import { type Installation, openInstallation } from "#test/fixtures/installation.ts"
import { listen } from "#test/fixtures/web.ts"

const FAILURES = 3
const WAIT_MS = 60_000

/** A receiver that fails a number of times and then answers. Rejects requests whose signature is wrong. */
const startReceiver = async () => {
  const received: { id: string; payload: EventPayload; status: number }[] = []
  const state = { secret: "", failures: 0 }
  const server = http.createServer((request, response) => {
    let body = ""
    request.on("data", (part) => (body += part))
    request.on("end", () => {
      const headers = request.headers as Record<string, string>
      const payload = new Webhook(state.secret).verify(body, headers) as EventPayload
      const status = state.failures > 0 ? 500 : 204
      state.failures--
      received.push({ id: headers["webhook-id"]!, payload, status })
      response.writeHead(status).end()
    })
  })
  return { url: await listen(server), received, state, close: () => server.close() }
}

describe("webhooks of an installation with a worker", () => {
  let installation: Installation
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let webhook: { id: string; secret: string }
  beforeAll(async () => {
    installation = await openInstallation({ SERVICE_PROVIDER: "builtin", SERVICE_WEBHOOK_ALLOW: "127.0.0.1" })
    receiver = await startReceiver()
    webhook = await createWebhook(installation.node, { url: receiver.url, events: [...WEBHOOK_EVENTS] })
    receiver.state.secret = webhook.secret
    await installation.worker()
  })
  afterAll(async () => {
    await installation.close()
    receiver.close()
  })

  const accepted = () => receiver.received.filter(({ status }) => status === 204)
  const untilAccepted = async (n: number) => {
    for (const end = Date.now() + WAIT_MS; accepted().length < n; await sleep(20))
      if (Date.now() > end) throw new Error(`the receiver has ${JSON.stringify(receiver.received)}`)
  }
  const describeEvents = () =>
    accepted().map(({ payload: { type, data } }) => `${type} ${"changed" in data ? data.changed : data.title}`)
  const failFirst = () => {
    receiver.received.length = 0
    receiver.state.failures = FAILURES
  }

  it("delivers each event in order to a receiver that fails three times", async () => {
    failFirst()
    const words = "we tarred the boat in may".split(" ")
    const transcription = words.map((word, i) => ({ word, start: i, end: i + 1, speaker: "0" }))
    const id = await installation.submit({ source: "name:boat", title: "The boat", transcription })
    const { session_id } = await installation.until(id, ({ status }) => status === "done")
    await installation.store.clips.update(session_id, { title: "The hull" })
    await untilAccepted(4)
    expect(describeEvents()).toEqual([
      "clip.updated transcript",
      "clip.updated topics",
      "job.done The boat",
      "clip.updated title",
    ])
    expect(receiver.received).toHaveLength(4 + FAILURES)
    expect(new Set(receiver.received.slice(0, FAILURES + 1).map((request) => request.id)).size).toBe(1)
    // The worker stores a delivery after the receiver has answered.
    const readDeliveries = async () => {
      const { deliveries } = await listDeliveries(installation.node, webhook, { limit: 10 })
      return deliveries.map(({ state, attempts }) => [state, attempts])
    }
    await expect.poll(readDeliveries, { timeout: 10_000 }).toEqual([
      ["delivered", 1],
      ["delivered", 1],
      ["delivered", 1],
      ["delivered", 1 + FAILURES],
    ])
  })

  it("delivers each event in order although the worker is killed between the attempts", async () => {
    const { id } = (await installation.store.clips.list({ limit: 1 })).clips[0]!
    failFirst()
    for (const title of ["One", "Two"]) await installation.store.clips.update(id, { title })
    await installation.store.clips.delete(id)
    while (receiver.received.length === 0) await sleep(5)
    installation.workers[0]!.kill("SIGKILL")
    await installation.workers[0]!.exited
    await installation.worker()
    await untilAccepted(3)
    expect(accepted().map(({ payload: { type, data } }) => [type, data.title])).toEqual([
      ["clip.updated", "One"],
      ["clip.updated", "Two"],
      ["clip.deleted", "Two"],
    ])
    expect(new Set(accepted().map((request) => request.id)).size).toBe(3)
  })
})
