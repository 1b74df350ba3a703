import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { IdempotencyStore } from "../storage/stores/ports/idempotency.ts"
import { runKeyed } from "./idempotency.ts"

const LEASE_MS = 30_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
})
afterEach(() => {
  vi.useRealTimers()
})

const setup = (result: object = { kind: "run", claim: "claim", operationId: "op" }) => {
  const idempotency = {
    claim: vi.fn(async () => result),
    renew: vi.fn(async () => undefined),
    complete: vi.fn(async () => undefined),
    release: vi.fn(async () => undefined),
  }
  const warn = vi.fn()
  const deps = { idempotency: idempotency as unknown as IdempotencyStore, log: { warn } as never }
  const operation = {
    identity: ["POST /x", { a: 1 }],
    run: vi.fn(async (_operationId: string) => Response.json({ a: 1 }, { status: 201, headers: { location: "/x/1" } })),
    discard: vi.fn(async () => undefined),
  }
  return { idempotency, warn, operation, run: (key: string | null = "key") => runKeyed(deps, key, operation) }
}

describe("a request with a key", () => {
  it("runs, and its response is stored with status, headers and body", async () => {
    const { idempotency, operation, run } = setup()
    const response = await run()
    expect([response.status, await response.json()]).toEqual([201, { a: 1 }])
    expect(operation.run.mock.calls).toEqual([["op"]])
    expect(idempotency.claim.mock.calls[0]).toEqual([
      { key: "key", fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { leaseMs: LEASE_MS },
    ])
    expect(idempotency.complete.mock.calls[0]).toEqual([
      "claim",
      { status: 201, headers: { "content-type": "application/json", location: "/x/1" }, body: '{"a":1}' },
    ])
    expect([operation.discard.mock.calls, idempotency.release.mock.calls]).toEqual([[], []])
  })

  it("renews its key while it runs, and not afterwards", async () => {
    const { idempotency, operation, run, warn } = setup()
    let finish: (response: Response) => void = () => undefined
    operation.run.mockReturnValue(
      new Promise((resolve) => {
        finish = resolve
      }),
    )
    const running = run()
    await vi.advanceTimersByTimeAsync(LEASE_MS / 3 - 1)
    expect(idempotency.renew).not.toHaveBeenCalled()
    idempotency.renew.mockRejectedValueOnce(new Error("no store"))
    await vi.advanceTimersByTimeAsync(1)
    expect(idempotency.renew.mock.calls).toEqual([["claim", { leaseMs: LEASE_MS }]])
    expect(warn).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(LEASE_MS)
    expect(idempotency.renew).toHaveBeenCalledTimes(4)
    finish(new Response())
    await running
    expect(vi.getTimerCount()).toBe(0)
  })

  it("frees its key if it fails, and passes the error on", async () => {
    const { idempotency, operation, run } = setup()
    operation.run.mockRejectedValueOnce(new Error("broken"))
    await expect(run()).rejects.toThrow("broken")
    operation.run.mockResolvedValueOnce(new Response(null, { status: 503 }))
    expect((await run()).status).toBe(503)
    expect(idempotency.release.mock.calls).toEqual([["claim"], ["claim"]])
    expect(idempotency.complete).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })

  it("answers although the store fails after it has run", async () => {
    const { idempotency, operation, run, warn } = setup()
    idempotency.complete.mockRejectedValue(new Error("no store"))
    idempotency.release.mockRejectedValue(new Error("no store"))
    expect((await run()).status).toBe(201)
    operation.run.mockRejectedValueOnce(new Error("broken"))
    await expect(run()).rejects.toThrow("broken")
    expect(warn).toHaveBeenCalledTimes(2)
  })

  it("gets the stored response, and what it sent is discarded", async () => {
    const stored = { status: 201, headers: { location: "/x/1" }, body: '{"a":1}' }
    const { operation, run } = setup({ kind: "replay", response: stored })
    const response = await run()
    expect([response.status, await response.text()]).toEqual([201, '{"a":1}'])
    expect(Object.fromEntries(response.headers)).toMatchObject({ location: "/x/1", "idempotent-replayed": "true" })
    expect([operation.run.mock.calls, operation.discard.mock.calls]).toEqual([[], [[]]])
    const empty = setup({ kind: "replay", response: { ...stored, status: 204, body: "" } })
    expect((await empty.run()).body).toBeNull()
  })

  it.each([
    ["running", "idempotency_key_in_use", 1000],
    ["reused", "idempotency_key_reused", undefined],
  ])("whose key is %s is refused, and what it sent is discarded", async (kind, code, retryInMs) => {
    const { operation, run } = setup({ kind })
    await expect(run()).rejects.toMatchObject({ code, retryInMs })
    expect([operation.run.mock.calls, operation.discard.mock.calls]).toEqual([[], [[]]])
  })

  it("discards what it sent if the store fails before it runs", async () => {
    const { idempotency, operation, run } = setup()
    idempotency.claim.mockRejectedValue(new Error("no store"))
    await expect(run()).rejects.toThrow("no store")
    expect([operation.run.mock.calls, operation.discard.mock.calls]).toEqual([[], [[]]])
  })
})

it("a request without a key runs as an operation of its own", async () => {
  const { idempotency, operation, run } = setup()
  await run(null)
  await run(null)
  expect(idempotency.claim).not.toHaveBeenCalled()
  const [[first], [second]] = operation.run.mock.calls as [[string], [string]]
  expect(first).not.toBe(second)
})
