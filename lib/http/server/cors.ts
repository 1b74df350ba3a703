import type { IncomingMessage, ServerResponse } from "node:http"
import { callerOrigin } from "../request.ts"
import { METHODS } from "../responses/error-response.ts"

const ALLOWED_HEADERS = [
  "authorization",
  "content-type",
  "if-match",
  "if-none-match",
  "idempotency-key",
  "range",
  "tus-resumable",
  "upload-checksum",
  "upload-length",
  "upload-metadata",
  "upload-offset",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
].join(", ")
const EXPOSED_HEADERS = [
  "etag",
  "location",
  "retry-after",
  "x-request-id",
  "content-range",
  "earmark-warnings",
  "idempotent-replayed",
  "www-authenticate",
  "tus-checksum-algorithm",
  "tus-extension",
  "tus-max-size",
  "tus-resumable",
  "tus-version",
  "upload-expires",
  "upload-length",
  "upload-metadata",
  "upload-offset",
].join(", ")
const PREFLIGHT_MAX_AGE_S = "600"

/**
 * Sets the headers that let pages of the allowed origins read a response (Fetch standard, 3.2). Other origins get none.
 * Credentials are not allowed: such a page sends the token in `Authorization`.
 */
export const setCorsHeaders = (
  request: IncomingMessage,
  response: ServerResponse,
  allowedOrigins: readonly string[],
): void => {
  if (allowedOrigins.length === 0) return
  response.appendHeader("vary", "Origin")
  const origin = callerOrigin(request)
  if (origin === undefined || !allowedOrigins.includes(origin)) return
  response.setHeader("access-control-allow-origin", origin)
  response.setHeader("access-control-expose-headers", EXPOSED_HEADERS)
  response.setHeader("cross-origin-resource-policy", "cross-origin")
}

/** Returns true for the request by which a browser asks whether a page of an allowed origin may send another one. */
export const isAllowedPreflight = ({ method, headers }: IncomingMessage, allowedOrigins: readonly string[]): boolean =>
  method === "OPTIONS" &&
  headers["access-control-request-method"] !== undefined &&
  headers.origin !== undefined &&
  allowedOrigins.includes(headers.origin)

export const answerPreflight = (response: ServerResponse): void => {
  response
    .writeHead(204, {
      "access-control-allow-methods": METHODS.join(", "),
      "access-control-allow-headers": ALLOWED_HEADERS,
      "access-control-max-age": PREFLIGHT_MAX_AGE_S,
    })
    .end()
}
