import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { pages, raw, silent, tempConfig } from "#test/fixtures/web.ts"
import { newApiToken } from "../../domain/token-secrets.ts"
import type { Scope } from "../../domain/tokens.ts"
import { packageRoot } from "../../platform/package-root.ts"
import { openDatabase } from "../../storage/database/open.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import type { TokenStore } from "../../storage/stores/ports/tokens.ts"
import { openSqliteStore } from "../../storage/stores/sqlite/index.ts"
import { type HttpServer, startHttpServer } from "../server/http-server.ts"

const DAY_MS = 86_400_000
const { config, remove } = tempConfig()
let store: Store
let front: HttpServer

/** Answers with the scopes and the token ID that the server gave the request. */
const openPages = async () =>
  pages(async ({ headers }) => {
    const tokenId = headers.get("x-earmark-token-id")
    return new Response(headers.get("x-earmark-scopes"), { headers: tokenId ? { "seen-token-id": tokenId } : {} })
  })
const start = (tokens: TokenStore, settings = config) =>
  startHttpServer({ config: settings, log: silent, dev: false, tokens, openPages })

beforeAll(async () => {
  store = openSqliteStore(openDatabase({ path: config.data.dbPath, migrationsDir: join(packageRoot(), "drizzle") }))
  front = await start(store.tokens)
})
afterAll(async () => {
  await front.close({ deadlineMs: 0 })
  await store.close()
  remove()
})
/** The server reads the tokens again after a second. */
const untilNoticed = () => new Promise((resolve) => setTimeout(resolve, 1050))
beforeEach(async () => {
  const tokens = await store.tokens.list()
  for (const { id } of tokens) await store.tokens.revoke(id)
  if (tokens.length > 0) await untilNoticed()
})

const create = async (scopes: Scope[], expiresAt: number | null = null): Promise<{ id: string; token: string }> => {
  const { id, token, hash } = newApiToken()
  await store.tokens.create({ id, name: "test", hash, scopes, expiresAt })
  return { id, token }
}
const ask = (token?: string, headers: Record<string, string> = {}, server = front) =>
  raw(server.url, "/jobs", { headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers } })
const signIn = (token: string) =>
  raw(front.url, "/login", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ token, next: "/jobs" }).toString(),
  })
const cookieOf = ({ headers }: Awaited<ReturnType<typeof signIn>>) => String(headers["set-cookie"]).split(";")[0]!

describe("a service with API tokens", () => {
  it("is open until the first one is created, and accepts that one immediately", async () => {
    expect(await ask()).toMatchObject({ status: 200, text: "read write admin" })
    const { token } = await create(["write"])
    await untilNoticed()
    expect((await ask()).status).toBe(401)
    expect(await ask(token)).toMatchObject({ status: 200, text: "write" })
    const second = await create(["read"])
    expect(await ask(second.token)).toMatchObject({ status: 200, text: "read" })
  })
  it("tells routes the token of a request and of a session", async () => {
    expect((await ask(undefined, { "x-earmark-token-id": "other" })).headers["seen-token-id"]).toBeUndefined()
    const { id, token } = await create(["read"])
    await untilNoticed()
    expect((await ask(token, { "x-earmark-token-id": "other" })).headers["seen-token-id"]).toBe(id)
    const cookie = cookieOf(await signIn(token))
    expect((await ask(undefined, { cookie })).headers["seen-token-id"]).toBe(id)
  })
  it("ignores scopes that the client claims", async () => {
    const { token } = await create(["read"])
    await untilNoticed()
    expect((await ask(token, { "x-earmark-scopes": "admin" })).text).toBe("read")
    expect((await raw(front.url, "/health", { headers: { "x-earmark-scopes": "admin" } })).text).toBe("")
  })
  it("says why it rejects a token", async () => {
    const { token } = await create(["admin"], Date.now() + 500)
    const revoked = await create(["admin"])
    expect((await ask(token)).status).toBe(200)
    await store.tokens.revoke(revoked.id)
    await untilNoticed()
    const expired = await ask(token)
    expect([expired.status, expired.json?.detail]).toEqual([
      401,
      expect.stringMatching(/^The token 'test' expired on \d{4}-\d\d-\d\d\. /),
    ])
    expect(expired.headers["www-authenticate"]).toMatch(
      /^Bearer error="invalid_token", error_description="The token 'test'/,
    )
    expect((await ask(revoked.token)).json?.detail).toMatch(/^This token is not known.*revoked/)
    expect((await ask()).headers["www-authenticate"]).toBe("Bearer")
  })
  it("rejects a token with a valid ID and another secret", async () => {
    const { token } = await create(["admin"])
    const forged = token.slice(0, -1) + (token.endsWith("a") ? "b" : "a")
    expect((await ask(token)).status).toBe(200)
    await untilNoticed()
    expect((await ask(forged)).status).toBe(401)
  })
  it("counts unknown tokens as wrong ones, but not expired ones", async () => {
    const own = await start(store.tokens)
    const { token } = await create(["read"], Date.now() + 1)
    await untilNoticed()
    for (let i = 0; i < 12; i++) expect((await ask(token, {}, own)).status).toBe(401)
    const tries = Array.from({ length: 30 }, () => ask(newApiToken().token, {}, own))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    await own.close({ deadlineMs: 0 })
  })
  it("records when a token was last used", async () => {
    const { token } = await create(["read"])
    await ask(token)
    while ((await store.tokens.list())[0]!.lastUsedAt === null) await new Promise((r) => setTimeout(r, 5))
    expect(Date.now() - (await store.tokens.list())[0]!.lastUsedAt!).toBeLessThan(5000)
  })
  it("requires a token on a public address even if the last one was revoked", async () => {
    const open = tempConfig({ SERVICE_HOST: "0.0.0.0", SERVICE_ALLOWED_HOSTS: "0.0.0.0" })
    await expect(start(store.tokens, open.config)).rejects.toThrow(/earmark tokens create/)
    const { id, token } = await create(["admin"])
    const own = await start(store.tokens, open.config)
    expect((await ask(token, {}, own)).status).toBe(200)
    await store.tokens.revoke(id)
    await untilNoticed()
    expect((await ask(undefined, {}, own)).status).toBe(401)
    await own.close({ deadlineMs: 0 })
    open.remove()
  })
})

