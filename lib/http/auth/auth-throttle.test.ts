import { beforeEach, describe, expect, it } from "vitest"
import { clientKey, createAuthThrottle } from "./auth-throttle.ts"

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const MAX_CLIENTS = 10_000

let now: number
let throttle: ReturnType<typeof createAuthThrottle>
beforeEach(() => {
  now = 1_000_000
  throttle = createAuthThrottle(() => now)
})
const fail = (client: string, times: number) => {
  for (let i = 0; i < times; i++) throttle.failed(client)
}

describe("wrong tokens", () => {
  it("make a client wait from the tenth on", () => {
    fail("a", 9)
    expect(throttle.waitMs("a")).toBe(0)
    fail("a", 1)
    expect(throttle.waitMs("a")).toBe(MINUTE_MS)
  })

  it("count for a minute from the first one, however late the last one is", () => {
    fail("a", 9)
    now += MINUTE_MS - 1
    fail("a", 1)
    expect(throttle.waitMs("a")).toBe(1)
    now += 1
    expect(throttle.waitMs("a")).toBe(0)
  })

  it("leave less to wait as time passes", () => {
    fail("a", 10)
    now += 20_000
    expect(throttle.waitMs("a")).toBe(40_000)
    fail("a", 5)
    expect(throttle.waitMs("a")).toBe(40_000)
  })

  it("are forgotten after the right one", () => {
    fail("a", 10)
    throttle.succeeded("a")
    expect(throttle.waitMs("a")).toBe(0)
  })

  it("are forgotten of the client that failed longest ago if there are too many clients", () => {
    fail("first", 10)
    fail("second", 10)
    fail("first", 1)
    for (let i = 0; i < MAX_CLIENTS - 2; i++) fail(`client ${i}`, 1)
    expect([throttle.waitMs("first"), throttle.waitMs("second")]).toEqual([MINUTE_MS, MINUTE_MS])
    fail("one more", 1)
    expect([throttle.waitMs("first"), throttle.waitMs("second")]).toEqual([MINUTE_MS, 0])
  })
})

describe("a client that sent the right token", () => {
  it("is trusted for a day", () => {
    expect(throttle.isTrusted("a")).toBe(false)
    throttle.trust("a")
    now += DAY_MS - 1
    expect([throttle.isTrusted("a"), throttle.isTrusted("b")]).toEqual([true, false])
    now += 1
    expect(throttle.isTrusted("a")).toBe(false)
  })

  it("is trusted for a day after the last time", () => {
    throttle.trust("a")
    now += DAY_MS - 1
    throttle.trust("a")
    now += DAY_MS - 1
    expect(throttle.isTrusted("a")).toBe(true)
  })

  it("is forgotten if more than ten thousand others sent it later", () => {
    for (const client of ["first", "second", "first"]) throttle.trust(client)
    for (let i = 0; i < MAX_CLIENTS - 2; i++) throttle.trust(`client ${i}`)
    expect([throttle.isTrusted("first"), throttle.isTrusted("second")]).toEqual([true, true])
    throttle.trust("one more")
    expect([throttle.isTrusted("first"), throttle.isTrusted("second")]).toEqual([true, false])
  })
})

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "8193:3512:1:2"],
  ["2001:db8:1:2::1", "8193:3512:1:2"],
  ["", ""],
])("the client %s counts as %s", (remoteAddress, key) => {
  expect(clientKey({ socket: { remoteAddress } } as never)).toBe(key)
})
