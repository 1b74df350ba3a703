import { request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { AppError } from "../domain/errors.ts"
import { parseRetryAfterMs } from "../domain/retry-after.ts"
import { type AddressRules, checkAddress, pinnedLookup, resolveAllowed } from "./guarded-address.ts"

export type GuardedPost = {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly rules: AddressRules
  /** For the whole request until the headers of the response. */
  readonly timeoutMs: number
}

export type PostAnswer = {
  readonly status: number
  /** The wait that the receiver asks for, or null. */
  readonly retryAfterMs: number | null
}

/** What is read of a response body, so that the receiver can finish sending a short one. */
const MAX_BODY_BYTES = 64 * 1024

/**
 * Posts to an http(s) URL that a caller named, protected against server-side request forgery like `guardedFetch`. Follows no
 * redirect and returns nothing of the body, so that a caller learns nothing about other addresses.
 * @throws AppError `invalid`, `forbidden` or `unavailable`
 */
export const guardedPost = async (
  { url: address, headers, body, rules, timeoutMs }: GuardedPost,
  caller: AbortSignal,
): Promise<PostAnswer> => {
  const deadline = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([caller, deadline])
  const url = checkAddress(address, rules)
  try {
    const addresses = await resolveAllowed(url, rules, signal)
    return await new Promise<PostAnswer>((resolve, reject) => {
      const send = url.protocol === "https:" ? requestHttps : requestHttp
      const request = send({
        method: "POST",
        protocol: url.protocol,
        hostname: url.hostname.replace(/^\[|\]$/g, ""),
        port: url.port || undefined,
        path: `${url.pathname}${url.search}`,
        headers: { "user-agent": "Earmark", ...headers, "content-length": String(Buffer.byteLength(body)) },
        lookup: pinnedLookup(addresses),
        // A new connection: never one to another address of the same name, and no proxy.
        agent: false,
        signal,
      })
      request.on("error", reject)
      request.on("response", (response) => {
        let bytes = 0
        response.on("error", () => undefined)
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > MAX_BODY_BYTES) response.destroy()
        })
        const { statusCode: status = 0, headers: received } = response
        resolve({ status, retryAfterMs: parseRetryAfterMs(received["retry-after"]) })
      })
      request.end(body)
    })
  } catch (error) {
    if (caller.aborted) throw caller.reason
    if (deadline.aborted)
      throw new AppError("unavailable", `'${url.host}' did not answer within ${timeoutMs / 1000} seconds.`, {
        cause: error,
      })
    if (AppError.is(error)) throw error
    const code = (error as NodeJS.ErrnoException).code ?? "connection lost"
    throw new AppError("unavailable", `Couldn't connect to '${url.host}' (${code}).`, { cause: error })
  }
}
