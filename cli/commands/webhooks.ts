import type { Command } from "commander"
import { WEBHOOK_EVENTS } from "#lib/domain/constants.ts"
import { AppError } from "#lib/domain/errors.ts"
import { formatIssue } from "#lib/domain/validation-messages.ts"
import { deliveriesQuery, type Webhook, type WebhookDelivery, webhookRequest } from "#lib/domain/webhooks.ts"
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  redeliver,
  updateWebhook,
} from "#lib/services/webhooks/webhooks.ts"
import { withNode } from "../node.ts"
import { printResult } from "../output.ts"

const webhookLine = ({ id, url, events, enabled, disabled_reason }: Webhook): string =>
  `${id}  ${events.join(",")}  ${url}${enabled ? "" : `\n  disabled: ${disabled_reason}`}`

const deliveryLine = ({ id, type, state, attempts, created_at, clip_id, error }: WebhookDelivery): string =>
  `${id}  ${created_at.slice(0, 19).replace("T", " ")}  ${type.padEnd(12)}  ${state.padEnd(9)}  ` +
  `${attempts} attempts  ${clip_id}${error === null ? "" : `\n  ${error}`}`

const splitList = (value: string): string[] => value.split(",").map((part) => part.trim())

export const addWebhooks = (program: Command): void => {
  const webhooks = program.command("webhooks").description("create, list and delete webhooks, and read their log")
  webhooks
    .command("list", { isDefault: true })
    .description("list webhooks with their events")
    .action(() =>
      withNode(async (deps) => {
        const list = await listWebhooks(deps, {})
        printResult(list, () => list.webhooks.map(webhookLine).join("\n") || "no webhooks")
      }),
    )
  webhooks
    .command("create <url>")
    .description("create a webhook and print its secret once")
    .option("--events <names>", WEBHOOK_EVENTS.join(","), splitList, [...WEBHOOK_EVENTS])
    .option("--description <text>", "a note for yourself")
    .action((url: string, flags: { events: string[]; description?: string }) =>
      withNode(async (deps) => {
        const request = webhookRequest.safeParse({ url, ...flags })
        if (!request.success) {
          const issue = request.error.issues[0]!
          const name = issue.path[0] === "url" ? "URL" : `--${String(issue.path[0])}`
          throw new AppError("invalid", `${name} ${formatIssue(issue)}`)
        }
        const created = await createWebhook(deps, request.data)
        printResult(created, () => `${created.id}\n${created.secret}\n\nThe secret is not shown again.`)
      }),
    )
  const change = (name: string, what: string, enabled: boolean): void => {
    webhooks
      .command(`${name} <id>`)
      .description(what)
      .action((id: string) =>
        withNode(async (deps) => {
          const changed = await updateWebhook(deps, { id }, { enabled })
          printResult(changed, () => webhookLine(changed))
        }),
      )
  }
  change("enable", "enable a webhook that was disabled", true)
  change("disable", "disable a webhook and give up its pending deliveries", false)
  webhooks
    .command("delete <id>")
    .description("delete a webhook with its log")
    .action((id: string) =>
      withNode(async (deps) => {
        await deleteWebhook(deps, { id })
        printResult({ deleted: id }, () => `Deleted ${id}.`)
      }),
    )
  webhooks
    .command("deliveries <id>")
    .description("list the deliveries of a webhook, newest first")
    .option("--state <state>", "pending, delivered or failed")
    .option("--limit <n>", "maximum number", "20")
    .option("--cursor <text>", "next_cursor of the previous page")
    .action((id: string, flags: Record<string, string>) =>
      withNode(async (deps) => {
        const query = deliveriesQuery.safeParse(flags)
        if (!query.success) {
          const issue = query.error.issues[0]!
          throw new AppError("invalid", `--${String(issue.path[0])} ${formatIssue(issue)}`)
        }
        const page = await listDeliveries(deps, { id }, query.data)
        printResult(page, () => page.deliveries.map(deliveryLine).join("\n") || "no deliveries")
      }),
    )
  webhooks
    .command("redeliver <id> <delivery_id>")
    .description("send an event again")
    .action((id: string, delivery_id: string) =>
      withNode(async (deps) => {
        const delivery = await redeliver(deps, { id, delivery_id })
        printResult(delivery, () => deliveryLine(delivery))
      }),
    )
}
