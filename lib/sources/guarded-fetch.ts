import { lookup } from "node:dns/promises"
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import type { LookupFunction } from "node:net"
import { AppError } from "../domain/errors.ts"
import { parseRetryAfterMs } from "../domain/retry-after.ts"
import { isAddressAllowed, parseIpLiteral } from "./addresses.ts"

export type Resolved = { readonly address: string; readonly family: number }
export type FetchRules = {
  readonly ports: readonly number[]
  /** Addresses and ranges that are allowed although they are not public. */
  readonly allowed: readonly string[]
  readonly maxBytes: number
  /** For the whole request, including redirects and body. */
  readonly deadlineMs: number
  /** Maximum time without data, also while waiting for the headers. */
  readonly idleTimeoutMs?: number
  /** Returns all addresses of a name. Default: the system resolver. */
  readonly resolve?: (name: string) => Promise<readonly Resolved[]>
}
export type Fetched = {
  /** The URL after all redirects. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Throws an AppError when a limit of the rules is reached. */
  readonly body: AsyncIterable<Buffer>
}

const MAX_REDIRECTS = 5
const MAX_URL_CHARS = 4096
const DEFAULT_IDLE_TIMEOUT_MS = 30_000
/** Applies if a server asks for a shorter wait. */
const MIN_RETRY_DELAY_MS = 1000
const REDIRECTS = [301, 302, 303, 307, 308]

const notPublicError = (host: string): AppError =>
  new AppError(
    "forbidden",
    `'${host}' is not a public address. List it in SERVICE_FETCH_ALLOW if this service may fetch from it.`,
  )

const isLocalName = (hostname: string): boolean => /(^|\.)localhost\.?$/i.test(hostname)

/**
 * Parses a URL and checks scheme, credentials, port and IP literals.
 * @throws AppError `invalid` for an unsupported URL, `forbidden` for an address that is not public
 */
export const checkAddress = (address: string, { ports, allowed }: Pick<FetchRules, "ports" | "allowed">): URL => {
  if (address.length > MAX_URL_CHARS)
    throw new AppError("invalid", `A URL may have at most ${MAX_URL_CHARS} characters.`)
  let url: URL
  try {
    url = new URL(address)
  } catch (cause) {
    throw new AppError("invalid", "Not a valid URL. It should look like https://host/file.", { cause })
  }
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new AppError("invalid", `'${url.protocol}' URLs are not supported. Use http or https.`)
  if (url.username || url.password)
    throw new AppError("invalid", "URLs with a user name or password are not supported.")
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80))
  if (!ports.includes(port))
    throw new AppError("invalid", `Port ${port} is not allowed. SERVICE_FETCH_PORTS lists the allowed ports.`)
  const literal = parseIpLiteral(url.hostname)
  if (
    literal === null
      ? isLocalName(url.hostname) && !isAddressAllowed("127.0.0.1", allowed)
      : !isAddressAllowed(literal, allowed)
  )
    throw notPublicError(url.hostname)
  return url
}

const systemResolve = async (name: string): Promise<Resolved[]> => lookup(name, { all: true, verbatim: true })

/** Resolves a host and checks every address. Throws if any address is not allowed. */
const resolveAllowed = async (url: URL, rules: FetchRules, signal: AbortSignal): Promise<readonly Resolved[]> => {
  const literal = parseIpLiteral(url.hostname)
  if (literal !== null) return [{ address: literal, family: literal.includes(":") ? 6 : 4 }]
  // A system lookup cannot be cancelled, only abandoned.
  const aborted = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
  const found = await Promise.race([(rules.resolve ?? systemResolve)(url.hostname), aborted]).catch(
    (cause: unknown) => {
      throw new AppError(
        "unavailable",
        `Couldn't resolve the host '${url.hostname}'. Check the URL, or try again later.`,
        {
          cause,
          retry: "retry",
        },
      )
    },
  )
  if (found.length === 0 || found.some(({ address }) => !isAddressAllowed(address, rules.allowed)))
    throw notPublicError(url.hostname)
  return found
}

/** Returns a lookup function that uses the checked addresses, so that the name is not resolved a second time. */
const pinnedLookup =
  (addresses: readonly Resolved[]): LookupFunction =>
  (_name, options, callback) => {
    const [first] = addresses
    if (options.all) callback(null, [...addresses] as never)
    else callback(null, first!.address, first!.family)
  }

const connectionError = (url: URL, cause: unknown): AppError =>
  new AppError(
    "unavailable",
    `Couldn't read from '${url.host}' (${(cause as NodeJS.ErrnoException).code ?? "connection lost"}). Check the URL, or try again later.`,
    { cause, retry: "retry" },
  )

