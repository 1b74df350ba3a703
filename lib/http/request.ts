import type { IncomingMessage } from "node:http"

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"]

/** Returns true if the method must not change anything (RFC 9110, 9.2.1). TRACE, which is rejected, is not one of them. */
export const isSafeMethod = (method: string | undefined): boolean => SAFE_METHODS.includes(method ?? "")

/** Returns the path of a request as it was sent: undecoded and without its query. */
export const requestPath = (request: IncomingMessage): string => (request.url ?? "").split("?")[0]!

/** Returns the media type of a request body in lower case and without parameters, or "" if none is given. */
export const requestMediaType = ({ headers }: Pick<IncomingMessage, "headers">): string =>
  (headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase()

const originOf = (url: string): string | undefined => {
  try {
    return new URL(url).origin
  } catch {
    return undefined
  }
}

/**
 * Returns the origin of the page that sends a request. Browsers send no Origin header with plain media and images, but the
 * page's origin as Referer. A page can suppress the Referer, but not name another origin in it.
 */
export const callerOrigin = ({ headers }: Pick<IncomingMessage, "headers">): string | undefined =>
  headers.origin ?? (headers.referer === undefined ? undefined : originOf(headers.referer))
