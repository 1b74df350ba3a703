import * as z from "zod"

export const webhookUrl = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .max(2048)
  .refine((url) => !/[\s\p{Cc}]/u.test(url), { error: "must not contain spaces or control characters" })
  .describe("The address that receives the events. Private addresses need SERVICE_WEBHOOK_ALLOW")

/** A secret as in Standard Webhooks: 24 to 64 bytes in base64. */
export const webhookSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/, { error: "must be whsec_ and 24 to 64 bytes in base64" })
