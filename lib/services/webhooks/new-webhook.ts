import { newId } from "../../domain/ids.ts"
import { newWebhookSecret } from "../../domain/webhook-signatures.ts"
import type { Config } from "../../platform/config/config.ts"
import { type AddressRules, checkAddress } from "../../sources/guarded-address.ts"
import type { NewWebhook } from "../../storage/stores/ports/webhooks.ts"

/** Returns the addresses that webhooks may have: public ones with any port, and those of the setting. */
export const webhookRules = ({ webhooks }: Pick<Config, "webhooks">): AddressRules => ({
  ports: "any",
  allowed: webhooks.allowed,
  allowSetting: "SERVICE_WEBHOOK_ALLOW",
})

/**
 * Rejects an address that no event would be sent to. Names are resolved only before each attempt, because that takes time and
 * the result may change.
 * @throws AppError `invalid` or `forbidden`
 */
export const checkWebhookUrl = ({ config }: { readonly config: Pick<Config, "webhooks"> }, url: string): void => {
  checkAddress(url, webhookRules(config))
}

/** Returns the webhook of a job. */
export const newJobWebhook = (url: string, secret: string | undefined): NewWebhook => ({
  id: newId(),
  url,
  events: ["job.done", "job.error"],
  description: "",
  secret: secret ?? newWebhookSecret(),
})
