import { createHmac, randomBytes } from "node:crypto"

const SECRET_PREFIX = "whsec_"
const SECRET_BYTES = 32

export const newWebhookSecret = (): string => `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString("base64")}`

/**
 * Returns the headers that prove the origin of a request (Standard Webhooks, symmetric signature `v1`).
 * @param secret `whsec_` and the key in base64
 * @param sentAt Unix milliseconds
 */
export const signWebhook = (secret: string, id: string, body: string, sentAt: number): Record<string, string> => {
  const timestamp = String(Math.floor(sentAt / 1000))
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), "base64")
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` }
}
