import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"

/** Everything from here and nothing else; inline scripts only under this answer's nonce. */
const policy = (nonce: string, dev: boolean, media: string): string =>
  [
    "default-src 'self'",
    // Reloading while developing evaluates code.
    `script-src 'self' 'nonce-${nonce}'${dev ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${dev ? " ws:" : ""}`,
    "worker-src 'self' blob:",
    `media-src 'self' blob:${media}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ")

/**
 * Sets the security headers of the answer, and tells Next the nonce for its own scripts through the request.
 * @param mediaOrigin another origin that recordings may be played from
 */
export const setSecurityHeaders = (
  request: IncomingMessage,
  response: ServerResponse,
  dev: boolean,
  mediaOrigin: string | null,
): void => {
  const csp = policy(randomBytes(16).toString("base64"), dev, mediaOrigin ? ` ${mediaOrigin}` : "")
  request.headers["content-security-policy"] = csp
  response.setHeader("content-security-policy", csp)
  response.setHeader("x-content-type-options", "nosniff")
  response.setHeader("referrer-policy", "same-origin")
  response.setHeader("x-frame-options", "DENY")
  response.setHeader("cross-origin-opener-policy", "same-origin")
  response.setHeader("cross-origin-resource-policy", "same-origin")
}
