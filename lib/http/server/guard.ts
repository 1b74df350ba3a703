import type { IncomingMessage } from "node:http"
import { isIPv6 } from "node:net"
import { UPLOAD_BODY_TYPE } from "../../api/upload-body-type.ts"
import { SCOPES } from "../../domain/constants.ts"
import { AppError } from "../../domain/errors.ts"
import type { TokenStore } from "../../storage/stores/ports/tokens.ts"
import type { Access } from "../auth/access.ts"
import { type AuthThrottle, clientKey } from "../auth/auth-throttle.ts"
import { isLoginPath } from "../auth/login.ts"
import { type Caller, setCaller, setClientKey } from "../auth/scopes.ts"
import { readBearerToken } from "../auth/session.ts"
import { callerOrigin, isSafeMethod, requestMediaType, requestPath } from "../request.ts"
import { isAllowedPreflight } from "./cors.ts"

/** Lets a request pass, or throws an AppError whose code is the status of the response. */
type Check = (request: IncomingMessage) => void

export type HostOptions = {
  /** Host names and addresses that are served, with a port or for every port. */
  readonly allowedHosts: readonly string[]
}

export type TokenOptions = {
  readonly access: Pick<Access, "isRequired" | "findCaller" | "checkToken">
  /** Counts wrong tokens per client address. */
  readonly throttle: AuthThrottle
}

export type OriginOptions = {
  /** Origins, in addition to the own one, whose pages may use the service. */
  readonly allowedOrigins: readonly string[]
}

export type BodyOptions = {
  readonly maxJsonBytes: number
  /** The limit for the file in a form; the form around it may be somewhat larger. */
  readonly maxUploadBytes: number
}

export type GuardOptions = HostOptions & TokenOptions & OriginOptions & BodyOptions

const withBrackets = (host: string): string => (isIPv6(host) ? `[${host}]` : host)
const withoutPort = (host: string): string => host.replace(/:\d*$/, "")

/**
 * Rejects requests for a foreign host name. This prevents DNS rebinding, where a foreign name resolves to this machine.
 * Names are compared as text for the same reason: resolving them would allow it.
 */
const requireAllowedHost = ({ allowedHosts }: HostOptions): Check => {
  const allowed = allowedHosts.map((host) => withBrackets(host).toLowerCase())
  return ({ rawHeaders }) => {
    const hosts = rawHeaders.filter((_, i, all) => i % 2 === 1 && all[i - 1]!.toLowerCase() === "host")
    if (hosts.length !== 1) throw new AppError("bad_request", "A request must have exactly one Host header.")
    const host = hosts[0]!.trim().toLowerCase()
    if (!allowed.includes(host) && !allowed.includes(withoutPort(host)))
      throw new AppError(
        "forbidden",
        `The host '${host.slice(0, 100)}' is not allowed. Add it to SERVICE_ALLOWED_HOSTS to serve it.`,
      )
  }
}

/** Next.js would resolve dot segments, and then serve another path than the one that was checked. */
const hasDotSegment = (path: string): boolean => path.split(/[/\\]/).some((segment) => /^(\.|%2e){1,2}$/i.test(segment))

/** Rejects paths that do not decode to valid text, or that contain dot segments, a NUL or two slashes at the start. */
const requireValidPath: Check = (request) => {
  const path = requestPath(request)
  if (!path.startsWith("/") || path.startsWith("//"))
    throw new AppError("bad_request", "The path must begin with a single slash.")
  let decoded: string
  try {
    decoded = decodeURIComponent(path)
  } catch (cause) {
    throw new AppError(
      "bad_request",
      "Invalid percent-encoding in the path: every % must be followed by two hex digits, and the result must be valid UTF-8.",
      { cause },
    )
  }
  if (decoded.includes("\0")) throw new AppError("bad_request", "The path contains a NUL character. Remove it.")
  if (hasDotSegment(path))
    throw new AppError("bad_request", "The path contains a '.' or '..' segment. Request the resolved path instead.")
}

