import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest"
import { AppError } from "../lib/domain/errors.ts"
import type { DeliveryClaim, DeliveryOutcome } from "../lib/storage/stores/ports/webhooks.ts"
import { recordLog } from "../test/fixtures/recorded-log.ts"
import { startWebhooks } from "./webhooks.ts"

const HOUR_MS = 3_600_000
const RULES = { ports: "any", allowed: [], allowSetting: "SERVICE_WEBHOOK_ALLOW" } as const

type Send = NonNullable<Parameters<typeof startWebhooks>[0]["send"]>

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const delivered: DeliveryOutcome = { kind: "delivered", status: 204 }

/** Starts the sending of `due` events, with a store that answers as the real one does. */
const start = (
  due: number,
  send: Send,
  { settle = async () => true, old = [] }: { settle?: (claim: DeliveryClaim) => Promise<boolean>; old?: number[] } = {},
) => {
  let next = 0
  const claims: { owner: string; limit: number; leaseMs: number }[] = []
  const settled: (readonly [string, DeliveryOutcome["kind"]])[] = []
  const deletions: number[] = []
  const { log, lines } = recordLog()
  const store = {
    hasDue: async () => next < due,
    claimDue: async (p: { owner: string; limit: number; leaseMs: number }) => {
      claims.push(p)
      const count = Math.min(p.limit, due - next)
      return Array.from({ length: count }, (): DeliveryClaim => {
        const id = `event ${++next}`
        const payload = { type: "clip.deleted", timestamp: "", data: { id: "x", title: "x" } } as const
        return { id, webhookId: "hook", owner: p.owner, attempt: 2, url: "https://a.example", secret: "", payload }
      })
    },
    settle: async (claim: DeliveryClaim, outcome: DeliveryOutcome) => {
      settled.push([claim.id, outcome.kind])
      return settle(claim)
    },
    deleteOld: async (ms: number) => {
      deletions.push(ms)
      return old.shift() ?? 0
    },
  }
  const task = startWebhooks({ store, rules: RULES, owner: "worker", log, send })
  onTestFinished(async () => {
    vi.useRealTimers()
    await task.stop()
  })
  return { task, claims, settled, deletions, lines, wait: (ms: number) => vi.advanceTimersByTimeAsync(ms) }
}

it("sends what is due, records the outcomes, and claims nothing while nothing is due", async () => {
  const t = start(2, async () => delivered)
  await t.wait(0)
  expect(t.settled).toEqual([
    ["event 1", "delivered"],
    ["event 2", "delivered"],
  ])
  // An attempt may take 15 s.
  expect(t.claims).toEqual([{ owner: "worker", limit: 16, leaseMs: 20_000 }])
  await t.wait(10_000)
  expect([t.claims.length, t.lines]).toEqual([1, []])
})

it("sends sixteen events at a time, and the next one as soon as one has ended", async () => {
  const release: (() => void)[] = []
  const t = start(18, () => new Promise((resolve) => release.push(() => resolve(delivered))))
  await t.wait(5_000)
  expect([release.length, t.claims.length]).toEqual([16, 1])
  release[3]!()
  await t.wait(0)
  expect([release.length, t.claims.map(({ limit }) => limit)]).toEqual([17, [16, 1]])
  expect(t.settled).toEqual([["event 4", "delivered"]])
  for (const finish of release.slice(0, 16)) finish()
  await t.wait(0)
  expect(release.length).toBe(18)
  for (const finish of release) finish()
})

it("logs what was not delivered, and outcomes that came too late", async () => {
  const failed = { kind: "failed", status: 500, error: "HTTP 500", retryInMs: 1000, isGone: false } as const
  const send: Send = async ({ id }) => (id === "event 1" ? failed : delivered)
  const t = start(3, send, { settle: async ({ id }) => id !== "event 3" })
  await t.wait(0)
  expect(t.lines).toEqual([
    {
      level: "info",
      webhook: "hook",
      delivery: "event 1",
      attempt: 2,
      detail: "HTTP 500",
      msg: "webhook not delivered",
    },
    { level: "warn", webhook: "hook", delivery: "event 3", msg: "the outcome of a webhook came too late" },
  ])
})

it("continues with other events if the outcome of one cannot be recorded", async () => {
  const settle = async ({ id }: DeliveryClaim) => {
    if (id === "event 1") throw new AppError("unavailable", "the database is locked")
    return true
  }
  const t = start(17, async () => delivered, { settle })
  await t.wait(500)
  expect(t.settled).toHaveLength(17)
  expect(t.lines).toMatchObject([{ level: "warn", delivery: "event 1", msg: "a webhook has no recorded outcome" }])
})

it("ends an attempt when the worker stops, without an outcome or a warning", async () => {
  const send: Send = (_claim, _rules, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)))
  const t = start(1, send)
  await t.wait(0)
  await t.task.stop()
  expect([t.settled, t.lines]).toEqual([[], []])
})

it("deletes deliveries that ended 30 days ago in batches, every hour", async () => {
  const t = start(0, async () => delivered, { old: [500, 7, 0, 3] })
  await t.wait(HOUR_MS - 1)
  expect(t.deletions).toEqual([30, 30, 30].map((days) => days * 24 * HOUR_MS))
  await t.wait(1)
  expect(t.deletions).toHaveLength(5)
})
