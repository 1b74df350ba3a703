import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { deliveriesQuery } from "../../domain/webhooks.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { newJobWebhook } from "./new-webhook.ts"
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  updateWebhook,
} from "./webhooks.ts"

let node: TestNode
beforeAll(async () => {
  node = await openTestNode({ SERVICE_WEBHOOK_ALLOW: "127.0.0.1" })
})
afterAll(() => node.end())

const url = "https://hooks.example.org/a"
const notFound = (message: string) => ({ code: "not_found", message })

describe("webhooks", () => {
  it("are created with a secret, listed, changed and deleted", async () => {
    const before = Date.now()
    const { secret, ...created } = await createWebhook(node, { url, events: ["job.done", "job.done", "clip.deleted"] })
    expect(secret).toMatch(/^whsec_/)
    expect(created).toMatchObject({ url, events: ["job.done", "clip.deleted"], description: "", job_id: null })
    expect(created).toMatchObject({ enabled: true, disabled_reason: null, last_success_at: null })
    expect(Date.parse(created.created_at)).toBeGreaterThanOrEqual(before - 1)
    expect(await getWebhook(node, created)).toEqual(created)
    expect(await listWebhooks(node, {})).toEqual({ webhooks: [created] })
    expect(await listWebhooks(node, { job_id: "j" })).toEqual({ webhooks: [] })
    const disabled = await updateWebhook(node, created, { enabled: false, description: "b" })
    expect(disabled).toMatchObject({ id: created.id, enabled: false, description: "b", url })
    await deleteWebhook(node, created)
    const unknown = notFound(`unknown webhook '${created.id}'`)
    await expect(deleteWebhook(node, created)).rejects.toMatchObject(unknown)
    await expect(getWebhook(node, created)).rejects.toMatchObject(unknown)
    await expect(updateWebhook(node, created, { enabled: true })).rejects.toMatchObject(unknown)
    await expect(listDeliveries(node, created, deliveriesQuery.parse({}))).rejects.toMatchObject(unknown)
  })

  it("have a public address, or one that the settings allow, with any port", async () => {
    for (const address of ["http://10.0.0.7/a", "http://192.168.1.1/a", "ftp://example.org/a"])
      await expect(createWebhook(node, { url: address, events: ["job.done"] }), address).rejects.toMatchObject({
        code: expect.stringMatching(/invalid|forbidden/),
      })
    const created = await createWebhook(node, { url: "http://127.0.0.1:8123/a", events: ["job.done"] })
    await expect(updateWebhook(node, created, { url: "http://10.0.0.7/a" })).rejects.toMatchObject({
      message: expect.stringMatching(/SERVICE_WEBHOOK_ALLOW/),
    })
    expect((await getWebhook(node, created)).url).toBe("http://127.0.0.1:8123/a")
    await deleteWebhook(node, created)
  })

  it("of a job are told its end, and have the secret of the caller or a new one", () => {
    expect(newJobWebhook(url, "whsec_own")).toMatchObject({
      url,
      events: ["job.done", "job.error"],
      description: "",
      secret: "whsec_own",
    })
    const [first, second] = [newJobWebhook(url, undefined), newJobWebhook(url, undefined)]
    expect(first.secret).toMatch(/^whsec_/)
    expect([first.secret === second.secret, first.id === second.id]).toEqual([false, false])
  })
})

describe("deliveries", () => {
  it("show the payload, when the next attempt is due, and how it ended", async () => {
    const webhook = await createWebhook(node, { url, events: ["clip.deleted"] })
    for (const id of ["a", "b"]) {
      await node.addClip(id)
      await node.store.clips.delete(id)
    }
    const list = async (query = {}) => listDeliveries(node, webhook, deliveriesQuery.parse(query))
    const { deliveries: pending } = await list()
    expect(pending.map(({ clip_id }) => clip_id)).toEqual(["b", "a"])
    expect(pending[0]).toMatchObject({
      webhook_id: webhook.id,
      type: "clip.deleted",
      state: "pending",
      attempts: 0,
      ended_at: null,
      response_status: null,
      error: null,
      payload: { type: "clip.deleted", data: { id: "b" } },
    })
    expect(Date.parse(pending[0]!.next_attempt_at!)).toBeLessThanOrEqual(Date.now() + 1)
    const page = await list({ limit: 1 })
    expect([page.deliveries.length, typeof page.next_cursor]).toEqual([1, "string"])

    const claims = await node.store.webhooks.claimDue({ owner: "w", limit: 2, leaseMs: 60_000 })
    const delivered = new Set([pending[1]!.id])
    const failed = { kind: "failed", status: 500, error: "HTTP 500", retryInMs: 60_000, isGone: false } as const
    for (const claim of claims)
      await node.store.webhooks.settle(claim, delivered.has(claim.id) ? { kind: "delivered", status: 204 } : failed)
    const [b, a] = (await list()).deliveries
    expect(a).toMatchObject({ state: "delivered", attempts: 1, response_status: 204, next_attempt_at: null })
    expect(Date.parse(a!.ended_at!)).toBeGreaterThan(0)
    expect(b).toMatchObject({ state: "pending", attempts: 1, response_status: 500, error: "HTTP 500", ended_at: null })
    expect(Date.parse(b!.next_attempt_at!)).toBeGreaterThan(Date.now())
    expect(Date.parse((await getWebhook(node, webhook)).last_success_at!)).toBeGreaterThan(0)

    expect(await redeliver(node, { id: webhook.id, delivery_id: a!.id })).toMatchObject({
      id: a!.id,
      state: "pending",
      ended_at: null,
    })
    await expect(redeliver(node, { id: webhook.id, delivery_id: "x" })).rejects.toMatchObject(
      notFound(`unknown delivery 'x' of webhook '${webhook.id}'`),
    )
  })
})
