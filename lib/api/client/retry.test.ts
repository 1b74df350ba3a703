import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createUncheckedClient } from "./unchecked.ts"

const SUBMITTED = { job_id: "j", session_id: "s" }
const failed = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ detail: "no", code: "x" }, { status, headers })

/** Returns a client whose requests get these answers one after the other, and the keys that it sent. */
const clientOf = (...answers: (Response | Error)[]) => {
  const keys: (string | null)[] = []
  const send = async (_url: unknown, init: RequestInit = {}) => {
    keys.push(new Headers(init.headers).get("idempotency-key"))
    const answer = answers.shift()!
    if (answer instanceof Error) throw answer
    return answer
  }
  return { client: createUncheckedClient({ baseUrl: "http://127.0.0.1:1", fetch: send as typeof fetch }), keys }
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 })
})
afterEach(() => {
  vi.useRealTimers()
})

describe("a request that creates something", () => {
  it.each([
    ["a lost connection", new TypeError("fetch failed")],
    ["a gateway without the service", failed(502)],
    ["a first request that is still running", failed(409, { "retry-after": "1" })],
    ["a service that asks for patience", failed(503, { "retry-after": "2" })],
  ])("is repeated with the same key after %s", async (_what, answer) => {
    const { client, keys } = clientOf(answer, Response.json(SUBMITTED))
    expect(await client.retry("j")).toEqual(SUBMITTED)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys).toEqual([keys[0], keys[0]])
  })
  it.each([
    ["a conflict", failed(409), 409],
    ["a missing component", failed(503), 503],
    ["invalid input", failed(422), 422],
  ])("is not repeated after %s", async (_what, answer, status) => {
    const { client, keys } = clientOf(answer)
    await expect(client.retry("j")).rejects.toMatchObject({ status })
    expect(keys).toHaveLength(1)
  })
  it("fails after two repetitions", async () => {
    const { client, keys } = clientOf(new TypeError(), new TypeError(), new TypeError())
    await expect(client.retry("j")).rejects.toMatchObject({ status: 0 })
    expect(keys).toHaveLength(3)
  })
  it("is not repeated when the caller aborts", async () => {
    const { client, keys } = clientOf(new TypeError("aborted"))
    await expect(client.retry("j", { signal: AbortSignal.abort() })).rejects.toThrow("aborted")
    expect(keys).toHaveLength(1)
  })
  it("has a key of its own for each call, or the caller's", async () => {
    const { client, keys } = clientOf(...Array.from({ length: 3 }, () => Response.json(SUBMITTED)))
    for (const options of [undefined, undefined, { idempotencyKey: "order 17" }]) await client.retry("j", options)
    expect(new Set(keys).size).toBe(3)
    expect(keys[2]).toBe("order 17")
  })
})

describe("any other request", () => {
  it("has no key and is sent once", async () => {
    const { client, keys } = clientOf(failed(502), failed(502))
    await expect(client.cancel("j")).rejects.toMatchObject({ status: 502 })
    await expect(client.query({ question: "why?" })).rejects.toMatchObject({ status: 502 })
    expect(keys).toEqual([null, null])
  })
})
