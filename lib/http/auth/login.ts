import type { IncomingMessage, ServerResponse } from "node:http"
import { AppError } from "../../domain/errors.ts"
import { requestMediaType } from "../request.ts"
import type { Access } from "./access.ts"
import { type AuthThrottle, clientKey } from "./auth-throttle.ts"
import { renderLoginPage, renderSignedInPage } from "./login-page.ts"
import { expiredSessionCookie } from "./session.ts"

const LOGIN_PATH = "/login"
const LOGOUT_PATH = "/logout"
const MAX_FORM_BYTES = 16 * 1024
const FORM_TIMEOUT_MS = 10_000
const FORM_TYPE = "application/x-www-form-urlencoded"
const MAX_REDIRECT_CHARS = 2000
/** Resolves relative paths. Nothing is ever requested from it. */
const BASE_URL = "http://earmark.invalid"

/** @param path the path as it was sent; another spelling of it is not a login path */
export const isLoginPath = (path: string): boolean => path === LOGIN_PATH || path === LOGOUT_PATH

/** Returns a path of this service to redirect to, or "/" if the given one is not safe. Never leads to another origin. */
export const sanitizeRedirectPath = (path: string | null | undefined): string => {
  if (!path || path.length > MAX_REDIRECT_CHARS || !/^\/(?![/\\])[\x21-\x7e]*$/.test(path)) return "/"
  try {
    const url = new URL(path, BASE_URL)
    const resolved = `${url.pathname}${url.search}`
    // Resolving dot segments can produce a second slash at the start, which would make a host name of what follows.
    const isSafe = url.origin === BASE_URL && !resolved.startsWith("//") && !isLoginPath(url.pathname)
    return isSafe ? resolved : "/"
  } catch {
    return "/"
  }
}

/** Returns the address of the login page that leads back to `url` afterwards. */
export const loginUrl = (url: string): string => `${LOGIN_PATH}?next=${encodeURIComponent(sanitizeRedirectPath(url))}`

const sendPage = (
  response: ServerResponse,
  status: number,
  html: string,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-length": Buffer.byteLength(html),
    ...headers,
  })
  response.end(response.req.method === "HEAD" ? undefined : html)
}

const redirect = (response: ServerResponse, location: string, headers: Record<string, string> = {}): void => {
  response.writeHead(303, { location, "cache-control": "no-store", "content-length": 0, ...headers })
  response.end()
}

const readForm = async (request: IncomingMessage): Promise<URLSearchParams> => {
  if (requestMediaType(request) !== FORM_TYPE)
    throw new AppError("unsupported_media", `The login form must be sent as ${FORM_TYPE}.`)
  const timeout = setTimeout(() => request.destroy(), FORM_TIMEOUT_MS)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > MAX_FORM_BYTES) throw new AppError("too_large", "The login form is larger than 16 kB.")
      chunks.push(chunk)
    }
  } catch (cause) {
    if (AppError.is(cause)) throw cause
    throw new AppError("bad_request", "The login form arrived incomplete. Send it again.", { cause })
  } finally {
    clearTimeout(timeout)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"))
}

const rejectMethod = (request: IncomingMessage, response: ServerResponse, allow: string): never => {
  response.setHeader("allow", allow)
  throw new AppError("method_not_allowed", `${request.method} is not allowed on this path. Allowed: ${allow}.`)
}

export type LoginOptions = { readonly access: Access; readonly throttle: AuthThrottle }

const logIn = async (
  request: IncomingMessage,
  response: ServerResponse,
  { access, throttle }: LoginOptions,
): Promise<void> => {
  const client = clientKey(request)
  const form = await readForm(request)
  const next = sanitizeRedirectPath(form.get("next"))
  const waitMs = throttle.waitMs(client)
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1000)
    const message = `Too many wrong tokens. Try again in ${seconds} seconds.`
    return sendPage(response, 429, renderLoginPage(next, message), { "retry-after": String(seconds) })
  }
  const text = (form.get("token") ?? "").trim()
  const verdict = await access.checkToken(text, () => throttle.failed(client))
  const cookie = verdict.scopes === null ? null : await access.openSession(request, text, verdict.token)
  if (cookie === null) {
    const message = verdict.scopes === null && verdict.isKnown ? verdict.reason : "Wrong token. Check it and try again."
    return sendPage(response, 401, renderLoginPage(next, message))
  }
  throttle.succeeded(client)
  redirect(response, next, { "set-cookie": cookie })
}

/**
 * Serves /login, which exchanges a token for a session cookie, and /logout, which ends the session. If no token is
 * required, both redirect to the home page.
 */
export const handleLogin = async (
  request: IncomingMessage,
  response: ServerResponse,
  options: LoginOptions,
): Promise<void> => {
  const url = new URL(request.url ?? "/", BASE_URL)
  const { access } = options
  const isRead = request.method === "GET" || request.method === "HEAD"
  if (url.pathname === LOGOUT_PATH) {
    if (request.method !== "POST") return rejectMethod(request, response, "POST")
    request.resume()
    await access.closeSession(request)
    return redirect(response, (await access.isRequired()) ? LOGIN_PATH : "/", {
      "set-cookie": expiredSessionCookie(request),
    })
  }
  if (!isRead && request.method !== "POST") return rejectMethod(request, response, "GET, HEAD, POST")
  if (!(await access.isRequired())) return redirect(response, "/")
  if (!isRead) return logIn(request, response, options)
  if ((await access.findCaller(request)) !== null) return sendPage(response, 200, renderSignedInPage())
  sendPage(response, 200, renderLoginPage(sanitizeRedirectPath(url.searchParams.get("next"))))
}
