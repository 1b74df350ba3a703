import { lookup } from "node:dns/promises"
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import type { LookupFunction } from "node:net"
import { AppError } from "../domain/errors.ts"
import { retryAfterMs } from "../platform/retry-after.ts"
import { isAddressAllowed, literalOf } from "./addresses.ts"

export type Resolved = { readonly address: string; readonly family: number }
export type FetchRules = {
  readonly ports: readonly number[]
  /** Addresses and ranges that may be reached although they are not public. */
  readonly allowed: readonly string[]
  readonly maxBytes: number
  /** For all of it, redirects and body included. */
  readonly deadlineMs: number
  /** Longest silence, and longest wait for the headers. */
  readonly idleMs?: number
  /** All addresses of a name; by default those that the system knows. */
  readonly resolve?: (name: string) => Promise<readonly Resolved[]>
}
export type Fetched = {
  /** Where the last redirect led. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Ends with an AppError at the limits of the rules. */
  readonly body: AsyncIterable<Buffer>
}

const MAX_REDIRECTS = 5
const MAX_ADDRESS = 4096
const IDLE_MS = 30_000
/** A server that asks to wait for no time at all would be asked without a pause. */
const LEAST_WAIT_MS = 1000
const REDIRECTS = [301, 302, 303, 307, 308]

const blocked = (host: string): AppError =>
  new AppError(
    "forbidden",
    `'${host}' is or leads to an address that is not public, which this service does not fetch from; SERVICE_FETCH_ALLOW names those that it may reach all the same`,
  )

const isLocalName = (hostname: string): boolean => /(^|\.)localhost\.?$/i.test(hostname)

/**
 * What the letters of an address tell: scheme, credentials, port, and a host that is an address itself.
 * @throws AppError `invalid` for an address of the wrong kind, `forbidden` for one that is not public
 */
export const checkAddress = (address: string, { ports, allowed }: Pick<FetchRules, "ports" | "allowed">): URL => {
  if (address.length > MAX_ADDRESS) throw new AppError("invalid", `an address has up to ${MAX_ADDRESS} characters`)
  let url: URL
  try {
    url = new URL(address)
  } catch (cause) {
    throw new AppError("invalid", "this is not a valid web address; it should look like https://host/file", { cause })
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new AppError("invalid", `'${url.protocol}' addresses are not fetched; give one of http or https`)
  if (url.username || url.password)
    throw new AppError("invalid", "an address with a user name or password in it is not fetched; give one without")
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80))
  if (!ports.includes(port))
    throw new AppError("invalid", `port ${port} is not fetched from; SERVICE_FETCH_PORTS names those that are`)
  const literal = literalOf(url.hostname)
  if (
    literal === null
      ? isLocalName(url.hostname) && !isAddressAllowed("127.0.0.1", allowed)
      : !isAddressAllowed(literal, allowed)
  )
    throw blocked(url.hostname)
  return url
}

const systemResolve = async (name: string): Promise<Resolved[]> => lookup(name, { all: true, verbatim: true })

/** The addresses of a host, each of them vetted: one that is not public spoils them all. */
const vetted = async (url: URL, rules: FetchRules, signal: AbortSignal): Promise<readonly Resolved[]> => {
  const literal = literalOf(url.hostname)
  if (literal !== null) return [{ address: literal, family: literal.includes(":") ? 6 : 4 }]
  // The system's own look-up cannot be stopped, only left.
  const left = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
  const found = await Promise.race([(rules.resolve ?? systemResolve)(url.hostname), left]).catch((cause: unknown) => {
    throw new AppError(
      "unavailable",
      `the host '${url.hostname}' was not found: check the address, or try again later`,
      {
        cause,
        retry: "retry",
      },
    )
  })
  if (found.length === 0 || found.some(({ address }) => !isAddressAllowed(address, rules.allowed)))
    throw blocked(url.hostname)
  return found
}

/** Answers the connection's own question for the name with what was vetted: it is not asked for a second time. */
const pinned =
  (addresses: readonly Resolved[]): LookupFunction =>
  (_name, options, callback) => {
    const [first] = addresses
    if (options.all) callback(null, [...addresses] as never)
    else callback(null, first!.address, first!.family)
  }

const troubled = (url: URL, cause: unknown): AppError =>
  new AppError(
    "unavailable",
    `'${url.host}' could not be read from (${(cause as NodeJS.ErrnoException).code ?? "connection broken off"}): check the address, or try again later`,
    { cause, retry: "retry" },
  )

