import { describe, expect, it, vi } from "vitest"
import { newApiToken } from "../../domain/token-secrets.ts"
import type { Credentials, TokenStore } from "../../storage/stores/ports/tokens.ts"
import { createAccess } from "./access.ts"

const NOW = Date.UTC(2026, 5, 1)
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** Returns access to a service with one API token, on a clock that tests advance. */
const setup = ({
  expiresAt = null,
  lastUsedAt = null,
}: {
  expiresAt?: number | null
  lastUsedAt?: number | null
} = {}) => {
  const { id, token: text, hash } = newApiToken()
  const token = { id, name: "laptop", hash, scopes: ["read" as const], expiresAt, lastUsedAt }
  const credentials: { -readonly [K in keyof Credentials]: Credentials[K] } = { tokens: [token], sessions: [] } as never
  const clock = { now: NOW }
  const recordUse = vi.fn(async () => undefined)
  const openSession = vi.fn<TokenStore["openSession"]>(async (session) => {
    credentials.sessions = [...credentials.sessions, session]
    return true
  })
  const closeSession = vi.fn(async () => undefined)
  const store = {
    getCredentials: vi.fn(async () => ({ ...credentials })),
    recordUse,
    openSession,
    closeSession,
  } as unknown as TokenStore
  const access = createAccess({ settingToken: undefined, store, isPublic: false, now: () => clock.now })
  const check = () => access.checkToken(text, () => undefined)
  /** Signs in and returns the request of a browser with the cookie. */
  const signIn = async () => {
    const header = (await access.openSession({ headers: {} }, text, token as never))!
    return { header, request: { headers: { cookie: header.split(";")[0]! } } }
  }
  return { access, clock, credentials, token, text, store, recordUse, openSession, closeSession, check, signIn }
}

describe("the last use of a token", () => {
  it("is recorded at most once a minute", async () => {
    const { check, clock, recordUse, token } = setup()
    await check()
    clock.now += MINUTE_MS - 1
    await check()
    expect(recordUse.mock.calls).toEqual([[token.id]])
    clock.now += 1
    await check()
    expect(recordUse).toHaveBeenCalledTimes(2)
  })

  it("is not recorded if another process did less than a minute ago", async () => {
    const { check, recordUse } = setup({ lastUsedAt: NOW - MINUTE_MS + 1 })
    await check()
    expect(recordUse).not.toHaveBeenCalled()
    const later = setup({ lastUsedAt: NOW - MINUTE_MS })
    await later.check()
    expect(later.recordUse).toHaveBeenCalledOnce()
  })

  it("may fail to be recorded without failing the request", async () => {
    const { check, recordUse } = setup()
    recordUse.mockRejectedValue(new Error("read-only"))
    expect(await check()).toMatchObject({ scopes: ["read"] })
  })
})

describe("a token", () => {
  it("is valid until it expires, and the reason names the day", async () => {
    const { check, clock } = setup({ expiresAt: NOW + 1 })
    expect(await check()).toMatchObject({ scopes: ["read"] })
    clock.now += 1
    expect(await check()).toEqual({
      scopes: null,
      isKnown: true,
      reason: "The token 'laptop' expired on 2026-06-01.",
    })
  })

  it("counts as a guess before the stored tokens are read again, unless it is valid or has expired", async () => {
    const { access, text, check, store, credentials, token } = setup()
    const guessed = vi.fn()
    await access.checkToken(text, guessed)
    expect(guessed).not.toHaveBeenCalled()
    expect(await access.checkToken("no token", guessed)).toMatchObject({ scopes: null, isKnown: false })
    expect([guessed.mock.calls.length, vi.mocked(store.getCredentials).mock.calls.length]).toEqual([1, 1])
    credentials.tokens = [{ ...token, hash: "of another secret" }] as never
    await access.checkToken(newApiToken().token, guessed)
    expect([guessed.mock.calls.length, vi.mocked(store.getCredentials).mock.calls.length]).toEqual([2, 2])
    expect(await check()).toMatchObject({ scopes: null, isKnown: false })
  })
})

describe("a session", () => {
  it("ends after 30 days if its token does not expire", async () => {
    const { access, clock, openSession, signIn, token } = setup()
    const { header, request } = await signIn()
    expect(openSession.mock.calls[0]![0]).toMatchObject({ tokenId: token.id, expiresAt: NOW + 30 * DAY_MS })
    expect(header).toContain(`Max-Age=${30 * 24 * 3600}`)
    expect(await access.findCaller(request)).toEqual({ scopes: ["read"], tokenId: token.id })
    clock.now += 30 * DAY_MS - 1
    expect(await access.findCaller(request)).not.toBeNull()
    clock.now += 1
    expect(await access.findCaller(request)).toBeNull()
  })

  it("ends with its token", async () => {
    const { access, clock, openSession, signIn } = setup({ expiresAt: NOW + 1500 })
    const { header, request } = await signIn()
    expect([openSession.mock.calls[0]![0].expiresAt, /Max-Age=(\d+)/.exec(header)?.[1]]).toEqual([NOW + 1500, "2"])
    clock.now += 1500
    expect(await access.findCaller(request)).toBeNull()
  })

  it("is not one if its token is gone, also when it is opened", async () => {
    const { access, credentials, openSession, signIn, text, token } = setup()
    const { request } = await signIn()
    credentials.tokens = []
    expect(await access.findCaller(request)).toBeNull()
    openSession.mockResolvedValue(false)
    expect(await access.openSession({ headers: {} }, text, token as never)).toBeNull()
  })

  it("is found although another process opened it after the credentials were read", async () => {
    const { access, store, signIn } = setup()
    await access.isRequired()
    const { request } = await signIn()
    expect(await access.findCaller(request)).not.toBeNull()
    expect(store.getCredentials).toHaveBeenCalledTimes(2)
  })

  it("is closed for each cookie of its name, and a sign-out without one reads nothing", async () => {
    const { access, closeSession, store } = setup()
    await access.closeSession({ headers: { cookie: "other=s.x" } })
    expect([closeSession.mock.calls, vi.mocked(store.getCredentials).mock.calls]).toEqual([[], []])
    await access.closeSession({ headers: { cookie: "earmark_session=s.a; earmark_session=s.b" } })
    expect(closeSession).toHaveBeenCalledTimes(2)
    expect(store.getCredentials).toHaveBeenCalledOnce()
  })
})

it.each([
  ["a token in the settings", { settingToken: "correct horse battery", isPublic: false, tokens: 0 }, true],
  ["a public address", { settingToken: undefined, isPublic: true, tokens: 0 }, true],
  ["an API token", { settingToken: undefined, isPublic: false, tokens: 1 }, true],
  ["none of them", { settingToken: undefined, isPublic: false, tokens: 0 }, false],
])("a token is required with %s: %j", async (_what, { tokens, ...options }, expected) => {
  const getCredentials = async () => ({ tokens: Array.from({ length: tokens }, () => ({})), sessions: [] })
  const store = { getCredentials } as unknown as TokenStore
  expect(await createAccess({ ...options, store }).isRequired()).toBe(expected)
})
