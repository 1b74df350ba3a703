import type { IncomingMessage, ServerResponse } from "node:http"
import { AppError } from "../../domain/errors.ts"
import { type Attempts, clientKey } from "./auth-throttle.ts"
import { loginPage, signedInPage } from "./login-page.ts"
import { expiredSessionCookie, hasSession, isSame, sessionCookie } from "./session.ts"

const LOGIN = "/login"
const LOGOUT = "/logout"
const MAX_FORM = 16 * 1024
const FORM_MS = 10_000
const FORM_TYPE = "application/x-www-form-urlencoded"

export const isLoginPath = (path: string): boolean => path === LOGIN || path === LOGOUT

/** A path of this service, or the home page: nothing that leads to another origin, however it is spelt. */
export const sanitizeRedirectPath = (given: string | null | undefined): string => {
  if (!given || given.length > 2000 || !/^\/(?![/\\])[\x21-\x7e]*$/.test(given)) return "/"
  try {
    const base = "http://earmark.invalid"
    const url = new URL(given, base)
    // Dots can resolve to a second slash at the start, which would name a host.
    const path = `${url.pathname}${url.search}`
    return url.origin === base && !path.startsWith("//") && !isLoginPath(url.pathname) ? path : "/"
  } catch {
    return "/"
  }
}

/** Where a browser without a session is sent: the form, which then leads back. */
export const loginAddress = (url: string): string => `${LOGIN}?next=${encodeURIComponent(sanitizeRedirectPath(url))}`

const send = (response: ServerResponse, status: number, html: string, headers: Record<string, string> = {}): void => {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-length": Buffer.byteLength(html),
    ...headers,
  })
  response.end(response.req.method === "HEAD" ? undefined : html)
}

const leadTo = (response: ServerResponse, location: string, headers: Record<string, string> = {}): void => {
  response.writeHead(303, { location, "cache-control": "no-store", "content-length": 0, ...headers })
  response.end()
}

const readForm = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const type = (request.headers["content-type"] ?? "").split(";")[0]!.trim().toLowerCase()
  if (type !== FORM_TYPE) throw new AppError("unsupported_media", `A login is sent as ${FORM_TYPE}.`)
  const late = setTimeout(() => request.destroy(), FORM_MS)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_FORM) throw new AppError("too_large", "A login has no more than 16 kB.")
      chunks.push(chunk)
    }
  } catch (cause) {
    throw AppError.is(cause) ? cause : new AppError("bad_request", "The login did not arrive whole.", { cause })
  } finally {
    clearTimeout(late)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"))
}

const refuseMethod = (response: ServerResponse, request: IncomingMessage, allow: string): never => {
  response.setHeader("allow", allow)
  throw new AppError("method_not_allowed", `${request.method} is not possible here; this path takes ${allow}.`)
}

const logIn = async (request: IncomingMessage, response: ServerResponse, token: string, attempts: Attempts) => {
  const caller = clientKey(request)
  const form = await readForm(request)
  const next = sanitizeRedirectPath(form.get("next"))
  const waitMs = attempts.waitMs(caller)
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1000)
    const said = `Too many wrong tokens. Try again in ${seconds} seconds.`
    return send(response, 429, loginPage(next, said), { "retry-after": String(seconds) })
  }
  if (!isSame((form.get("token") ?? "").trim(), token)) {
    attempts.failed(caller)
    return send(response, 401, loginPage(next, "That is not the token."))
  }
  attempts.succeeded(caller)
  leadTo(response, next, { "set-cookie": sessionCookie(request, token) })
}

/**
 * The pages before the door: a form at /login that gives a cookie for the token, and /logout that takes it back. Where
 * no token is set, both lead home.
 */
export const answerLogin = async (
  request: IncomingMessage,
  response: ServerResponse,
  { token, attempts }: { token: string | undefined; attempts: Attempts },
): Promise<void> => {
  const url = new URL(request.url ?? "/", "http://earmark.invalid")
  const reads = request.method === "GET" || request.method === "HEAD"
  if (url.pathname === LOGOUT) {
    if (request.method !== "POST") return refuseMethod(response, request, "POST")
    request.resume()
    return leadTo(response, token === undefined ? "/" : LOGIN, { "set-cookie": expiredSessionCookie(request) })
  }
  if (!reads && request.method !== "POST") return refuseMethod(response, request, "GET, HEAD, POST")
  if (token === undefined) return leadTo(response, "/")
  if (!reads) return logIn(request, response, token, attempts)
  if (hasSession(request, token)) return send(response, 200, signedInPage())
  send(response, 200, loginPage(sanitizeRedirectPath(url.searchParams.get("next"))))
}