const ask = (url: URL, addresses: readonly Resolved[], idleMs: number, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? requestHttps : requestHttp
    const request = send({
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port || undefined,
      path: `${url.pathname}${url.search}`,
      headers: { accept: "audio/*, video/*, */*;q=0.5", "accept-encoding": "identity", "user-agent": "Earmark" },
      lookup: pinned(addresses),
      // A connection of its own: none that was made to another address under the same name, and no proxy.
      agent: false,
      timeout: idleMs,
      signal,
    })
    request.on("timeout", () => request.destroy(Object.assign(new Error("silent"), { code: "ETIMEDOUT" })))
    request.on("error", reject)
    request.on("response", resolve)
    request.end()
  })

const refusedBy = (url: URL, status: number, headers: IncomingHttpHeaders): AppError => {
  const wait = status === 429 || status === 503 ? retryAfterMs(headers["retry-after"]) : null
  // It says itself when it will have time: nobody's fault, and no attempt.
  if (wait !== null)
    return new AppError("unavailable", `'${url.host}' asks to wait (${status}) before this address can be opened`, {
      retry: "later",
      retryInMs: Math.max(wait, LEAST_WAIT_MS),
    })
  const again = status === 429 || status >= 500
  const code = status === 404 || status === 410 ? "not_found" : "unavailable"
  return new AppError(code, `'${url.host}' answers ${status} for this address: check that it can be opened`, {
    retry: again ? "retry" : "never",
  })
}

const tooLarge = (maxBytes: number): AppError =>
  new AppError(
    "too_large",
    `what the address leads to is larger than ${Math.floor(maxBytes / 2 ** 20)} MB, the most that SERVICE_MAX_UPLOAD_MB allows`,
  )

const checkHead = (url: URL, { headers, statusCode = 0 }: IncomingMessage, maxBytes: number): void => {
  if (statusCode !== 200) throw refusedBy(url, statusCode, headers)
  if (!["", "identity"].includes((headers["content-encoding"] ?? "").toLowerCase()))
    throw new AppError("unsupported_media", `'${url.host}' sends packed data that was not asked for`)
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes)
}

async function* limited(url: URL, response: IncomingMessage, rules: FetchRules, say: (e: unknown) => unknown) {
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      // Counted, not believed: a length that was announced may be a lie.
      if (bytes > rules.maxBytes) throw tooLarge(rules.maxBytes)
      yield chunk
    }
  } catch (error) {
    throw AppError.is(error) ? error : say(troubled(url, error))
  } finally {
    response.destroy()
  }
}

/**
 * Fetches an http(s) address that a caller named, without becoming the caller's hand in this machine's own network:
 * every address of the host must be public, the connection goes to the very addresses that were looked at, each
 * redirect is judged anew, and bytes, silence and time are limited.
 * @throws AppError `invalid` or `forbidden` for an address that is not fetched, `too_large`, `not_found`, `unavailable`
 */
export const guardedFetch = async (address: string, rules: FetchRules, caller: AbortSignal): Promise<Fetched> => {
  const deadline = AbortSignal.timeout(rules.deadlineMs)
  const signal = AbortSignal.any([caller, deadline])
  const idleMs = rules.idleMs ?? IDLE_MS
  /** A connection that was ended from here fails for the reason that it was ended for. */
  const reason = (error: unknown): unknown => {
    if (caller.aborted) return caller.reason
    if (!deadline.aborted) return error
    const seconds = Math.round(rules.deadlineMs / 1000)
    return new AppError("unavailable", `the address took longer than ${seconds} s to read (SERVICE_FETCH_TIMEOUT_S)`)
  }
  let url = checkAddress(address, rules)
  for (let hops = 0; ; hops++) {
    const addresses = await vetted(url, rules, signal).catch((error: unknown) => {
      throw reason(error)
    })
    const response = await ask(url, addresses, idleMs, signal).catch((error: unknown) => {
      throw reason(troubled(url, error))
    })
    const location = REDIRECTS.includes(response.statusCode ?? 0) ? response.headers.location : undefined
    try {
      if (location === undefined) {
        checkHead(url, response, rules.maxBytes)
        return { url: url.href, headers: response.headers, body: limited(url, response, rules, reason) }
      }
      if (hops === MAX_REDIRECTS)
        throw new AppError(
          "invalid",
          `the address leads on more than ${MAX_REDIRECTS} times; give the one where it ends`,
        )
      url = checkAddress(URL.canParse(location, url) ? new URL(location, url).href : location, rules)
    } catch (error) {
      response.destroy()
      throw error
    }
    response.destroy()
  }
}
