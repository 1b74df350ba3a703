import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { AppError } from "../../domain/errors.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Logger } from "../../platform/logger.ts"
import type { Telemetry } from "../../platform/telemetry/types.ts"
import { createAuthThrottle } from "../auth/auth-throttle.ts"
import { answerLogin, isLoginPath, loginAddress } from "../auth/login.ts"
import { METHODS } from "../responses/problem.ts"
import { prefersHtml, rawErrorResponse, refuse, sendJsonErrors } from "./error-responses.ts"
import { guard, isSafe, requireTokenIfPublic } from "./guard.ts"
import { enableLingeringClose } from "./lingering-close.ts"
import type { PageServer } from "./next-app.ts"
import { trackPendingResponses } from "./pending-responses.ts"
import { setSecurityHeaders } from "./security-headers.ts"
import { inRequestSpan } from "./trace-requests.ts"

const HEADERS_MS = 30_000
const KEEP_ALIVE_MS = 10_000
const SWEEP_MS = 100
const PAGE_METHODS = "GET, HEAD, OPTIONS"
type Method = (typeof METHODS)[number]

export type Front = {
  /** Where it listens, with the port that it really has. */
  readonly url: string
  /** Accepts nothing more, lets what runs come to its end and cuts off what has not by the deadline. */
  close(options: { deadlineMs: number }): Promise<void>
}

export type FrontOptions = {
  readonly config: Pick<Config, "http">
  readonly log: Logger
  readonly dev: boolean
  /** How long the headers of a request may take to arrive; its body may take as long as it needs. */
  readonly headersMs?: number
  readonly telemetry?: Telemetry
  /** Another origin that recordings may be played from. */
  readonly mediaOrigin?: string | null
  /** Makes what answers behind the door. It is asked once, when the port is taken. */
  readonly open: (address: { hostname: string; port: number }) => Promise<PageServer>
}

const listen = (server: Server, { host, port }: Config["http"]): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === "EADDRINUSE"
          ? `Port ${port} on ${host} is taken by another program: stop it, or set SERVICE_PORT to a free one.`
          : `The service cannot listen on ${host}:${port} (${cause.code ?? cause.message}): set SERVICE_HOST and SERVICE_PORT to an address of this machine.`
      reject(new AppError("unavailable", why, { cause }))
    })
    server.listen({ host, port }, () => resolve((server.address() as AddressInfo).port))
  })

const drainAndClose = (server: Server, deadlineMs: number): Promise<void> =>
  new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), deadlineMs)
    // A connection that is kept alive turns idle when its last answer is out.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
    server.close(() => {
      clearTimeout(cut)
      clearInterval(sweep)
      resolve()
    })
    server.closeIdleConnections()
  })

/** People are led to the form; programs get the refusal. */
const wantsLogin = (request: IncomingMessage, error: unknown): boolean =>
  AppError.is(error) &&
  error.code === "unauthorized" &&
  ["GET", "HEAD"].includes(request.method ?? "") &&
  prefersHtml(request.headers.accept)

/**
 * The door in front of Next. Every request passes the same checks (path, Host, token, Origin, type and size of the
 * body) before Next sees it, carries the security headers whatever becomes of it, and gets JSON for an error.
 * @throws AppError when the port cannot be taken, or a host that is not loopback has no token
 */
export const startFront = async ({
  config: { http },
  log,
  dev,
  open,
  headersMs = HEADERS_MS,
  telemetry,
  mediaOrigin = null,
}: FrontOptions): Promise<Front> => {
  requireTokenIfPublic(http)
  let pages: PageServer | undefined
  const [logins, tokens] = [createAuthThrottle(), createAuthThrottle()]
  const inHand = trackPendingResponses()
  /** `waiting`: the client sends its body only when it is told to, which is after it has passed the door. */
  const serve = (request: IncomingMessage, response: ServerResponse, waiting: boolean): void => {
    inHand.add(response)
    response.on("error", (err) => log.debug({ err }, "answer not delivered"))
    setSecurityHeaders(request, response, dev, mediaOrigin)
    if (!waiting) enableLingeringClose(request, response)
    try {
      guard(request, http, tokens)
      const path = (request.url ?? "").split("?")[0]!
      if (isLoginPath(path)) {
        if (waiting) response.writeContinue()
        answerLogin(request, response, { token: http.token, attempts: logins }).catch((error: unknown) =>
          refuse(request, response, error, log),
        )
        return
      }
      if (!pages)
        throw new AppError("unavailable", "The service is starting: ask again in a moment.", { retryInMs: 1000 })
      // Pages that Next keeps for itself: one of them answers 500 to whoever asks for it by name.
      if (!dev && /^\/_(?!next\/)/.test(path)) throw new AppError("not_found", `no such path: ${path}`)
      const isPage = pages.isPage(path)
      if (isPage && request.method === "OPTIONS") return void response.writeHead(204, { allow: PAGE_METHODS }).end()
      if (!isSafe(request.method) && (isPage || !METHODS.includes(request.method as Method))) {
        if (isPage) response.setHeader("allow", PAGE_METHODS)
        throw new AppError(
          "method_not_allowed",
          `${request.method} is not possible on ${path}, ${isPage ? "which is a page" : "whatever it names"}.`,
        )
      }
      if (waiting) {
        response.writeContinue()
        enableLingeringClose(request, response)
      }
      sendJsonErrors(request, response)
      const { handle } = pages
      inRequestSpan(telemetry, pages, request, response, () => {
        handle(request, response).catch((error: unknown) => refuse(request, response, error, log))
      })
    } catch (error) {
      if (wantsLogin(request, error))
        response.writeHead(303, { location: loginAddress(request.url ?? "/"), "cache-control": "no-store" }).end()
      else refuse(request, response, error, log)
    }
  }
  // No limit on the whole request: a large recording over a slow line takes its hour.
  const server = createServer({
    requestTimeout: 0,
    headersTimeout: headersMs,
    connectionsCheckingInterval: Math.ceil(headersMs / 10),
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false,
  })
  server.on("request", (request, response) => serve(request, response, false))
  server.on("checkContinue", (request, response) => serve(request, response, true))
  // Node would answer a wish that it does not know without a word.
  server.on("checkExpectation", (request, response) => {
    refuse(request, response, new AppError("bad_request", "The only expectation that can be met is 100-continue."), log)
  })
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (socket.writable && inHand.canSendError(socket)) socket.end(rawErrorResponse(error.code))
    else socket.end().once("finish", () => socket.destroy())
  })
  server.on("connect", (_request, socket) => socket.end(rawErrorResponse(undefined)))
  if (dev)
    server.on("upgrade", (request, socket, head) => {
      try {
        guard(request, http, tokens)
        pages?.upgrade(request, socket, head)
      } catch {
        socket.end(rawErrorResponse(undefined))
      }
    })
  const port = await listen(server, http)
  const hostname = http.host.includes(":") ? `[${http.host}]` : http.host
  try {
    pages = await open({ hostname: http.host, port })
  } catch (error) {
    await drainAndClose(server, 0)
    throw error
  }
  return {
    url: `http://${hostname}:${port}`,
    close: async ({ deadlineMs }) => {
      await drainAndClose(server, deadlineMs)
      await pages?.close()
    },
  }
}
