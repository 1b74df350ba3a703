import { messageOf } from "../../domain/errors.ts"
import { signWebhook } from "../../domain/webhook-signatures.ts"
import type { AddressRules } from "../../sources/guarded-address.ts"
import { guardedPost } from "../../sources/guarded-post.ts"
import type { DeliveryClaim, DeliveryOutcome } from "../../storage/stores/ports/webhooks.ts"

export const ATTEMPT_TIMEOUT_MS = 15_000
const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 2 * 3_600_000
const GONE = 410

/**
 * Returns the delay after an attempt that failed: a second, then twice as long each time up to two hours, and up to a fifth
 * more or less, so that the events of a receiver that was down do not all arrive at once.
 */
export const retryDelayMs = (attempt: number, random: () => number = Math.random): number =>
  Math.round(Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)) * (0.8 + 0.4 * random()))

/**
 * Sends an event once. Any answer with a status of 200 to 299 is a success; a redirect is none and is not followed.
 * @throws the reason of `signal` if it aborts
 */
export const sendDelivery = async (
  { id, url, secret, payload, attempt }: DeliveryClaim,
  rules: AddressRules,
  signal: AbortSignal,
): Promise<DeliveryOutcome> => {
  const body = JSON.stringify(payload)
  const headers = { "content-type": "application/json", ...signWebhook(secret, id, body, Date.now()) }
  const retryInMs = retryDelayMs(attempt)
  try {
    const request = { url, headers, body, rules, timeoutMs: ATTEMPT_TIMEOUT_MS }
    const { status, retryAfterMs } = await guardedPost(request, signal)
    if (status >= 200 && status < 300) return { kind: "delivered", status }
    return {
      kind: "failed",
      status,
      error: `HTTP ${status}`,
      retryInMs: Math.max(retryInMs, Math.round(Math.min(retryAfterMs ?? 0, MAX_DELAY_MS))),
      isGone: status === GONE,
    }
  } catch (error) {
    if (signal.aborted) throw error
    return { kind: "failed", status: null, error: messageOf(error), retryInMs, isGone: false }
  }
}
