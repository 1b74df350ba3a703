import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { AppError } from "../../domain/errors.ts"
import type { JobRecord } from "../../domain/jobs/jobs.ts"
import { createJobFeed, takeSnapshot } from "./job-feed.ts"

const POLL_INTERVAL_MS = 5
const record = (status: string, attempts = 1) => ({ job_id: "a", status, attempts }) as JobRecord

/** Opens a feed of a job whose state the test sets. */
const openFeed = (maxSubscriptions = 500) => {
  const state: { job: JobRecord | AppError; reads: number } = { job: record("queued"), reads: 0 }
  const read = async () => {
    state.reads++
    if (AppError.is(state.job)) throw state.job
    return state.job
  }
  return { state, feed: createJobFeed({ read, pollIntervalMs: POLL_INTERVAL_MS, maxSubscriptions }) }
}
const queued = takeSnapshot(record("queued"))

describe("createJobFeed", () => {
  it("reads a job once for all of its subscribers", async () => {
    const { state, feed } = openFeed()
    const subscriptions = Array.from({ length: 300 }, () => feed.subscribe("a"))
    const waiting = subscriptions.map((subscription) => subscription.next(queued))
    await sleep(POLL_INTERVAL_MS * 4)
    expect(state.reads).toBeLessThanOrEqual(5)
    state.job = record("running")
    for (const snapshot of await Promise.all(waiting)) expect(snapshot?.job.status).toBe("running")
    for (const subscription of subscriptions) subscription.close()
  })
  it("delivers the end of a job also to a subscriber that asks later", async () => {
    const { state, feed } = openFeed()
    const subscription = feed.subscribe("a")
    state.job = record("done")
    while (state.reads === 0) await sleep(1)
    const last = await subscription.next(queued)
    expect(last?.job.status).toBe("done")
    expect(await subscription.next(last!)).toBeNull()
    const { reads } = state
    await sleep(POLL_INTERVAL_MS * 3)
    expect(state.reads).toBe(reads)
  })
  it("continues after an unavailable store, and ends when the job is gone", async () => {
    const { state, feed } = openFeed()
    state.job = new AppError("unavailable", "the database is locked")
    const waiting = feed.subscribe("a").next(queued)
    while (state.reads < 2) await sleep(1)
    state.job = record("running")
    const running = await waiting
    expect(running?.job.status).toBe("running")
    state.job = new AppError("not_found", "unknown job")
    expect(await feed.subscribe("a").next(takeSnapshot(record("running")))).toBeNull()
  })
  it("stops reading when the last subscription is closed", async () => {
    const { state, feed } = openFeed()
    const subscription = feed.subscribe("a")
    const waiting = subscription.next(queued)
    while (state.reads === 0) await sleep(1)
    subscription.close()
    expect(await waiting).toBeNull()
    await sleep(POLL_INTERVAL_MS * 3)
    const { reads } = state
    await sleep(POLL_INTERVAL_MS * 3)
    expect(state.reads).toBe(reads)
  })
  it("limits the subscriptions, and frees the place of a closed one once", () => {
    const { feed } = openFeed(2)
    const first = feed.subscribe("a")
    feed.subscribe("b")
    expect(() => feed.subscribe("c")).toThrow(/2 event streams and waiting requests are open.*GET \/jobs\/c/)
    first.close()
    first.close()
    feed.subscribe("c")
    expect(() => feed.subscribe("d")).toThrow(expect.objectContaining({ status: 503 }))
  })
})
