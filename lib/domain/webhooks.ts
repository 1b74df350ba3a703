import * as z from "zod"
import { CLIP_PARTS } from "./clip-version.ts"
import { WEBHOOK_EVENTS } from "./constants.ts"
import { jobRecord } from "./jobs/jobs.ts"
import { cleanName, isoTime, pageQuery, requireSomeField } from "./schemas.ts"
import { webhookUrl } from "./webhook-fields.ts"

export const webhookEvent = z.enum(WEBHOOK_EVENTS)
export type WebhookEvent = z.infer<typeof webhookEvent>

const description = z.string().overwrite(cleanName).max(200).describe("A note for yourself")
const events = z.array(webhookEvent).min(1).max(WEBHOOK_EVENTS.length).describe("The events to send")

export const webhookRequest = z.object({ url: webhookUrl, events, description: description.optional() })
export type WebhookRequest = z.infer<typeof webhookRequest>

export const webhookPatch = requireSomeField(
  z.object({
    url: webhookUrl.optional(),
    events: events.optional(),
    description: description.optional(),
    enabled: z.boolean().optional().describe("`true` enables a webhook that was disabled"),
  }),
)
export type WebhookPatch = z.infer<typeof webhookPatch>

export const webhook = z.object({
  id: z.string().describe("The ID of the webhook"),
  url: z.string().describe("The address that receives the events"),
  events: z.array(webhookEvent).describe("The events that are sent"),
  description: z.string().describe("A note for yourself"),
  job_id: z.string().nullable().describe("The job whose `webhook_url` this is; null for a webhook of the installation"),
  enabled: z.boolean().describe("False if no events are sent"),
  disabled_reason: z.string().nullable().describe("Why the webhook was disabled"),
  created_at: isoTime.describe("When the webhook was created"),
  last_success_at: isoTime.nullable().describe("When the last delivery succeeded"),
})
export type Webhook = z.infer<typeof webhook>

export const DELIVERY_STATES = ["pending", "delivered", "failed"] as const
export const deliveryState = z.enum(DELIVERY_STATES)
export type DeliveryState = z.infer<typeof deliveryState>

export const webhookDelivery = z.object({
  id: z.string().describe("The ID of the event, as in the header `webhook-id`. It is the same for every attempt"),
  webhook_id: z.string().describe("The webhook"),
  type: webhookEvent.describe("The event"),
  clip_id: z.string().describe("The recording. Its events are delivered in order"),
  state: deliveryState.describe("`pending` until it was delivered or given up"),
  attempts: z.int().min(0).describe("The number of attempts"),
  created_at: isoTime.describe("When the event happened"),
  next_attempt_at: isoTime.nullable().describe("When the next attempt is due, if `pending`"),
  ended_at: isoTime.nullable().describe("When it was delivered or given up"),
  response_status: z.int().nullable().describe("The HTTP status of the last answer; null without an answer"),
  error: z.string().nullable().describe("Why the last attempt failed"),
  payload: z.record(z.string(), z.unknown()).describe("The body that is sent"),
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>

export const deliveriesQuery = pageQuery.extend({
  state: deliveryState.optional().describe("Only deliveries in this state"),
})
export type DeliveriesQuery = z.infer<typeof deliveriesQuery>

const clipSummary = z.object({
  id: z.string().describe("The ID of the clip"),
  title: z.string().describe("The title"),
  source_url: z.string().nullable().describe("Where the recording comes from, if that is a URL"),
  duration_s: z.number().describe("The duration in seconds"),
  language: z.string().nullable().describe("The language"),
  speakers: z.record(z.string(), z.string()).describe("The names of speakers"),
  created_at: isoTime.describe("When the clip was created"),
})

const envelope = { timestamp: isoTime.describe("When the event happened") }

/** The bodies of the events. */
export const EVENT_PAYLOADS = {
  "job.done": z.object({
    type: z.literal("job.done").describe("The event"),
    ...envelope,
    data: jobRecord.describe("The job"),
  }),
  "job.error": z.object({
    type: z.literal("job.error").describe("The event"),
    ...envelope,
    data: jobRecord.describe("The job, with `error`"),
  }),
  "clip.updated": z.object({
    type: z.literal("clip.updated").describe("The event"),
    ...envelope,
    data: clipSummary
      .extend({ changed: z.array(z.enum(CLIP_PARTS)).describe("What changed") })
      .describe("The clip. Read the rest at `/clips/{id}`"),
  }),
  "clip.deleted": z.object({
    type: z.literal("clip.deleted").describe("The event"),
    ...envelope,
    data: z
      .object({ id: z.string().describe("The ID of the clip"), title: z.string().describe("Its title") })
      .describe("The deleted clip"),
  }),
} as const satisfies Record<WebhookEvent, z.ZodType>

export type EventPayload = z.infer<(typeof EVENT_PAYLOADS)[WebhookEvent]>
