import type { Logger } from "../lib/platform/logger.ts"
import { ATTEMPT_TIMEOUT_MS, sendDelivery } from "../lib/services/webhooks/send-delivery.ts"
import type { AddressRules } from "../lib/sources/guarded-address.ts"
import type { DeliveryClaim, WebhookStore } from "../lib/storage/stores/ports/webhooks.ts"
import { repeat } from "./repeat.ts"

const POLL_MS = 500
/** Longer than an attempt. After it, another worker sends the event of a worker that died. */
const LEASE_MS = ATTEMPT_TIMEOUT_MS + 5_000
const MAX_CONCURRENT = 16
const CLEAN_UP_INTERVAL_MS = 3_600_000
/** How long ended deliveries stay in the log. */
const KEEP_LOG_MS = 30 * 86_400_000

/**
 * Sends the events of webhooks. Every worker sends; a lease makes sure that each event is sent by one of them, and again
 * only if that one died or the receiver failed.
 */
export const startWebhooks = (p: {
  readonly store: Pick<WebhookStore, "hasDue" | "claimDue" | "settle" | "deleteOld">
  readonly rules: AddressRules
  readonly owner: string
  readonly log: Logger
  /** Sends an event once. By default over HTTP. */
  readonly send?: typeof sendDelivery
}): { stop(): Promise<void> } => {
  const { store, rules, owner, log, send: post = sendDelivery } = p
  const stopping = new AbortController()
  const sending = new Set<Promise<void>>()

  const send = async (claim: DeliveryClaim): Promise<void> => {
    const outcome = await post(claim, rules, stopping.signal)
    const isRecorded = await store.settle(claim, outcome)
    const { id, webhookId, attempt } = claim
    if (outcome.kind === "failed")
      log.info({ webhook: webhookId, delivery: id, attempt, detail: outcome.error }, "webhook not delivered")
    if (!isRecorded) log.warn({ webhook: webhookId, delivery: id }, "the outcome of a webhook came too late")
  }
  const sendDue = async (): Promise<void> => {
    const limit = MAX_CONCURRENT - sending.size
    if (limit === 0 || !(await store.hasDue())) return
    for (const claim of await store.claimDue({ owner, limit, leaseMs: LEASE_MS })) {
      // Without an outcome the event is sent again when its lease has expired.
      const attempt = send(claim)
        .catch((err: unknown) => {
          if (!stopping.signal.aborted) log.warn({ err, delivery: claim.id }, "a webhook has no recorded outcome")
        })
        .finally(() => {
          sending.delete(attempt)
          loop.runNow()
        })
      sending.add(attempt)
    }
  }
  const loop = repeat("sending webhooks", POLL_MS, log, sendDue)
  const cleanUp = repeat("deleting old webhook deliveries", CLEAN_UP_INTERVAL_MS, log, async () => {
    while (!stopping.signal.aborted && (await store.deleteOld(KEEP_LOG_MS)) > 0);
  })
  return {
    stop: async () => {
      await Promise.all([loop.stop(), cleanUp.stop()])
      stopping.abort()
      await Promise.all(sending)
    },
  }
}