const unauthorized = (reason: string | null): AppError =>
  new AppError(
    "unauthorized",
    `${reason ?? "This service requires a token."} Send 'Authorization: Bearer' with SERVICE_API_TOKEN or an API token (earmark tokens create), or sign in at /login.`,
    reason === null ? {} : { challenge: `error="invalid_token", error_description="${reason.replace(/["\\]/g, "'")}"` },
  )

/**
 * Checks the bearer token of a request and returns its caller. After ten wrong tokens within a minute an address has to
 * wait, unless it sent the right one before: clients behind one proxy share an address, and must not be locked out by one
 * of them.
 */
const checkBearer = async (request: IncomingMessage, { access, throttle }: TokenOptions): Promise<Caller> => {
  const client = clientKey(request)
  const waitMs = throttle.waitMs(client)
  if (waitMs === 0 || throttle.isTrusted(client)) {
    const verdict = await access.checkToken(readBearerToken(request) ?? "", () => throttle.failed(client))
    if (verdict.scopes !== null) {
      throttle.trust(client)
      return { scopes: verdict.scopes, tokenId: verdict.token?.id ?? null }
    }
    if (verdict.isKnown || waitMs === 0) throw unauthorized(verdict.reason)
  }
  throw new AppError(
    "too_many",
    "Too many wrong tokens from this address. Wait for the time in Retry-After, then send the right token.",
    { retryInMs: waitMs },
  )
}

/** The pages of share links, whose path contains a secret. Compared undecoded, as login paths are. */
const isSharePath = (path: string): boolean => /^\/share\/[0-9a-z]{1,100}(\/audio)?$/.test(path)

/**
 * Requires a token or a session on every path except /health, the login pages and share links, and tells the route who sends
 * the request. Only tokens are throttled, because a session cookie cannot be guessed.
 */
const requireToken =
  (options: TokenOptions & OriginOptions) =>
  async (request: IncomingMessage): Promise<void> => {
    setCaller(request)
    setClientKey(request, clientKey(request))
    // A preflight carries no token. It is answered without reaching a route.
    if (isAllowedPreflight(request, options.allowedOrigins)) return
    // Login paths are compared undecoded: Next.js might serve something else for another spelling.
    const path = requestPath(request)
    if (isLoginPath(path) || isSharePath(path) || decodeURIComponent(path) === "/health") return
    if (!(await options.access.isRequired())) return setCaller(request, { scopes: SCOPES, tokenId: null })
    const caller = await options.access.findCaller(request)
    if (caller !== null) return setCaller(request, caller)
    if (request.headers.authorization === undefined) throw unauthorized(null)
    setCaller(request, await checkBearer(request, options))
  }

const rejectTrace: Check = ({ method }) => {
  if (method === "TRACE") throw new AppError("method_not_allowed", "TRACE is not allowed.")
}

/** Unlike a response, the messages of a WebSocket can be read by a foreign page, so opening one counts as a write. */
const isWrite = ({ method, headers }: IncomingMessage): boolean =>
  !isSafeMethod(method) || headers.upgrade !== undefined

const isSameOrigin = (origin: string, host: string): boolean =>
  [`http://${host}`, `https://${host}`].some((own) => own.toLowerCase() === origin.toLowerCase())

/** Rejects writes that the page of another site sends. This prevents cross-site request forgery. */
const requireSameOrigin =
  ({ allowedOrigins }: OriginOptions): Check =>
  (request) => {
    const { origin, host = "", "sec-fetch-site": site } = request.headers
    if (!isWrite(request) || (origin !== undefined && allowedOrigins.includes(origin))) return
    const isForeign =
      origin === undefined ? ["cross-site", "same-site"].includes(String(site)) : !isSameOrigin(origin, host)
    if (isForeign || site === "cross-site")
      throw new AppError(
        "forbidden",
        `Writes from ${origin ? `the origin '${origin.slice(0, 100)}'` : "another site"} are not allowed. Add the origin to SERVICE_ALLOWED_ORIGINS to allow them.`,
      )
  }

/**
 * Rejects reads that the page of another site causes, as by an image or a script: it cannot see the response, but a request
 * may fetch a feed or compute a map. Following a link to this service is allowed.
 */