describe("sessions of API tokens", () => {
  it("have the scopes of the token, and end with a sign-out", async () => {
    const { token } = await create(["write"])
    await untilNoticed()
    const answer = await signIn(token)
    expect([answer.status, answer.headers.location]).toEqual([303, "/jobs"])
    const cookie = cookieOf(answer)
    expect(cookie).not.toContain(token.slice(-20))
    expect(await ask(undefined, { cookie })).toMatchObject({ status: 200, text: "write" })
    await raw(front.url, "/logout", { method: "POST", headers: { cookie } })
    expect((await ask(undefined, { cookie })).status).toBe(401)
  })
  it("end when the token expires or is revoked", async () => {
    await create(["read"])
    const short = await create(["admin"], Date.now() + 1500)
    const revoked = await create(["admin"])
    await untilNoticed()
    const [a, b] = await Promise.all([short.token, revoked.token].map(signIn))
    expect(Number(/Max-Age=(\d+)/.exec(String(a!.headers["set-cookie"]))?.[1])).toBeLessThanOrEqual(1)
    for (const answer of [a!, b!]) expect((await ask(undefined, { cookie: cookieOf(answer) })).status).toBe(200)
    await store.tokens.revoke(revoked.id)
    await untilNoticed()
    for (const answer of [a!, b!]) expect((await ask(undefined, { cookie: cookieOf(answer) })).status).toBe(401)
  })
  it("are refused for expired and unknown tokens, with the reason", async () => {
    const { token } = await create(["admin"], Date.now() - DAY_MS)
    await untilNoticed()
    const expired = await signIn(token)
    expect([expired.status, expired.text]).toEqual([401, expect.stringContaining("expired on")])
    const unknown = await signIn(newApiToken().token)
    expect([unknown.status, unknown.text]).toEqual([401, expect.stringContaining("Wrong token")])
  })
})

describe("a database that does not answer", () => {
  it("leaves the last known tokens valid, and does not accept unknown ones", async () => {
    let isDown = false
    const failing: TokenStore = {
      ...store.tokens,
      getCredentials: () => (isDown ? new Promise(() => undefined) : store.tokens.getCredentials()),
    }
    const own = await start(failing)
    const { token } = await create(["read"])
    expect((await ask(token, {}, own)).status).toBe(200)
    isDown = true
    await untilNoticed()
    expect((await ask(token, {}, own)).status).toBe(200)
    expect((await ask(undefined, {}, own)).status).toBe(401)
    await own.close({ deadlineMs: 0 })
  })
})