const sendRequest = (
  url: URL,
  addresses: readonly Resolved[],
  idleTimeoutMs: number,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === "https:" ? requestHttps : requestHttp
    const request = send({
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port || undefined,
      path: `${url.pathname}${url.search}`,
      headers: { accept: "audio/*, video/*, */*;q=0.5", "accept-encoding": "identity", "user-agent": "Earmark" },
      lookup: pinnedLookup(addresses),
      // A new connection: never one to another address of the same name, and no proxy.
      agent: false,
      timeout: idleTimeoutMs,
      signal,
    })
    request.on("timeout", () => request.destroy(Object.assign(new Error("idle timeout"), { code: "ETIMEDOUT" })))
    request.on("error", reject)
    request.on("response", resolve)
    request.end()
  })

const statusError = (url: URL, status: number, headers: IncomingHttpHeaders): AppError => {
  const wait = status === 429 || status === 503 ? parseRetryAfterMs(headers["retry-after"]) : null
  // The server names the delay: defer without using an attempt.
  if (wait !== null)
    return new AppError("unavailable", `'${url.host}' asks to retry later (HTTP ${status})`, {
      retry: "later",
      retryInMs: Math.max(wait, MIN_RETRY_DELAY_MS),
    })
  const isTemporary = status === 429 || status >= 500
  const code = status === 404 || status === 410 ? "not_found" : "unavailable"
  return new AppError(code, `'${url.host}' returned HTTP ${status}. Check that the URL opens in a browser.`, {
    retry: isTemporary ? "retry" : "never",
  })
}

const tooLarge = (maxBytes: number): AppError =>
  new AppError(
    "too_large",
    `The file at the URL is larger than ${Math.floor(maxBytes / 2 ** 20)} MB, the limit set by SERVICE_MAX_UPLOAD_MB.`,
  )

const checkHead = (url: URL, { headers, statusCode = 0 }: IncomingMessage, maxBytes: number): void => {
  if (statusCode !== 200) throw statusError(url, statusCode, headers)
  if (!["", "identity"].includes((headers["content-encoding"] ?? "").toLowerCase()))
    throw new AppError("unsupported_media", `'${url.host}' sent compressed data although none was requested`)
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes)
}

async function* limitBody(url: URL, response: IncomingMessage, rules: FetchRules, toCause: (e: unknown) => unknown) {
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      // Counts the bytes, because the declared length may be wrong.
      if (bytes > rules.maxBytes) throw tooLarge(rules.maxBytes)
      yield chunk
    }
  } catch (error) {
    throw AppError.is(error) ? error : toCause(connectionError(url, error))
  } finally {
    response.destroy()
  }
}

/**
 * Fetches an http(s) URL that a caller named, protected against server-side request forgery: every address of the host must
 * be public, the connection uses the checked addresses, each redirect is checked again, and size, idle time and total time
 * are limited.
 * @throws AppError `invalid`, `forbidden`, `too_large`, `not_found`, `unavailable`
 */
export const guardedFetch = async (address: string, rules: FetchRules, caller: AbortSignal): Promise<Fetched> => {
  const deadline = AbortSignal.timeout(rules.deadlineMs)
  const signal = AbortSignal.any([caller, deadline])
  const idleTimeoutMs = rules.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS
  /** Replaces the error of an aborted connection by the reason of the abort. */
  const abortReason = (error: unknown): unknown => {
    if (caller.aborted) return caller.reason
    if (!deadline.aborted) return error
    const seconds = Math.round(rules.deadlineMs / 1000)
    return new AppError("unavailable", `The download took longer than ${seconds} s (SERVICE_FETCH_TIMEOUT_S).`)
  }
  let url = checkAddress(address, rules)
  for (let hops = 0; ; hops++) {
    const addresses = await resolveAllowed(url, rules, signal).catch((error: unknown) => {
      throw abortReason(error)
    })
    const response = await sendRequest(url, addresses, idleTimeoutMs, signal).catch((error: unknown) => {
      throw abortReason(connectionError(url, error))
    })
    const location = REDIRECTS.includes(response.statusCode ?? 0) ? response.headers.location : undefined
    try {
      if (location === undefined) {
        checkHead(url, response, rules.maxBytes)
        return { url: url.href, headers: response.headers, body: limitBody(url, response, rules, abortReason) }
      }
      if (hops === MAX_REDIRECTS)
        throw new AppError("invalid", `The URL redirects more than ${MAX_REDIRECTS} times. Use the final URL.`)
      url = checkAddress(URL.canParse(location, url) ? new URL(location, url).href : location, rules)
    } catch (error) {
      response.destroy()
      throw error
    }
    response.destroy()
  }
}
