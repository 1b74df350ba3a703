import type { ZodType } from "zod"
import { WEBHOOK_EVENTS } from "../../domain/constants.ts"
import { EVENT_PAYLOADS, type WebhookEvent } from "../../domain/webhooks.ts"
import { type Json, reference } from "./json.ts"

const EVENTS: Readonly<Record<WebhookEvent, { readonly schema: string; readonly summary: string }>> = {
  "job.done": { schema: "JobDoneEvent", summary: "A job is done" },
  "job.error": { schema: "JobErrorEvent", summary: "A job has failed" },
  "clip.updated": {
    schema: "ClipUpdatedEvent",
    summary: "The title, the speakers, the transcript or the topics changed",
  },
  "clip.deleted": { schema: "ClipDeletedEvent", summary: "A clip was deleted" },
}

/** The schemas of the events by name. */
export const EVENT_SCHEMAS: readonly (readonly [string, ZodType])[] = WEBHOOK_EVENTS.map((event) => [
  EVENTS[event].schema,
  EVENT_PAYLOADS[event],
])

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
  example,
})

const HEADERS: readonly Json[] = [
  header("webhook-id", "The ID of the event, the same for every attempt", "01a1f2c3-1b2c-7d3e-9f4a-5b6c7d8e9f0a"),
  header("webhook-timestamp", "When this attempt was sent, in Unix seconds", "1795428300"),
  header(
    "webhook-signature",
    "`v1,` and the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` in base64",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
]

/** Returns the requests that the service sends to webhooks. */
export const describeWebhooks = (): Json =>
  Object.fromEntries(
    WEBHOOK_EVENTS.map((event) => [
      event,
      {
        post: {
          operationId: EVENTS[event].schema.replace(/^./, (first) => first.toLowerCase()),
          summary: EVENTS[event].summary,
          tags: ["webhooks"],
          security: [],
          parameters: HEADERS,
          requestBody: { required: true, content: { "application/json": { schema: reference(EVENTS[event].schema) } } },
          responses: { "2XX": { description: "Received. Any other answer is an error, and the event is sent again" } },
        },
      },
    ]),
  )
