import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { NewToken } from "../ports/tokens.ts"
import type { StoreFixture, StoreSetup } from "./fixtures.ts"

const newToken = (id: string, changes: Partial<NewToken> = {}): NewToken => ({
  id,
  name: `for ${id}`,
  hash: `hash of ${id}`,
  scopes: ["read"],
  expiresAt: null,
  ...changes,
})

export const testTokens = (setup: StoreSetup) =>
  describe("tokens", () => {
    let f: StoreFixture
    beforeEach(async () => {
      f = await setup()
    })
    afterEach(() => f.teardown())

    it("lists tokens for all processes, oldest first, until they are revoked", async () => {
      const other = await f.another()
      const first = await f.store.tokens.create(newToken("z", { scopes: ["write", "admin"], expiresAt: 5 }))
      expect(first).toEqual({
        ...newToken("z", { scopes: ["write", "admin"], expiresAt: 5 }),
        createdAt: f.clock.now(),
        lastUsedAt: null,
      })
      f.clock.advance(1)
      const second = await f.store.tokens.create(newToken("a"))
      expect(await other.tokens.list()).toEqual([first, second])
      expect(await other.tokens.revoke("z")).toBe(true)
      expect(await other.tokens.revoke("z")).toBe(false)
      expect(await f.store.tokens.list()).toEqual([second])
    })

    it("records the last use at most once a minute", async () => {
      await f.store.tokens.create(newToken("a"))
      const lastUse = async () => (await f.store.tokens.list())[0]!.lastUsedAt
      const from = f.clock.now()
      await f.store.tokens.recordUse("a")
      expect(await lastUse()).toBe(from)
      f.clock.advance(59_999)
      await f.store.tokens.recordUse("a")
      expect(await lastUse()).toBe(from)
      f.clock.advance(1)
      await f.store.tokens.recordUse("a")
      expect(await lastUse()).toBe(from + 60_000)
      await f.store.tokens.recordUse("unknown")
    })

    it("keeps the sessions of a token until they expire, are closed, or the token is revoked", async () => {
      for (const id of ["a", "b"]) await f.store.tokens.create(newToken(id))
      const open = (hash: string, tokenId: string, ms: number) =>
        f.store.tokens.openSession({ hash, tokenId, expiresAt: f.clock.now() + ms })
      const hashes = async () => (await f.store.tokens.getCredentials()).sessions.map(({ hash }) => hash).sort()
      expect(await open("short", "a", 10)).toBe(true)
      expect(await open("long", "a", 1000)).toBe(true)
      expect(await open("other", "b", 1000)).toBe(true)
      expect(await open("lost", "revoked", 1000)).toBe(false)
      expect(await hashes()).toEqual(["long", "other", "short"])
      f.clock.advance(10)
      expect(await hashes()).toEqual(["long", "other"])
      await f.store.tokens.closeSession("other")
      expect(await hashes()).toEqual(["long"])
      await f.store.tokens.revoke("a")
      expect(await f.store.tokens.getCredentials()).toMatchObject({ tokens: [{ id: "b" }], sessions: [] })
    })
  })
