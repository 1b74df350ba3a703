import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { connect as connectTls, type TLSSocket } from "node:tls"
import { AppError } from "../../../domain/errors.ts"

export type WebOptions = {
  readonly headers?: Readonly<Record<string, string>>
  /** `http://[user:password@]host:port`; undefined: none. */
  readonly proxy: string | undefined
  /** Longest silence. */
  readonly idleMs: number
  readonly signal: AbortSignal
}

const MAX_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]

const silent = (): Error => Object.assign(new Error("the server fell silent"), { code: "ETIMEDOUT" })

const authorization = (proxy: URL): Record<string, string> =>
  proxy.username === ""
    ? {}
    : {
        "proxy-authorization": `Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString("base64")}`,
      }

const send = (ask: typeof requestHttp, options: RequestOptions, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = ask({ ...options, signal })
    request.on("timeout", () => request.destroy(silent()))
    request.on("error", reject)
    request.on("response", resolve)
    request.end()
  })

/** A TLS connection to the host through the proxy's CONNECT (RFC 9110, 9.3.6). */
const tunnel = (url: URL, proxy: URL, { idleMs, signal }: WebOptions): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const authority = `${url.hostname}:${url.port || 443}`
    const headers = { host: authority, ...authorization(proxy) }
    const request = requestHttp({
      host: proxy.hostname,
      port: proxy.port || 80,
      method: "CONNECT",
      path: authority,
      headers,
      timeout: idleMs,
      signal,
    })
    request.on("timeout", () => request.destroy(silent()))
    request.on("error", reject)
    request.on("connect", (response, socket) => {
      if (response.statusCode === 200) resolve(connectTls({ socket, servername: url.hostname }))
      else reject(new Error(`the proxy ${proxy.host} answers ${response.statusCode}`))
    })
    request.end()
  })

const once = async (url: URL, options: WebOptions): Promise<IncomingMessage> => {
  const { idleMs, signal, headers: given = {} } = options
  const headers = { "user-agent": "Earmark", "accept-encoding": "identity", ...given }
  const path = `${url.pathname}${url.search}`
  if (options.proxy === undefined)
    return send(
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
    return send(
      requestHttp,
      {
        host: proxy.hostname,
        port: proxy.port || 80,
        path: url.href,
        headers: { host: url.host, ...headers, ...authorization(proxy) },
        timeout: idleMs,
        agent: false,
      },
      signal,
    )
  const socket = await tunnel(url, proxy, options)
  // No agent, not even a fresh one (`agent: false`): it would make a connection of its own.
  const own = { createConnection: () => socket, path, headers: { host: url.host, ...headers }, timeout: idleMs }
  return send(requestHttp, own, signal)
}

/** Where a redirect leads. */
const following = (address: string, location: string, from: URL): URL => {
  const to = URL.canParse(location, from) ? new URL(location, from) : null
  if (to?.protocol === "http:" || to?.protocol === "https:") return to
  throw new AppError("unavailable", `${address} leads to '${location.slice(0, 200)}', which is no web address`)
}

/**
 * Asks for an address that the settings or the catalog name, following up to five redirects. The answer's body is not
 * read yet; one that is left must be destroyed.
 * @throws Error with a `code` when the host cannot be reached, AppError when redirects lead nowhere
 */
export const openWeb = async (address: string, options: WebOptions): Promise<IncomingMessage> => {
  let url = new URL(address)
  for (let hops = 0; ; hops++) {
    const response = await once(url, options)
    const { location } = response.headers
    if (!REDIRECTS.includes(response.statusCode ?? 0) || location === undefined) return response
    response.destroy()
    if (hops === MAX_REDIRECTS)
      throw new AppError("unavailable", `${address} leads on and on, more than ${MAX_REDIRECTS} times`)
    url = following(address, location, url)
  }
}
