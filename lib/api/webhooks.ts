import * as z from "zod"
import { deliveriesQuery, webhook, webhookDelivery, webhookPatch, webhookRequest } from "../domain/webhooks.ts"
import { type Endpoints, requestWarnings } from "./endpoint.ts"

const webhookParams = z.object({ id: z.string().min(1).describe("The ID of the webhook") })
const deliveryParams = webhookParams.extend({
  delivery_id: z.string().min(1).describe("The ID of the delivery"),
})

const webhooksQuery = z.object({
  job_id: z.string().min(1).max(200).optional().describe("Only the webhook of this job, instead of the installation's"),
})

const webhookList = z.object({ webhooks: z.array(webhook).describe("Oldest first") })
export type WebhookList = z.infer<typeof webhookList>

const createdWebhook = webhook.extend({
  secret: z.string().describe("The secret that signs the requests. Only this response contains it"),
  warnings: requestWarnings,
})
export type CreatedWebhook = z.infer<typeof createdWebhook>

const deliveryList = z.object({
  deliveries: z.array(webhookDelivery).describe("Newest first"),
  next_cursor: z.string().optional().describe("The `cursor` of the next page; missing on the last one"),
})
export type DeliveryList = z.infer<typeof deliveryList>

const webhookResponse = { name: "Webhook", schema: webhook } as const

export const webhookEndpoints = {
  listWebhooks: {
    method: "GET",
    path: "/webhooks",
    scope: "admin",
    summary: "Lists the webhooks, oldest first",
    call: "webhooks",
    needs: ["rag"],
    query: webhooksQuery,
    response: { name: "WebhookList", schema: webhookList },
  },
  createWebhook: {
    method: "POST",
    hasSecret: true,
    path: "/webhooks",
    scope: "admin",
    summary: "Creates a webhook. Its address gets the events as signed requests (Standard Webhooks)",
    call: "createWebhook",
    needs: ["rag"],
    body: {
      name: "WebhookRequest",
      schema: webhookRequest,
      example: { url: "https://app.example/hooks/earmark", events: ["job.done", "job.error"] },
    },
    status: 201,
    response: { name: "CreatedWebhook", schema: createdWebhook },
    location: "/webhooks/{id}",
    errors: [409],
  },
  getWebhook: {
    method: "GET",
    path: "/webhooks/{id}",
    scope: "admin",
    summary: "Returns a webhook without its secret",
    call: "webhook",
    needs: ["rag"],
    params: webhookParams,
    response: webhookResponse,
  },
  updateWebhook: {
    method: "PATCH",
    path: "/webhooks/{id}",
    scope: "admin",
    summary:
      "Changes a webhook, disables it, or enables one that was disabled. Disabling gives up its pending deliveries",
    call: "updateWebhook",
    needs: ["rag"],
    params: webhookParams,
    body: { name: "WebhookPatch", schema: webhookPatch, example: { enabled: true } },
    response: webhookResponse,
  },
  deleteWebhook: {
    method: "DELETE",
    path: "/webhooks/{id}",
    scope: "admin",
    summary: "Deletes a webhook with the log of its deliveries",
    call: "deleteWebhook",
    needs: ["rag"],
    params: webhookParams,
    status: 204,
  },
  listDeliveries: {
    method: "GET",
    path: "/webhooks/{id}/deliveries",
    scope: "admin",
    summary: "Lists the deliveries of a webhook, newest first. Ended ones are kept for 30 days",
    call: "deliveries",
    needs: ["rag"],
    params: webhookParams,
    query: deliveriesQuery,
    response: { name: "DeliveryList", schema: deliveryList },
    fieldsOf: "deliveries",
  },
  redeliver: {
    method: "POST",
    path: "/webhooks/{id}/deliveries/{delivery_id}/redeliver",
    scope: "admin",
    summary: "Sends an event again, with the same ID",
    call: "redeliver",
    needs: ["rag"],
    params: deliveryParams,
    status: 202,
    response: { name: "WebhookDelivery", schema: webhookDelivery },
    location: "/webhooks/{webhook_id}/deliveries",
    errors: [409],
  },
} as const satisfies Endpoints
