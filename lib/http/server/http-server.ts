import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { AppError } from "../../domain/errors.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Logger } from "../../platform/logger.ts"
import type { Telemetry } from "../../platform/telemetry/types.ts"
import type { TokenStore } from "../../storage/stores/ports/tokens.ts"
import { createAccess } from "../auth/access.ts"
import { createAuthThrottle } from "../auth/auth-throttle.ts"
import { handleLogin, isLoginPath, loginUrl } from "../auth/login.ts"
import { isSafeMethod, requestPath } from "../request.ts"
import { REQUEST_ID_HEADER, toRequestId } from "../request-id.ts"
import { METHODS } from "../responses/error-response.ts"
import { AppResponse } from "./app-response.ts"
import { compressResponse } from "./compress.ts"
import { answerPreflight, isAllowedPreflight, setCorsHeaders } from "./cors.ts"
import { prefersHtml, rawErrorResponse, sendError } from "./error-responses.ts"
import { createGuard, isLoopback, requireTokenIfPublic } from "./guard.ts"
import type { PageServer } from "./next-app.ts"
import { markPageRequest } from "./page-requests.ts"
import { trackPendingResponses } from "./pending-responses.ts"
import { setSecurityHeaders } from "./security-headers.ts"
import { inRequestSpan } from "./trace-requests.ts"

const DEFAULT_HEADERS_TIMEOUT_MS = 30_000
const KEEP_ALIVE_TIMEOUT_MS = 10_000
const IDLE_SWEEP_INTERVAL_MS = 100
const PAGE_METHODS = "GET, HEAD, OPTIONS"

export type HttpServer = {
  /** The address it listens on, with the actual port. */
  readonly url: string
  /** Stops accepting connections, waits for running requests, and closes those that are left at the deadline. */
  close(options: { deadlineMs: number }): Promise<void>
}

export type HttpServerOptions = {
  readonly config: Pick<Config, "http">
  readonly log: Logger
  readonly dev: boolean
  /** The stored API tokens; null without a database. */
  readonly tokens?: TokenStore | null
  /** How long the headers of a request may take to arrive. Bodies have no time limit: uploads may take hours. */
  readonly headersTimeoutMs?: number
  readonly telemetry?: Telemetry
  /** Another origin that recordings may be played from. */
  readonly mediaOrigin?: string | null
  /** Opens the pages and routes behind the server. Called once, as soon as the port is bound. */
  readonly openPages: (address: { hostname: string; port: number }) => Promise<PageServer>
}

const listen = (server: Server<typeof IncomingMessage, typeof AppResponse>, { host, port }: Config["http"]) =>
  new Promise<number>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const message =
        cause.code === "EADDRINUSE"
          ? `Port ${port} on ${host} is used by another program. Stop it, or set SERVICE_PORT to a free port.`
          : `Couldn't listen on ${host}:${port} (${cause.code ?? cause.message}). Set SERVICE_HOST and SERVICE_PORT to an address of this machine.`
      reject(new AppError("unavailable", message, { cause }))
    })
    server.listen({ host, port }, () => resolve((server.address() as AddressInfo).port))
  })

const drainAndClose = (server: Server<typeof IncomingMessage, typeof AppResponse>, deadlineMs: number): Promise<void> =>
  new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs)
    // A keep-alive connection becomes idle only after its last response.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_INTERVAL_MS)
    server.close(() => {
      clearTimeout(deadline)
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })

/** Returns true if a rejected request comes from a person in a browser, who needs the sign-in page rather than an error. */
const shouldRedirectToLogin = (request: IncomingMessage, error: unknown): boolean =>
  AppError.is(error) &&
  error.code === "unauthorized" &&
  ["GET", "HEAD"].includes(request.method ?? "") &&
  prefersHtml(request.headers.accept)

/**
 * Rejects requests that no page or route must see.
 * @returns true if the path is that of a page
 */
const checkRoute = (request: IncomingMessage, response: AppResponse, pages: PageServer, dev: boolean): boolean => {
  const path = requestPath(request)
  // Internal pages of Next.js. One of them responds with 500 when it is requested by name.
  if (!dev && /^\/_(?!next\/)/.test(path)) throw new AppError("not_found", `no such path: ${path}`)
  const isPage = pages.isPage(path)
  if (isSafeMethod(request.method)) return isPage
  if (isPage) response.setHeader("allow", PAGE_METHODS)
  if (isPage || !METHODS.some((method) => method === request.method))
    throw new AppError("method_not_allowed", `${request.method} is not allowed on ${path}.`)
  return isPage
}

