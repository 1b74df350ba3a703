import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { AppError } from "../domain/errors.ts"
import { parseRetryAfterMs } from "../domain/retry-after.ts"
import { type AddressRules, checkAddress, pinnedLookup, type Resolved, resolveAllowed } from "./guarded-address.ts"

export type FetchRules = AddressRules & {
  readonly maxBytes: number
  /** For the whole request, including redirects and body. */
  readonly deadlineMs: number
  /** Maximum time without data, also while waiting for the headers. */
  readonly idleTimeoutMs?: number
}
export type Fetched = {
  /** The URL after all redirects. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** Throws an AppError when a limit of the rules is reached. */
  readonly body: AsyncIterable<Buffer>
}

const MAX_REDIRECTS = 5
const DEFAULT_IDLE_TIMEOUT_MS = 30_000
/** Applies if a server asks for a shorter wait. */
const MIN_RETRY_DELAY_MS = 1000
const REDIRECTS = [301, 302, 303, 307, 308]

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
