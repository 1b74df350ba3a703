import type { Command } from "commander"
import { WEBHOOK_EVENTS } from "#lib/domain/constants.ts"
import { deliveriesQuery, type Webhook, type WebhookDelivery, webhookRequest } from "#lib/domain/webhooks.ts"
import { parseFlags } from "../flags.ts"
import { printResult } from "../output.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"

const webhookLine = ({ id, url, events, enabled, disabled_reason }: Webhook): string =>
  `${id}  ${events.join(",")}  ${url}${enabled ? "" : `\n  disabled: ${disabled_reason}`}`

const deliveryLine = ({ id, type, state, attempts, created_at, clip_id, error }: WebhookDelivery): string =>
  `${id}  ${created_at.slice(0, 19).replace("T", " ")}  ${type.padEnd(12)}  ${state.padEnd(9)}  ` +
  `${attempts} attempts  ${clip_id}${error === null ? "" : `\n  ${error}`}`

const splitList = (value: string): string[] => value.split(",").map((part) => part.trim())

type CreateFlags = RemoteFlags & { events: string[]; description?: string }
type ListFlags = RemoteFlags & { state?: string; limit: string; cursor?: string }

export const addWebhooks = (program: Command): void => {
  const webhooks = program.command("webhooks").description("create, list and delete webhooks, and read their log")
  remoteFlags(webhooks.command("list", { isDefault: true }))
    .description("list webhooks with their events")
    .action((flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const list = await api.webhooks()
        printResult(list, () => list.webhooks.map(webhookLine).join("\n") || "no webhooks")
      }),
    )
  remoteFlags(webhooks.command("create").argument("<address>", "URL that receives the events"))
    .description("create a webhook and print its secret once")
    .option("--events <names>", WEBHOOK_EVENTS.join(","), splitList, [...WEBHOOK_EVENTS])
    .option("--description <text>", "a note for yourself")
    .action((address: string, { events, description, ...flags }: CreateFlags) =>
      withApi(flags, async (api) => {
        const request = parseFlags(webhookRequest, { url: address, events, description }, { url: "URL" })
        const created = await api.createWebhook(request)
        printResult(created, () => `${created.id}\n${created.secret}\n\nThe secret is not shown again.`)
      }),
    )
  const change = (name: string, what: string, enabled: boolean): void => {
    remoteFlags(webhooks.command(`${name} <id>`))
      .description(what)
      .action((id: string, flags: RemoteFlags) =>
        withApi(flags, async (api) => {
          const changed = await api.updateWebhook(id, { enabled })
          printResult(changed, () => webhookLine(changed))
        }),
      )
  }
  change("enable", "enable a webhook that was disabled", true)
  change("disable", "disable a webhook and give up its pending deliveries", false)
  remoteFlags(webhooks.command("delete <id>"))
    .description("delete a webhook with its log")
    .action((id: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        await api.deleteWebhook(id)
        printResult({ deleted: id }, () => `Deleted ${id}.`)
      }),
    )
  remoteFlags(webhooks.command("deliveries <id>"))
    .description("list the deliveries of a webhook, newest first")
    .option("--state <state>", "pending, delivered or failed")
    .option("--limit <n>", "maximum number", "20")
    .option("--cursor <text>", "next_cursor of the previous page")
    .action((id: string, { state, limit, cursor, ...flags }: ListFlags) =>
      withApi(flags, async (api) => {
        const page = await api.deliveries(id, parseFlags(deliveriesQuery, { state, limit, cursor }))
        printResult(page, () => page.deliveries.map(deliveryLine).join("\n") || "no deliveries")
      }),
    )
  remoteFlags(webhooks.command("redeliver <id> <delivery_id>"))
    .description("send an event again")
    .action((id: string, deliveryId: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const delivery = await api.redeliver(id, deliveryId)
        printResult(delivery, () => deliveryLine(delivery))
      }),
    )
}
