import { describe, expect, it, vi } from "vitest"
import type { Credentials } from "../../storage/stores/ports/tokens.ts"
import { createCredentialCache, findSession, findToken } from "./credentials.ts"

const tokenOf = (id: string) =>
  ({ id, name: id, hash: `hash of ${id}`, scopes: ["read"], expiresAt: null, lastUsedAt: null }) as never
const credentialsOf = (...ids: string[]): Credentials => ({ tokens: ids.map(tokenOf), sessions: [] })
const idsOf = ({ tokens }: Credentials) => tokens.map(({ id }) => id)

const setup = () => {
  const clock = { now: 0 }
  const getCredentials = vi.fn<() => Promise<Credentials>>(async () => credentialsOf("a"))
  return { clock, getCredentials, cache: createCredentialCache({ getCredentials }, () => clock.now) }
}

describe("the stored credentials", () => {
  it("are none without a store", async () => {
    const cache = createCredentialCache(null)
    expect([await cache.get(), await cache.refresh()]).toEqual([
      { tokens: [], sessions: [] },
      { tokens: [], sessions: [] },
    ])
  })

  it("are read once a second", async () => {
    const { clock, getCredentials, cache } = setup()
    expect(idsOf(await cache.get())).toEqual(["a"])
    getCredentials.mockResolvedValue(credentialsOf("b"))
    clock.now = 999
    expect(idsOf(await cache.get())).toEqual(["a"])
    clock.now = 1000
    expect(idsOf(await cache.get())).toEqual(["b"])
    expect(getCredentials).toHaveBeenCalledTimes(2)
  })

  it("are as old as the start of the read, not as its end", async () => {
    const { clock, getCredentials, cache } = setup()
    getCredentials.mockImplementationOnce(async () => {
      clock.now += 900
      return credentialsOf("a")
    })
    await cache.get()
    clock.now += 100
    await cache.get()
    expect(getCredentials).toHaveBeenCalledTimes(2)
  })

  it("are read once for requests at the same time", async () => {
    const { getCredentials, cache } = setup()
    await Promise.all([cache.get(), cache.get(), cache.get()])
    expect(getCredentials).toHaveBeenCalledOnce()
  })

  it("are the last known ones while the database fails, and an error if there are none", async () => {
    const { clock, getCredentials, cache } = setup()
    getCredentials.mockRejectedValueOnce(new Error("no database"))
    await expect(cache.get()).rejects.toThrow("no database")
    expect(idsOf(await cache.get())).toEqual(["a"])
    clock.now = 5000
    getCredentials.mockRejectedValue(new Error("no database"))
    expect(idsOf(await cache.get())).toEqual(["a"])
    await expect(cache.refresh()).rejects.toThrow("no database")
  })

  it("are the last known ones if the database does not answer within half a second", async () => {
    const { clock, getCredentials, cache } = setup()
    await cache.get()
    clock.now = 5000
    getCredentials.mockReturnValue(new Promise(() => undefined))
    const from = performance.now()
    expect(idsOf(await cache.get())).toEqual(["a"])
    expect(performance.now() - from).toBeGreaterThan(400)
  })

  it("are read again after a read that had already begun, if they must be new", async () => {
    const { getCredentials, cache } = setup()
    let finish: (credentials: Credentials) => void = () => undefined
    getCredentials.mockReturnValueOnce(
      new Promise((resolve) => {
        finish = resolve
      }),
    )
    const old = cache.get()
    getCredentials.mockResolvedValue(credentialsOf("a", "new"))
    const current = cache.refresh()
    finish(credentialsOf("a"))
    expect([idsOf(await old), idsOf(await current)]).toEqual([["a"], ["a", "new"]])
    expect(idsOf(await cache.get())).toEqual(["a", "new"])
  })

  it("are read again even if the read that had begun fails", async () => {
    const { getCredentials, cache } = setup()
    getCredentials.mockRejectedValueOnce(new Error("no database"))
    const failing = cache.get()
    const current = cache.refresh()
    await expect(failing).rejects.toThrow("no database")
    expect(idsOf(await current)).toEqual(["a"])
  })

  it("contain tokens by ID and sessions by hash", () => {
    const session = { hash: "h", tokenId: "a", expiresAt: 1 }
    const credentials = { ...credentialsOf("a", "b"), sessions: [{ ...session, hash: "g" }, session] }
    expect(findToken(credentials, "b")?.id).toBe("b")
    expect([findToken(credentials, null), findToken(credentials, "c")]).toEqual([undefined, undefined])
    expect([findSession(credentials, "h"), findSession(credentials, "a")]).toEqual([session, undefined])
  })
})
