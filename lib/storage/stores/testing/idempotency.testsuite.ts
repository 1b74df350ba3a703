import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { IDEMPOTENCY_KEY_LIFETIME_MS } from "../../../domain/idempotency.ts"
import type { IdempotencyStore } from "../ports/idempotency.ts"

/** An empty store of keys with its clock. `another` opens a second store on the same data. */
export type IdempotencyFixture = {
  readonly keys: IdempotencyStore
  readonly another: () => Promise<IdempotencyStore>
  readonly advance: (ms: number) => void
  readonly teardown: () => Promise<void>
}

const LEASE = { leaseMs: 30_000 }
const RESPONSE = { status: 202, headers: { location: "/jobs/1" }, body: '{"job_id":"1"}' }
const REQUEST = { key: "order 17", fingerprint: "a" }
const OTHER = { key: "order 17", fingerprint: "b" }

/** Tests an implementation of `IdempotencyStore`. */
export const testIdempotency = (setup: () => Promise<IdempotencyFixture>) =>
  describe("idempotency keys", () => {
    let f: IdempotencyFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    const claim = async (request = REQUEST) => {
      const result = await f.keys.claim(request, LEASE)
      if (result.kind !== "run") throw new Error(`the key is ${result.kind}`)
      return result
    }

    it("lets one of many simultaneous requests run, whichever store they use", async () => {
      const stores = [f.keys, await f.another()]
      const results = await Promise.all(Array.from({ length: 10 }, (_, i) => stores[i % 2]!.claim(REQUEST, LEASE)))
      expect(results.filter(({ kind }) => kind === "run")).toHaveLength(1)
      expect(results.filter(({ kind }) => kind === "running")).toHaveLength(9)
    })
    it("replays the response of a completed request, and refuses the key to another one", async () => {
      const first = await claim()
      await f.keys.complete(first.claim, RESPONSE)
      expect(await f.keys.claim(REQUEST, LEASE)).toEqual({ kind: "replay", response: RESPONSE })
      expect(await f.keys.claim(OTHER, LEASE)).toEqual({ kind: "reused" })
      expect((await claim({ key: "order 18", fingerprint: "a" })).operationId).not.toBe(first.operationId)
    })
    it("keeps a completed key for 24 hours", async () => {
      await f.keys.complete((await claim()).claim, RESPONSE)
      f.advance(IDEMPOTENCY_KEY_LIFETIME_MS - 1)
      expect((await f.keys.claim(OTHER, LEASE)).kind).toBe("reused")
      f.advance(1)
      expect((await f.keys.claim(OTHER, LEASE)).kind).toBe("run")
    })
    it("frees the key of a failed request for the same operation or another request", async () => {
      const first = await claim()
      await f.keys.release(first.claim)
      const second = await claim()
      expect(second.operationId).toBe(first.operationId)
      await f.keys.release(second.claim)
      const other = await claim(OTHER)
      expect(other.operationId).not.toBe(first.operationId)
    })
    it("repeats the operation of a request that died when its lease ends, and refuses the key to another one", async () => {
      const first = await claim()
      f.advance(LEASE.leaseMs - 1)
      expect((await f.keys.claim(REQUEST, LEASE)).kind).toBe("running")
      await f.keys.renew(first.claim, LEASE)
      f.advance(LEASE.leaseMs - 1)
      expect((await f.keys.claim(OTHER, LEASE)).kind).toBe("running")
      f.advance(1)
      expect((await f.keys.claim(OTHER, LEASE)).kind).toBe("reused")
      expect((await claim()).operationId).toBe(first.operationId)
    })
    it("ignores a request that lost its claim", async () => {
      const lost = await claim()
      f.advance(LEASE.leaseMs)
      const current = await claim()
      await f.keys.complete(lost.claim, RESPONSE)
      await f.keys.release(lost.claim)
      await f.keys.renew(lost.claim, { leaseMs: 1 })
      f.advance(1)
      expect((await f.keys.claim(REQUEST, LEASE)).kind).toBe("running")
      await f.keys.complete(current.claim, { ...RESPONSE, body: "{}" })
      expect(await f.keys.claim(REQUEST, LEASE)).toEqual({ kind: "replay", response: { ...RESPONSE, body: "{}" } })
    })
    it("keeps the key of a request that runs for more than 24 hours", async () => {
      const { claim: running } = await claim()
      await f.keys.renew(running, { leaseMs: IDEMPOTENCY_KEY_LIFETIME_MS + 1 })
      f.advance(IDEMPOTENCY_KEY_LIFETIME_MS)
      expect((await f.keys.claim(OTHER, LEASE)).kind).toBe("running")
    })
  })