/**
 * Starts the HTTP server in front of Next.js. Every request passes the same guard (path, Host, token, Origin, type and
 * size of the body) before Next.js sees it. Every response has the security headers and a request ID, and every error is JSON unless the
 * client prefers HTML.
 * @throws AppError if the port cannot be bound, or if a host other than loopback has no token
 */
export const startHttpServer = async ({
  config: { http },
  log,
  dev,
  tokens = null,
  openPages,
  headersTimeoutMs = DEFAULT_HEADERS_TIMEOUT_MS,
  telemetry,
  mediaOrigin = null,
}: HttpServerOptions): Promise<HttpServer> => {
  await requireTokenIfPublic(http, tokens)
  const access = createAccess({ settingToken: http.token, store: tokens, isPublic: !isLoopback(http.host) })
  const guard = createGuard({ ...http, access, throttle: createAuthThrottle() })
  const login = { access, throttle: createAuthThrottle() }
  const pending = trackPendingResponses()
  let pages: PageServer | undefined

  /** @param awaitsContinue the client sends the body only after the interim response "100 Continue" */
  const handle = async (request: IncomingMessage, response: AppResponse, awaitsContinue: boolean): Promise<void> => {
    const fail = (error: unknown) => sendError(request, response, error, log)
    const acceptBody = () => {
      if (awaitsContinue) response.writeContinue()
      response.enableLingeringClose()
    }
    pending.add(response)
    response.on("error", (err) => log.debug({ err }, "response not delivered"))
    setSecurityHeaders(request, response, { dev, mediaOrigin })
    setCorsHeaders(request, response, http.allowedOrigins)
    compressResponse(request, response)
    const requestId = toRequestId(request.headers[REQUEST_ID_HEADER])
    request.headers[REQUEST_ID_HEADER] = requestId
    response.setHeader(REQUEST_ID_HEADER, requestId)
    // A client that awaits "100 Continue" sends nothing that a rejection would have to wait for.
    if (!awaitsContinue) response.enableLingeringClose()
    try {
      await guard(request)
      if (isAllowedPreflight(request, http.allowedOrigins)) {
        answerPreflight(response)
        return
      }
      if (isLoginPath(requestPath(request))) {
        acceptBody()
        handleLogin(request, response, login).catch(fail)
        return
      }
      if (!pages)
        throw new AppError("unavailable", "The service is starting. Try again in a moment.", { retryInMs: 1000 })
      const isPage = checkRoute(request, response, pages, dev)
      if (isPage && request.method === "OPTIONS") {
        response.writeHead(204, { allow: PAGE_METHODS }).end()
        return
      }
      acceptBody()
      if (!prefersHtml(request.headers.accept)) response.enableJsonErrors()
      markPageRequest(request)
      // No page has server actions, whose decoder would parse the body of a request to any path.
      delete request.headers["next-action"]
      const { handle: render } = pages
      inRequestSpan({ telemetry, pages, request, response }, () => {
        render(request, response).catch(fail)
      })
    } catch (error) {
      if (shouldRedirectToLogin(request, error))
        response.writeHead(303, { location: loginUrl(request.url ?? "/"), "cache-control": "no-store" }).end()
      else fail(error)
    }
  }

  const server = createServer({
    ServerResponse: AppResponse,
    requestTimeout: 0,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: Math.ceil(headersTimeoutMs / 10),
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // The guard rejects a missing Host header, in JSON.
    requireHostHeader: false,
  })
  server.on("request", (request, response) => void handle(request, response, false))
  server.on("checkContinue", (request, response) => void handle(request, response, true))
  // By default, Node sends an empty 417.
  server.on("checkExpectation", (request, response) => {
    response.setHeader(REQUEST_ID_HEADER, toRequestId(request.headers[REQUEST_ID_HEADER]))
    sendError(request, response, new AppError("bad_request", "The only supported Expect value is 100-continue."), log)
  })
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable && pending.canSendError(socket)) socket.end(rawErrorResponse(error.code))
    else void pending.sent(socket).then(() => socket.end().once("finish", () => socket.destroy()))
  })
  server.on("connect", (_request, socket) => socket.end(rawErrorResponse(undefined)))
  if (dev)
    server.on("upgrade", async (request, socket, head) => {
      try {
        await guard(request)
        pages?.upgrade(request, socket, head)
      } catch {
        socket.end(rawErrorResponse(undefined))
      }
    })

  const port = await listen(server, http)
  try {
    pages = await openPages({ hostname: http.host, port })
  } catch (error) {
    await drainAndClose(server, 0)
    throw error
  }
  return {
    url: `http://${http.host.includes(":") ? `[${http.host}]` : http.host}:${port}`,
    close: async ({ deadlineMs }) => {
      await drainAndClose(server, deadlineMs)
      await pages?.close()
    },
  }
}
