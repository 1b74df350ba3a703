import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { tokenIdOf } from "../../domain/token-secrets.ts"
import { apiTokenRequest } from "../../domain/tokens.ts"
import { openTestNode, type TestNode } from "../testing/open-test-node.ts"
import { createToken, isUnprotected, listTokens, revokeToken } from "./tokens.ts"

let node: TestNode
beforeEach(async () => {
  node = await openTestNode()
})
afterEach(() => node.end())

const create = (name: string, scopes: string[], expires_at: string | null = null) =>
  createToken(node, apiTokenRequest.parse({ name, scopes, expires_at }))

describe("API tokens", () => {
  it("are created with a secret, listed without it, oldest first, and revoked", async () => {
    const before = Date.now()
    const { token, ...first } = await create("first", ["admin", "read", "admin"])
    expect(tokenIdOf(token)).toBe(first.id)
    expect(first).toMatchObject({ name: "first", scopes: ["admin", "read"], expires_at: null, last_used_at: null })
    expect(Date.parse(first.created_at)).toBeGreaterThanOrEqual(before - 1)
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
    const { token: _, ...second } = await create("second", ["read"], tomorrow)
    expect(second.expires_at).toBe(tomorrow)
    expect(await listTokens(node)).toEqual({ tokens: [first, second], is_setting_set: false })
    await revokeToken(node, first)
    expect((await listTokens(node)).tokens).toEqual([second])
    await expect(revokeToken(node, first)).rejects.toMatchObject({
      code: "not_found",
      message: `unknown token '${first.id}'`,
    })
  })

  it("must expire in the future", async () => {
    const now = new Date().toISOString()
    await expect(create("old", ["admin"], now)).rejects.toMatchObject({
      code: "invalid",
      message: "expires_at: must be in the future. Leave it out for a token that never expires.",
    })
    expect((await listTokens(node)).tokens).toEqual([])
  })

  it("begin with one of scope admin, unless a token is in the settings", async () => {
    await expect(create("reader", ["read", "write"])).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(/^scopes: the first token must have the scope 'admin'/),
    })
    expect(await isUnprotected(node)).toBe(true)
    const config = { ...node.config, http: { ...node.config.http, token: "x" } }
    const deps = { ...node, config }
    expect([await isUnprotected(deps), (await listTokens(deps)).is_setting_set]).toEqual([false, true])
    await createToken(deps, apiTokenRequest.parse({ name: "reader", scopes: ["read"] }))
    expect(await isUnprotected(node)).toBe(false)
    expect((await create("writer", ["write"])).scopes).toEqual(["write"])
  })
})
