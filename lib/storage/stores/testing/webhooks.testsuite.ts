import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { WebhookEvent } from "../../../domain/webhooks.ts"
import type { DeliveryClaim, DeliveryOutcome, NewWebhook } from "../ports/webhooks.ts"
import { claim, finish, newJob, type StoreFixture, type StoreSetup, transcriptOf } from "./fixtures.ts"

const DAY_MS = 86_400_000
const LEASE_MS = 20_000
const ALL: WebhookEvent[] = ["job.done", "job.error", "clip.updated", "clip.deleted"]
const STAGES = ["whisper", "l1", "decide", "l2", "summarize_l1", "summarize_l2", "l0", "persist"] as const

const newWebhook = (id: string, changes: Partial<NewWebhook> = {}): NewWebhook => ({
  id,
  url: `https://${id}.example/`,
  events: ALL,
  description: "",
  secret: `secret of ${id}`,
  ...changes,
})

const failed = (retryInMs: number, changes: object = {}): DeliveryOutcome => ({
  kind: "failed",
  status: 500,
  error: "HTTP 500",
  retryInMs,
  isGone: false,
  ...changes,
})

export const testWebhooks = (setup: StoreSetup) =>
  describe("webhooks", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    const addClip = (id: string, title = "A talk") =>
      f.store.clips.saveTranscript(id, { title, source_url: null, file_path: null }, transcriptOf("one two"))
    const claimDue = (owner = "worker", limit = 10, store = f.store): Promise<DeliveryClaim[]> =>
      store.webhooks.claimDue({ owner, limit, leaseMs: LEASE_MS })
    const log = async (id = "a") =>
      (await f.store.webhooks.listDeliveries(id, { limit: 200 }))!.deliveries.map((d) => ({
        type: d.type,
        clip: d.clipId,
        state: d.state,
        attempts: d.attempts,
      }))

    it("records what happens to jobs and clips for the webhooks that asked for it", async () => {
      await f.store.webhooks.create(newWebhook("a"))
      await f.store.webhooks.create(newWebhook("b", { events: ["clip.deleted"] }))
      const { jobId, sessionId } = newJob({ title: "Bees" })
      await f.store.jobs.submit(newJob({ jobId, sessionId, title: "Bees" }))
      await finish(f.store, jobId, ...STAGES)
      await f.store.clips.update(sessionId, { title: "Wasps" })
      await f.store.clips.update(sessionId, { title: "Wasps" })
      await f.store.clips.delete(sessionId)
      const found = (await f.store.webhooks.listDeliveries("a", { limit: 200 }))!.deliveries.toReversed()
      expect(
        found.map(({ type, clipId, payload: { data } }) => [type, clipId, "changed" in data ? data.changed : null]),
      ).toEqual([
        ["clip.updated", sessionId, ["transcript"]],
        ["clip.updated", sessionId, ["topics"]],
        ["job.done", sessionId, null],
        ["clip.updated", sessionId, ["title"]],
        ["clip.deleted", sessionId, null],
      ])
      expect(found[2]!.payload).toMatchObject({
        type: "job.done",
        timestamp: new Date(f.clock.now()).toISOString(),
        data: { job_id: jobId, status: "done", stages: { persist: "done" } },
      })
      expect(found[3]!.payload.data).toMatchObject({ id: sessionId, title: "Wasps", duration_s: 3, language: "en" })
      expect(found[4]!.payload.data).toEqual({ id: sessionId, title: "Wasps" })
      expect((await log("b")).map(({ type }) => type)).toEqual(["clip.deleted"])
    })

    it("tells the webhook of a job about that job only, and deletes it with the job", async () => {
      const mine = newJob({ webhook: newWebhook("mine", { events: ["job.done", "job.error"] }) })
      const other = newJob()
      await f.store.jobs.submit(mine)
      await f.store.jobs.submit(other)
      for (const { jobId } of [mine, other]) {
        const held = await claim(f.store, jobId, "whisper")
        await f.store.stages.fail(held, { kind: "never", detail: "no such file", retryInMs: 0 })
      }
      expect(await f.store.webhooks.list({})).toEqual([])
      expect(await f.store.webhooks.list({ jobId: mine.jobId })).toMatchObject([{ id: "mine", jobId: mine.jobId }])
      const [found, ...more] = (await f.store.webhooks.listDeliveries("mine", { limit: 9 }))!.deliveries
      expect([found!.payload, more]).toMatchObject([
        { type: "job.error", data: { job_id: mine.jobId, error: { stage: "whisper", detail: "no such file" } } },
        [],
      ])
      await f.store.clips.delete(mine.sessionId)
      expect(await f.store.webhooks.get("mine")).toBeNull()
    })

    it("gives each event to one worker, in order per clip, and the next one after it has ended", async () => {
      const other = await f.another()
      await f.store.webhooks.create(newWebhook("a"))
      for (const id of ["x", "y"]) await addClip(id)
      await f.store.clips.update("x", { title: "New" })
      expect(await f.store.webhooks.hasDue()).toBe(true)
      const claims = [...(await claimDue("one", 1)), ...(await claimDue("two", 9, other))]
      expect(claims.map(({ payload: { data }, attempt }) => ["id" in data ? data.id : "", attempt])).toEqual([
        ["x", 1],
        ["y", 1],
      ])
      expect([await claimDue("three"), await f.store.webhooks.hasDue()]).toEqual([[], false])
      expect(claims[0]).toMatchObject({ url: "https://a.example/", secret: "secret of a", owner: "one" })
      expect(await other.webhooks.settle(claims[0]!, failed(10_000))).toBe(true)
      expect(await claimDue()).toEqual([])
      f.clock.advance(10_000)
      const [again] = await claimDue()
      expect(again).toMatchObject({ id: claims[0]!.id, attempt: 2 })
      await f.store.webhooks.settle(again!, { kind: "delivered", status: 204 })
      expect((await claimDue()).map(({ payload }) => payload.data)).toMatchObject([{ id: "x", changed: ["title"] }])
      expect(await f.store.webhooks.get("a")).toMatchObject({ lastSuccessAt: f.clock.now() })
    })

    it("sends an event again after its worker died, and ignores what a late worker reports", async () => {
      await f.store.webhooks.create(newWebhook("a"))
      await addClip("x")
      const [late] = await claimDue("dead")
      f.clock.advance(LEASE_MS - 1)
      expect(await claimDue("next")).toEqual([])
      f.clock.advance(1)
      const [held] = await claimDue("next")
      expect(held).toMatchObject({ id: late!.id, attempt: 2, owner: "next" })
      expect(await f.store.webhooks.settle(late!, { kind: "delivered", status: 200 })).toBe(false)
      expect(await log()).toMatchObject([{ state: "pending", attempts: 2 }])
      expect(await f.store.webhooks.settle(held!, { kind: "delivered", status: 200 })).toBe(true)
      expect(await f.store.webhooks.settle(held!, failed(1))).toBe(false)
      expect(await log()).toMatchObject([{ state: "delivered" }])
    })

    it("sends at most four events at a time to one webhook", async () => {
      await f.store.webhooks.create(newWebhook("a"))
      await f.store.webhooks.create(newWebhook("b", { events: ["clip.deleted"] }))
      for (let i = 0; i < 6; i++) await addClip(`clip-${i}`)
      expect(await claimDue()).toHaveLength(4)
      await f.store.clips.delete("clip-5")
      expect((await claimDue()).map(({ webhookId }) => webhookId)).toEqual(["b"])
    })

    it("gives up after a day and disables a webhook of which nothing succeeded meanwhile", async () => {
      for (const id of ["dead", "lives"]) await f.store.webhooks.create(newWebhook(id))
      await addClip("x")
      f.clock.advance(1000)
      const claims = await claimDue()
      await addClip("y")
      const success = (await claimDue()).find(({ webhookId }) => webhookId === "lives")!
      await f.store.webhooks.settle(success, { kind: "delivered", status: 200 })
      for (const held of claims) await f.store.webhooks.settle(held, failed(DAY_MS - 1000 + 1))
      expect(await f.store.webhooks.get("lives")).toMatchObject({ disabledAt: null })
      expect(await f.store.webhooks.get("dead")).toMatchObject({
        disabledAt: f.clock.now(),
        disabledReason: expect.stringMatching(/^No delivery has succeeded since .*HTTP 500$/),
      })
      expect((await log("dead")).map(({ state }) => state)).toEqual(["failed", "failed"])
      await addClip("z")
      expect(await log("dead")).toHaveLength(2)
      expect(await f.store.webhooks.update("dead", { enabled: true })).toMatchObject({
        disabledAt: null,
        disabledReason: null,
      })
      await addClip("z")
      expect(await log("dead")).toHaveLength(3)
    })

    it("keeps a delivery that is due exactly at the end of its day", async () => {
      await f.store.webhooks.create(newWebhook("a"))
      await addClip("x")
      const [held] = await claimDue()
      await f.store.webhooks.settle(held!, failed(DAY_MS))
      expect(await log()).toMatchObject([{ state: "pending" }])
    })

    it("disables a webhook whose receiver is gone, or on request", async () => {
      for (const id of ["gone", "paused"]) await f.store.webhooks.create(newWebhook(id))
      await addClip("x")
      const held = (await claimDue()).find(({ webhookId }) => webhookId === "gone")!
      await f.store.webhooks.settle(held, failed(1000, { status: 410, error: "HTTP 410", isGone: true }))
      expect((await f.store.webhooks.get("gone"))!.disabledReason).toMatch(/410/)
      expect((await f.store.webhooks.update("paused", { enabled: false }))!.disabledReason).toMatch(/request/)
      expect(await log("paused")).toMatchObject([{ state: "failed" }])
      f.clock.advance(LEASE_MS)
      expect(await claimDue()).toEqual([])
    })

    it("sends an ended delivery again on request, under its ID", async () => {
      await f.store.webhooks.create(newWebhook("a"))
      await addClip("x")
      const [held] = await claimDue()
      await f.store.webhooks.settle(held!, { kind: "delivered", status: 200 })
      f.clock.advance(5000)
      const { id } = held!
      expect(await f.store.webhooks.redeliver("a", id)).toMatchObject({ id, state: "pending", endedAt: null })
      expect(await claimDue()).toMatchObject([{ id, attempt: 1, payload: held!.payload }])
      expect(await f.store.webhooks.redeliver("a", "unknown")).toBeNull()
      expect(await f.store.webhooks.redeliver("b", id)).toBeNull()
      await f.store.webhooks.update("a", { enabled: false })
      await expect(f.store.webhooks.redeliver("a", id)).rejects.toThrow(/disabled/)
    })

    it("lists the log in pages, newest first, and deletes what ended long ago", async () => {
      await f.store.webhooks.create(newWebhook("a"))
      for (const id of ["x", "y", "z"]) {
        await addClip(id)
        f.clock.advance(1)
      }
      const first = (await f.store.webhooks.listDeliveries("a", { limit: 2 }))!
      expect(first.deliveries.map(({ clipId }) => clipId)).toEqual(["z", "y"])
      const rest = (await f.store.webhooks.listDeliveries("a", { limit: 2, cursor: first.next_cursor! }))!
      expect([rest.deliveries.map(({ clipId }) => clipId), rest.next_cursor]).toEqual([["x"], undefined])
      const [held] = await claimDue()
      await f.store.webhooks.settle(held!, { kind: "delivered", status: 200 })
      expect((await f.store.webhooks.listDeliveries("a", { limit: 9, state: "delivered" }))!.deliveries).toHaveLength(1)
      expect(await f.store.webhooks.listDeliveries("b", { limit: 9 })).toBeNull()
      f.clock.advance(1001)
      expect(await f.store.webhooks.deleteOld(1000)).toBe(1)
      expect(await log()).toHaveLength(2)
    })

    it("changes and deletes webhooks", async () => {
      const created = await f.store.webhooks.create(newWebhook("a"))
      expect(created).toEqual({
        id: "a",
        url: "https://a.example/",
        events: ALL,
        description: "",
        jobId: null,
        createdAt: f.clock.now(),
        lastSuccessAt: null,
        disabledAt: null,
        disabledReason: null,
      })
      const changed = await f.store.webhooks.update("a", { url: "https://b.example/", events: ["job.done"] })
      expect(changed).toEqual({ ...created, url: "https://b.example/", events: ["job.done"] })
      expect(await f.store.webhooks.list({})).toEqual([changed])
      expect(await f.store.webhooks.update("b", { enabled: true })).toBeNull()
      expect([await f.store.webhooks.delete("a"), await f.store.webhooks.delete("a")]).toEqual([true, false])
    })
  })
