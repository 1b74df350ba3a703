import type { CreatedWebhook, DeliveryList, WebhookList } from "../../api/webhooks.ts"
import { AppError } from "../../domain/errors.ts"
import { newId } from "../../domain/ids.ts"
import { newWebhookSecret } from "../../domain/webhook-signatures.ts"
import type { DeliveriesQuery, Webhook, WebhookDelivery, WebhookPatch, WebhookRequest } from "../../domain/webhooks.ts"
import type { StoredDelivery, StoredWebhook } from "../../storage/stores/ports/webhooks.ts"
import { type Deps, requireStore } from "../deps.ts"
import { checkWebhookUrl } from "./new-webhook.ts"

type WebhookDeps = Pick<Deps, "store" | "groups" | "config">
type WebhookRef = { readonly id: string }

const toIso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

const toWebhook = (stored: StoredWebhook): Webhook => ({
  id: stored.id,
  url: stored.url,
  events: [...stored.events],
  description: stored.description,
  job_id: stored.jobId,
  enabled: stored.disabledAt === null,
  disabled_reason: stored.disabledReason,
  created_at: new Date(stored.createdAt).toISOString(),
  last_success_at: toIso(stored.lastSuccessAt),
})

const toDelivery = (stored: StoredDelivery): WebhookDelivery => ({
  id: stored.id,
  webhook_id: stored.webhookId,
  type: stored.type,
  clip_id: stored.clipId,
  state: stored.state,
  attempts: stored.attempts,
  created_at: new Date(stored.createdAt).toISOString(),
  next_attempt_at: stored.state === "pending" ? toIso(stored.nextAttemptAt) : null,
  ended_at: toIso(stored.endedAt),
  response_status: stored.responseStatus,
  error: stored.error,
  payload: stored.payload,
})

const unknownWebhook = (id: string): AppError => new AppError("not_found", `unknown webhook '${id}'`)

/** Lists the webhooks of the installation, or those of a job, oldest first. */
export const listWebhooks = async (
  deps: WebhookDeps,
  { job_id: jobId }: { readonly job_id?: string | undefined },
): Promise<WebhookList> => ({
  webhooks: (await requireStore(deps).webhooks.list({ jobId })).map(toWebhook),
})

/** @throws AppError `not_found` */
export const getWebhook = async (deps: WebhookDeps, { id }: WebhookRef): Promise<Webhook> => {
  const stored = await requireStore(deps).webhooks.get(id)
  if (stored === null) throw unknownWebhook(id)
  return toWebhook(stored)
}

/**
 * Creates a webhook and returns it with the secret that signs its requests.
 * @throws AppError `invalid` or `forbidden` for its address, `conflict` if there are too many
 */
export const createWebhook = async (
  deps: WebhookDeps,
  { url, events, description = "" }: WebhookRequest,
): Promise<CreatedWebhook> => {
  checkWebhookUrl(deps, url)
  const secret = newWebhookSecret()
  const webhook = { id: newId(), url, events: [...new Set(events)], description, secret }
  return { ...toWebhook(await requireStore(deps).webhooks.create(webhook)), secret }
}

/** Changes, enables or disables a webhook. @throws AppError `not_found`, `invalid` or `forbidden` */
export const updateWebhook = async (deps: WebhookDeps, { id }: WebhookRef, patch: WebhookPatch): Promise<Webhook> => {
  if (patch.url !== undefined) checkWebhookUrl(deps, patch.url)
  const stored = await requireStore(deps).webhooks.update(id, patch)
  if (stored === null) throw unknownWebhook(id)
  return toWebhook(stored)
}

/** Deletes a webhook with its log. @throws AppError `not_found` */
export const deleteWebhook = async (deps: WebhookDeps, { id }: WebhookRef): Promise<void> => {
  if (!(await requireStore(deps).webhooks.delete(id))) throw unknownWebhook(id)
}

/** Returns a page of the log of a webhook, newest first. @throws AppError `not_found` */
export const listDeliveries = async (
  deps: WebhookDeps,
  { id }: WebhookRef,
  query: DeliveriesQuery,
): Promise<DeliveryList> => {
  const page = await requireStore(deps).webhooks.listDeliveries(id, query)
  if (page === null) throw unknownWebhook(id)
  return { ...page, deliveries: page.deliveries.map(toDelivery) }
}

/**
 * Sends an event again, with the same ID, for another day of attempts.
 * @throws AppError `not_found`, or `conflict` if the webhook is disabled
 */
export const redeliver = async (
  deps: WebhookDeps,
  { id, delivery_id }: WebhookRef & { readonly delivery_id: string },
): Promise<WebhookDelivery> => {
  const stored = await requireStore(deps).webhooks.redeliver(id, delivery_id)
  if (stored === null) throw new AppError("not_found", `unknown delivery '${delivery_id}' of webhook '${id}'`)
  return toDelivery(stored)
}
