import { AppError } from "../../domain/errors.ts"
import { openSharedAudio, renderSharedPage } from "../../services/shares/shared-page.ts"
import { type AuthThrottle, createAuthThrottle } from "../auth/auth-throttle.ts"
import { readClientKey } from "../auth/scopes.ts"
import type { HttpDeps } from "../container.ts"
import { audioResponse } from "./file-responses.ts"
import { rangeResponse } from "./range-response.ts"

const throttles = new WeakMap<HttpDeps, AuthThrottle>()

const throttleOf = (deps: HttpDeps): AuthThrottle => {
  const throttle = throttles.get(deps) ?? createAuthThrottle()
  throttles.set(deps, throttle)
  return throttle
}

/**
 * Counts requests for links that do not work. After ten within a minute a client has to wait before the next one is answered
 * with 404; links that work are always answered, because they cannot be guessed.
 */
const throttled = async <T>(deps: HttpDeps, request: Request, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!AppError.is(error) || error.code !== "not_found") throw error
    const client = readClientKey(request)
    const throttle = throttleOf(deps)
    const waitMs = throttle.waitMs(client)
    if (waitMs > 0)
      throw new AppError("too_many", "Too many links that do not work were opened from this address. Wait a minute.", {
        retryInMs: waitMs,
      })
    throttle.failed(client)
    throw error
  }
}

const NONCE = /'nonce-([A-Za-z0-9+/=]+)'/

/** Returns the page of a share link. Its address contains a secret, so it is not sent to other sites and not stored. */
export const sharedPageResponse = (deps: HttpDeps, secret: string, request: Request): Promise<Response> =>
  throttled(deps, request, async () => {
    const nonce = NONCE.exec(request.headers.get("content-security-policy") ?? "")?.[1] ?? ""
    return new Response(await renderSharedPage(deps, secret, nonce), {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-robots-tag": "noindex",
      },
    })
  })

/** Returns the audio of a share link. */
export const sharedAudioResponse = (deps: HttpDeps, secret: string, request: Request): Promise<Response> =>
  throttled(deps, request, async () => {
    const audio = await openSharedAudio(deps, secret)
    return audio.link ? audioResponse(request, { ...audio, link: audio.link }) : rangeResponse(request, audio)
  })
