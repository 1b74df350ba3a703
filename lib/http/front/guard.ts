import type { IncomingMessage } from "node:http"
import { isIPv6 } from "node:net"
import { AppError } from "../../domain/errors.ts"
import type { Config } from "../../platform/config/config.ts"
import { type Attempts, clientKey } from "../auth/auth-throttle.ts"
import { isLoginPath } from "../auth/login.ts"
import { hasBearer, hasSession } from "../auth/session.ts"

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"]
export const isSafe = (method: string | undefined): boolean => SAFE_METHODS.includes(method ?? "")

const BODY_TYPES = ["application/json", "multipart/form-data"]
/** What a form's own lines may add to the recording in it. */
const MULTIPART_OVERHEAD_BYTES = 33 * 2 ** 20

type Http = Config["http"]

const megabytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20)

const bracketed = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

/** Without its port and in lower case; compared letter by letter, as a name that merely resolves here is foreign. */
const hostName = (host: string): string => host.toLowerCase().replace(/:\d*$/, "")

const isAllowedHost = (host: string, http: Http): boolean =>
  http.allowedHosts.map((h) => bracketed(h).toLowerCase()).some((h) => h === host.toLowerCase() || h === hostName(host))

/** DNS rebinding: a page of a foreign name that resolves to this machine must not get an answer. */
const checkHost = (request: IncomingMessage, http: Http): string => {
  const hosts = request.rawHeaders.filter((_, i, all) => i % 2 === 1 && all[i - 1]!.toLowerCase() === "host")
  if (hosts.length !== 1) throw new AppError("bad_request", "A request carries exactly one Host header.")
  const host = hosts[0]!.trim()
  if (!isAllowedHost(host, http))
    throw new AppError(
      "forbidden",
      `The host '${host.slice(0, 100)}' is not served here; SERVICE_ALLOWED_HOSTS names those that are.`,
    )
  return host
}

/** The pages would go up by these: what is judged here must be what is served there. Clients take them out themselves. */
const dotless = (path: string): void => {
  if (path.split(/[/\\]/).some((part) => /^(\.|%2e){1,2}$/i.test(part)))
    throw new AppError("bad_request", "A path has no '.' or '..' for a part of it: ask for what it leads to.")
}

/** @returns the decoded path. @throws AppError `bad_request` */
const checkPath = (url: string): string => {
  const [path = ""] = url.split("?")
  if (!path.startsWith("/") || path.startsWith("//"))
    throw new AppError("bad_request", "The path of a request begins with a single slash.")
  try {
    const decoded = decodeURIComponent(path)
    if (decoded.includes("\0")) throw new Error("NUL")
    dotless(path)
    return decoded
  } catch (cause) {
    if (AppError.is(cause)) throw cause
    throw new AppError(
      "bad_request",
      "The path cannot be decoded: a % must be followed by the two digits of a byte of UTF-8.",
      { cause },
    )
  }
}

/**
 * A session is sealed by us and cannot be guessed; a token might be. After ten wrong ones in a minute an address must
 * wait, unless the right one came from it before: a proxy lends many callers one address, and one of them must not lock
 * out the others.
 */
const checkToken = (request: IncomingMessage, path: string, { token }: Http, attempts: Attempts): void => {
  if (token === undefined || path === "/health" || hasSession(request, token)) return
  if (request.headers.authorization !== undefined) {
    const caller = clientKey(request)
    const waitMs = attempts.waitMs(caller)
    if (waitMs === 0 || attempts.isTrusted(caller)) {
      if (hasBearer(request, token)) {
        attempts.trust(caller)
        return
      }
      attempts.failed(caller)
    }
    if (waitMs > 0)
      throw new AppError("too_many", "Too many wrong tokens came from this address: wait, then send the right one.", {
        retryInMs: waitMs,
      })
  }
  throw new AppError(
    "unauthorized",
    "This service wants a token: send 'Authorization: Bearer' with the SERVICE_API_TOKEN that it was started with, or sign in at /login.",
  )
}

const isSameOrigin = (origin: string, host: string): boolean =>
  [`http://${host}`, `https://${host}`].some((own) => own.toLowerCase() === origin.toLowerCase())

/** Cross-site request forgery: a foreign page may send a write without asking, so writes are refused by where they come from. */
const checkOrigin = ({ headers }: IncomingMessage, host: string, http: Http): void => {
  const { origin } = headers
  const site = headers["sec-fetch-site"]
  if (origin !== undefined && http.allowedOrigins.includes(origin)) return
  const foreign =
    origin === undefined ? ["cross-site", "same-site"].includes(String(site)) : !isSameOrigin(origin, host)
  if (foreign || site === "cross-site")
    throw new AppError(
      "forbidden",
      `Writes from ${origin ? `the origin '${origin.slice(0, 100)}'` : "another site"} are refused; SERVICE_ALLOWED_ORIGINS names the origins that may.`,
    )
}

const checkBody = ({ headers }: IncomingMessage, http: Http): void => {
  const length = Number(headers["content-length"] ?? 0)
  if (length === 0 && headers["transfer-encoding"] === undefined) return
  const type = (headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase()
  if (!BODY_TYPES.includes(type))
    throw new AppError("unsupported_media", `A body must be ${BODY_TYPES.join(" or ")}${type ? `, not ${type}` : ""}.`)
  const isJson = type === "application/json"
  if (length > (isJson ? http.maxJsonBytes : http.maxUploadBytes + MULTIPART_OVERHEAD_BYTES))
    throw new AppError(
      "too_large",
      isJson
        ? `JSON may have up to ${megabytes(http.maxJsonBytes)} MB; this has ${megabytes(length)} MB.`
        : `A recording may have up to ${megabytes(http.maxUploadBytes)} MB (SERVICE_MAX_UPLOAD_MB); this has ${megabytes(length)} MB.`,
    )
}

/**
 * What every request must pass before anything else looks at it.
 * @throws AppError with the status of the refusal
 */
export const guard = (request: IncomingMessage, http: Http, attempts: Attempts): void => {
  const host = checkHost(request, http)
  const path = checkPath(request.url ?? "")
  // By its letters: another spelling of the path would pass here, and be something else behind the door.
  const isLogin = isLoginPath((request.url ?? "").split("?")[0]!)
  if (!isLogin) checkToken(request, path, http, attempts)
  if (request.method === "TRACE") throw new AppError("method_not_allowed", "TRACE is not possible here.")
  // A web socket counts as a write: unlike an answer, what comes over it can be read by a foreign page.
  if (isSafe(request.method) && request.headers.upgrade === undefined) return
  checkOrigin(request, host, http)
  // A login is a small form of another kind, and reads itself with limits of its own.
  if (!isLogin) checkBody(request, http)
}

/** A service that others can reach must ask who they are. @throws AppError `invalid` */
export const requireTokenIfPublic = ({ host, token }: Http): void => {
  const loopback = host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host)
  if (loopback || token !== undefined) return
  throw new AppError(
    "invalid",
    `SERVICE_HOST=${host} would open the service to the network without a token: set SERVICE_API_TOKEN (16 characters or more), or leave SERVICE_HOST at 127.0.0.1.`,
  )
}
