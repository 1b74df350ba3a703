import type {
  DeliveriesQuery,
  DeliveryState,
  EventPayload,
  WebhookEvent,
  WebhookPatch,
} from "../../../domain/webhooks.ts"

export type NewWebhook = {
  readonly id: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly description: string
  readonly secret: string
}

export type StoredWebhook = Omit<NewWebhook, "secret"> & {
  readonly jobId: string | null
  readonly createdAt: number
  readonly lastSuccessAt: number | null
  readonly disabledAt: number | null
  readonly disabledReason: string | null
}

export type StoredDelivery = {
  readonly id: string
  readonly webhookId: string
  readonly type: WebhookEvent
  readonly clipId: string
  readonly payload: EventPayload
  readonly state: DeliveryState
  readonly attempts: number
  readonly createdAt: number
  readonly nextAttemptAt: number
  readonly endedAt: number | null
  readonly responseStatus: number | null
  readonly error: string | null
}

export type DeliveryPage = { readonly deliveries: readonly StoredDelivery[]; readonly next_cursor?: string }

/** The right of a worker to send one event once. */
export type DeliveryClaim = {
  readonly id: string
  readonly webhookId: string
  readonly owner: string
  /** The number of this attempt. With the owner it tells whether the claim still holds. */
  readonly attempt: number
  readonly url: string
  readonly secret: string
  readonly payload: EventPayload
}

export type DeliveryOutcome =
  | { readonly kind: "delivered"; readonly status: number }
  | {
      readonly kind: "failed"
      readonly status: number | null
      readonly error: string
      readonly retryInMs: number
      /** True if the receiver said that it is gone for good. The webhook is then disabled. */
      readonly isGone: boolean
    }

/** Stores webhooks and the events that they are sent. The operations that change jobs and clips record the events. */
export interface WebhookStore {
  /** @throws AppError `conflict` if there are too many */
  create(webhook: NewWebhook): Promise<StoredWebhook>
  /** Lists the webhooks of the installation, or those of a job, oldest first. */
  list(filter: { readonly jobId?: string | undefined }): Promise<StoredWebhook[]>
  get(id: string): Promise<StoredWebhook | null>
  /** Changes a webhook. Disabling it gives up its pending deliveries. Returns null for an unknown one. */
  update(id: string, patch: WebhookPatch): Promise<StoredWebhook | null>
  /** Deletes a webhook with its log. Returns false for an unknown one. */
  delete(id: string): Promise<boolean>

  /** Lists deliveries, newest first. Returns null for an unknown webhook. */
  listDeliveries(webhookId: string, query: DeliveriesQuery): Promise<DeliveryPage | null>
  /** Makes a delivery due now, for another day of attempts. Returns null for an unknown one. */
  redeliver(webhookId: string, id: string): Promise<StoredDelivery | null>

  /** Returns true if `claimDue` may find something. Does not write. */
  hasDue(): Promise<boolean>
  /**
   * Claims events that are due, so that one worker sends each. Of a clip, a webhook gets one event after the other: the next
   * one is due when the one before was delivered or given up.
   */
  claimDue(p: { readonly owner: string; readonly limit: number; readonly leaseMs: number }): Promise<DeliveryClaim[]>
  /**
   * Records the outcome of an attempt. Gives up a delivery after a day of attempts, and disables a webhook of which none
   * succeeded in that time. Returns false, with nothing written, if the claim no longer holds.
   */
  settle(claim: DeliveryClaim, outcome: DeliveryOutcome): Promise<boolean>
  /** Deletes deliveries that ended longer ago. Returns their number. */
  deleteOld(olderThanMs: number): Promise<number>
}
