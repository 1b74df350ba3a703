import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { connect as connectTls, type TLSSocket } from "node:tls"
import { AppError } from "../../domain/errors.ts"

export type HttpGetOptions = {
  readonly headers?: Readonly<Record<string, string>>
  /** `http://[user:password@]host:port`; undefined for a direct connection. */
  readonly proxy: string | undefined
  /** The time without data after which the request fails with ETIMEDOUT. */
  readonly idleMs: number
  readonly signal: AbortSignal
}

const MAX_REDIRECTS = 5
const REDIRECT_STATUSES = [301, 302, 303, 307, 308]

const timeoutError = (): Error => Object.assign(new Error("the server stopped responding"), { code: "ETIMEDOUT" })

const proxyAuthorization = (proxy: URL): Record<string, string> =>
  proxy.username === ""
    ? {}
    : {
        "proxy-authorization": `Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString("base64")}`,
      }

const sendRequest = (
  send: typeof requestHttp,
  options: RequestOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = send({ ...options, signal })
    request.on("timeout", () => request.destroy(timeoutError()))
    request.on("error", reject)
    request.on("response", resolve)
    request.end()
  })

/** Opens a TLS connection to the host through the proxy, with CONNECT (RFC 9110, 9.3.6). */
const openTunnel = (url: URL, proxy: URL, { idleMs, signal }: HttpGetOptions): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const authority = `${url.hostname}:${url.port || 443}`
    const headers = { host: authority, ...proxyAuthorization(proxy) }
    const request = requestHttp({
      host: proxy.hostname,
      port: proxy.port || 80,
      method: "CONNECT",
      path: authority,
      headers,
      timeout: idleMs,
      signal,
    })
    request.on("timeout", () => request.destroy(timeoutError()))
    request.on("error", reject)
    request.on("connect", (response, socket) => {
      if (response.statusCode === 200) resolve(connectTls({ socket, servername: url.hostname }))
      else reject(new Error(`the proxy ${proxy.host} returned HTTP ${response.statusCode}`))
    })
    request.end()
  })

const requestOnce = async (url: URL, options: HttpGetOptions): Promise<IncomingMessage> => {
  const { idleMs, signal, headers: extraHeaders = {} } = options
  const headers = { "user-agent": "Earmark", "accept-encoding": "identity", ...extraHeaders }
  const path = `${url.pathname}${url.search}`
  if (options.proxy === undefined)
    return sendRequest(
      url.protocol === "https:" ? requestHttps : requestHttp,
      {
        host: url.hostname.replace(/^\[|\]$/g, ""),
        port: url.port || undefined,
        path,
        headers,
        timeout: idleMs,
        agent: false,
      },
      signal,
    )
  const proxy = new URL(options.proxy)
  if (url.protocol === "http:")
    return sendRequest(
      requestHttp,
      {
        host: proxy.hostname,
        port: proxy.port || 80,
        path: url.href,
        headers: { host: url.host, ...headers, ...proxyAuthorization(proxy) },
        timeout: idleMs,
        agent: false,
      },
      signal,
    )
  const socket = await openTunnel(url, proxy, options)
  // Must not set `agent`, not even to false: with any agent, Node.js ignores `createConnection`.
  const own = { createConnection: () => socket, path, headers: { host: url.host, ...headers }, timeout: idleMs }
  return sendRequest(requestHttp, own, signal)
}

/** Returns the target of a redirect. @throws AppError `unavailable` if it is not an HTTP URL */
const resolveRedirect = (url: string, location: string, from: URL): URL => {
  const to = URL.canParse(location, from) ? new URL(location, from) : null
  if (to?.protocol === "http:" || to?.protocol === "https:") return to
  throw new AppError("unavailable", `${url} redirects to '${location.slice(0, 200)}', which is not an HTTP URL`)
}

/**
 * Sends a GET request and follows up to five redirects. The caller must read or destroy the response. The URL must come
 * from the settings or the catalog: private addresses are not blocked.
 * @throws Error with a `code` if the host is unreachable, AppError for an invalid redirect
 */
export const httpGet = async (address: string, options: HttpGetOptions): Promise<IncomingMessage> => {
  let url = new URL(address)
  for (let hops = 0; ; hops++) {
    const response = await requestOnce(url, options)
    const { location } = response.headers
    if (!REDIRECT_STATUSES.includes(response.statusCode ?? 0) || location === undefined) return response
    response.destroy()
    if (hops === MAX_REDIRECTS)
      throw new AppError("unavailable", `${address} redirects more than ${MAX_REDIRECTS} times`)
    url = resolveRedirect(address, location, url)
  }
}
