import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { describe, expect, it } from "vitest"
import { type SecurityHeaderOptions, setSecurityHeaders } from "./security-headers.ts"

const headersWith = (options: Partial<SecurityHeaderOptions> = {}) => {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  setSecurityHeaders(request, response, { dev: false, mediaOrigin: null, ...options })
  return { sent: response.getHeaders() as Record<string, string>, received: request.headers }
}
const directivesOf = (policy: string) =>
  new Map(policy.split("; ").map((directive) => [directive.split(" ")[0]!, directive.split(" ").slice(1)]))

describe("the security headers of a response", () => {
  it("forbid frames, guessed types and other sites", () => {
    const { "content-security-policy": _, ...others } = headersWith().sent
    expect(others).toEqual({
      "x-content-type-options": "nosniff",
      "referrer-policy": "same-origin",
      "x-frame-options": "DENY",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    })
  })

  it("allow inline scripts with the nonce of this response only, which the pages get too", () => {
    const { sent, received } = headersWith()
    const policy = sent["content-security-policy"]!
    expect(received["content-security-policy"]).toBe(policy)
    const [own, nonce] = directivesOf(policy).get("script-src")!
    expect([own, nonce]).toEqual(["'self'", expect.stringMatching(/^'nonce-[A-Za-z0-9+/]{22}=='$/)])
    expect(headersWith().sent["content-security-policy"]).not.toContain(nonce)
  })

  it("allow nothing from other origins, except recordings from the given one", () => {
    const policy = directivesOf(headersWith({ mediaOrigin: "https://media.example" }).sent["content-security-policy"]!)
    policy.delete("script-src")
    expect(Object.fromEntries(policy)).toEqual({
      "default-src": ["'self'"],
      "style-src": ["'self'", "'unsafe-inline'"],
      "img-src": ["'self'", "data:", "blob:"],
      "font-src": ["'self'"],
      "connect-src": ["'self'"],
      "worker-src": ["'self'", "blob:"],
      "media-src": ["'self'", "blob:", "https://media.example"],
      "object-src": ["'none'"],
      "base-uri": ["'none'"],
      "form-action": ["'self'"],
      "frame-ancestors": ["'none'"],
    })
  })

  it("allow evaluated code and WebSockets in development only", () => {
    const policy = directivesOf(headersWith({ dev: true }).sent["content-security-policy"]!)
    expect(policy.get("script-src")).toContain("'unsafe-eval'")
    expect(policy.get("connect-src")).toEqual(["'self'", "ws:"])
    expect(headersWith().sent["content-security-policy"]).not.toContain("unsafe-eval")
  })
})