const rejectForeignReads =
  ({ allowedOrigins }: OriginOptions): Check =>
  (request) => {
    const { method, headers } = request
    if (!["GET", "HEAD"].includes(method ?? "") || headers["sec-fetch-site"] !== "cross-site") return
    const origin = callerOrigin(request)
    if (origin !== undefined && allowedOrigins.includes(origin)) return
    const isPageLoad =
      headers["sec-fetch-mode"] === "navigate" && (headers["sec-fetch-dest"] ?? "document") === "document"
    if (!isPageLoad)
      throw new AppError(
        "forbidden",
        "Requests from the pages of another site are not allowed, except links. Add the origin to SERVICE_ALLOWED_ORIGINS to allow them.",
      )
  }

const BODY_TYPES = ["application/json", "multipart/form-data"]
const isUploadPath = (path: string): boolean => /^\/uploads(\/|$)/.test(path)
/** Size limit for the other fields and the part headers of a form with a file. */
const MULTIPART_OVERHEAD_BYTES = 33 * 2 ** 20
const toMegabytes = (bytes: number): number => Math.ceil(bytes / 2 ** 20)

/** Rejects a body by its declared type, encoding and length, before it is read. The login form has limits of its own. */
const requireAcceptableBody =
  ({ maxJsonBytes, maxUploadBytes }: BodyOptions): Check =>
  (request) => {
    if (!isWrite(request) || isLoginPath(requestPath(request))) return
    const length = Number(request.headers["content-length"] ?? 0)
    if (length === 0 && request.headers["transfer-encoding"] === undefined) return
    const type = requestMediaType(request)
    const types = isUploadPath(requestPath(request)) ? [UPLOAD_BODY_TYPE] : BODY_TYPES
    if (!types.includes(type))
      throw new AppError("unsupported_media", `The body must be ${types.join(" or ")}${type ? `, not ${type}` : ""}.`)
    const encoding = request.headers["content-encoding"] ?? "identity"
    if (encoding.toLowerCase() !== "identity")
      throw new AppError(
        "unsupported_media",
        `The body must not be compressed (Content-Encoding: ${encoding.slice(0, 100)}). Send it as it is.`,
      )
    const isJson = type === "application/json"
    if (length > (isJson ? maxJsonBytes : maxUploadBytes + MULTIPART_OVERHEAD_BYTES))
      throw new AppError(
        "too_large",
        isJson
          ? `The JSON body has ${toMegabytes(length)} MB. The maximum is ${toMegabytes(maxJsonBytes)} MB.`
          : `The recording has ${toMegabytes(length)} MB. The maximum is ${toMegabytes(maxUploadBytes)} MB (SERVICE_MAX_UPLOAD_MB).`,
      )
  }

/**
 * Returns the checks that every request must pass before anything else handles it. Apart from what no request may contain, the
 * token is checked first, so that a caller without one learns nothing else about the service.
 */
export const createGuard = (options: GuardOptions): ((request: IncomingMessage) => Promise<void>) => {
  const authenticate = requireToken(options)
  const checks = [
    requireAllowedHost(options),
    requireSameOrigin(options),
    rejectForeignReads(options),
    requireAcceptableBody(options),
  ]
  return async (request) => {
    requireValidPath(request)
    rejectTrace(request)
    await authenticate(request)
    for (const check of checks) check(request)
  }
}

/** Returns true if only this machine can reach a host name or address. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host)

/**
 * Prevents opening the service to the network without a token.
 * @throws AppError `invalid`
 */
export const requireTokenIfPublic = async (
  { host, token }: { host: string; token: string | undefined },
  tokens: Pick<TokenStore, "list"> | null,
): Promise<void> => {
  if (isLoopback(host) || token !== undefined || ((await tokens?.list()) ?? []).length > 0) return
  throw new AppError(
    "invalid",
    `SERVICE_HOST=${host} would open the service to the network without a token. Set SERVICE_API_TOKEN (16 characters or more), create a token with \`earmark tokens create\`, or leave SERVICE_HOST at 127.0.0.1.`,
  )
}
