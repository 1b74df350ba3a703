import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"

export type SecurityHeaderOptions = {
  /** Allows what reloading in development needs: evaluated code and WebSockets. */
  readonly dev: boolean
  /** Another origin that recordings may be played from. */
  readonly mediaOrigin: string | null
}

/** Allows this origin only, and inline scripts only with the nonce of this response. */
const contentSecurityPolicy = (nonce: string, { dev, mediaOrigin }: SecurityHeaderOptions): string =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${dev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${dev ? " ws:" : ""}`,
    "worker-src 'self' blob:",
    `media-src 'self' blob:${mediaOrigin ? ` ${mediaOrigin}` : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ")

/** Sets the security headers of a response. Next.js reads the nonce for its scripts from the request header. */
export const setSecurityHeaders = (
  request: IncomingMessage,
  response: ServerResponse,
  options: SecurityHeaderOptions,
): void => {
  const policy = contentSecurityPolicy(randomBytes(16).toString("base64"), options)
  request.headers["content-security-policy"] = policy
  response.setHeader("content-security-policy", policy)
  response.setHeader("x-content-type-options", "nosniff")
  response.setHeader("referrer-policy", "same-origin")
  response.setHeader("x-frame-options", "DENY")
  response.setHeader("cross-origin-opener-policy", "same-origin")
  response.setHeader("cross-origin-resource-policy", "same-origin")
}
