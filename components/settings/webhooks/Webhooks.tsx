"use client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { Webhook } from "#lib/domain/webhooks.ts"
import { client, errorMessage, isForbidden } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { formatTimeAgo } from "../../ui/format.ts"
import { Notice } from "../../ui/Notice.tsx"
import { notify, notifyError } from "../../ui/toast-queue.ts"
import { Section } from "../Section.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { WebhookDialog } from "./WebhookDialog.tsx"

const REFRESH_MS = 10_000

type Action = "change" | "deliveries" | "delete"

const describeSuccess = ({ last_success_at }: Webhook): string =>
  last_success_at === null ? "nothing delivered yet" : `last delivered ${formatTimeAgo(last_success_at)}`

const describeDisabling = (reason: string | null): string => {
  if (reason === null) return "Disabled"
  return reason.startsWith("Disabled") ? reason : `Disabled: ${reason}`
}

type WebhookRowProps = {
  webhook: Webhook
  isPending: boolean
  onAction: (action: Action) => void
  onEnable: (enabled: boolean) => void
}

const WebhookRow = ({ webhook, isPending, onAction, onEnable }: WebhookRowProps) => {
  const { url, description, events, enabled, disabled_reason } = webhook
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-72">
        <p className="font-[580] [overflow-wrap:anywhere]">
          <bdi>{description || url}</bdi>
        </p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {description && `${url} · `}
          {events.join(", ")} · {describeSuccess(webhook)}
        </p>
        {!enabled && <p className="text-sm text-bad">{describeDisabling(disabled_reason)}</p>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button onClick={() => onAction("deliveries")} aria-label={`Deliveries to ${url}`}>
          Deliveries
        </Button>
        <Button
          disabled={isPending}
          onClick={() => onEnable(!enabled)}
          aria-label={`${enabled ? "Disable" : "Enable"} ${url}`}
        >
          {enabled ? "Disable" : "Enable"}
        </Button>
        <IconButton name="edit" label={`Change ${url}`} onClick={() => onAction("change")} />
        <IconButton name="trash" label={`Delete ${url}`} onClick={() => onAction("delete")} />
      </div>
    </li>
  )
}

const DeleteDialog = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: () => client.deleteWebhook(webhook.id),
    onSuccess: async () => {
      notify("Webhook deleted")
      onClose()
      await queryClient.invalidateQueries({ queryKey: queryKeys.webhooks })
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
  return (
    <Dialog open onClose={onClose} title="Delete this webhook?" lead={webhook.url}>
      <div className="grid gap-4">
        <p className="text-sm text-soft">Its log and the events that were not delivered yet are deleted, too.</p>
        <div className="flex justify-end gap-2">
          <Button variant="quiet" data-first onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" disabled={remove.isPending} onClick={() => remove.mutate()}>
            Delete webhook
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** The webhooks of the installation. They can be managed with the scope `admin`. */
export const Webhooks = () => {
  const queryClient = useQueryClient()
  const [isCreating, setCreating] = useState(false)
  const [chosen, setChosen] = useState<{ id: string; action: Action } | null>(null)
  const list = useQuery({
    queryKey: queryKeys.webhooks,
    queryFn: ({ signal }) => client.webhooks({}, { signal }),
    refetchInterval: ({ state }) => (state.status === "success" ? REFRESH_MS : false),
    retry: false,
  })
  const enable = useMutation({
    mutationFn: ({ id, enabled }: { id: string; enabled: boolean }) => client.updateWebhook(id, { enabled }),
    onSuccess: async ({ enabled }) => {
      notify(enabled ? "Webhook enabled" : "Webhook disabled")
      await queryClient.invalidateQueries({ queryKey: queryKeys.webhooks })
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
  const webhooks = list.data?.webhooks ?? []
  const webhook = webhooks.find(({ id }) => id === chosen?.id)
  const close = () => setChosen(null)
  return (
    <Section id="webhooks" title="Webhooks">
      {list.isError &&
        (isForbidden(list.error) ? (
          <p className="text-sm text-muted">Sign in with a token of the scope admin to manage webhooks.</p>
        ) : (
          <Notice onRetry={() => list.refetch()}>{errorMessage(list.error)}</Notice>
        ))}
      {list.isSuccess && (
        <>
          <p className="text-sm text-muted">
            {webhooks.length === 0 && "No webhooks. "}A webhook gets a signed request when a job ends or a recording
            changes.
          </p>
          <ul className="divide-y divide-line border-y border-line empty:hidden">
            {webhooks.map((entry) => (
              <WebhookRow
                key={entry.id}
                webhook={entry}
                isPending={enable.isPending}
                onAction={(action) => setChosen({ id: entry.id, action })}
                onEnable={(enabled) => enable.mutate({ id: entry.id, enabled })}
              />
            ))}
          </ul>
          <div>
            <Button icon="plus" onClick={() => setCreating(true)}>
              Create webhook
            </Button>
          </div>
        </>
      )}
      {isCreating && <WebhookDialog webhook={null} onClose={() => setCreating(false)} />}
      {webhook && chosen?.action === "change" && <WebhookDialog webhook={webhook} onClose={close} />}
      {webhook && chosen?.action === "deliveries" && <Deliveries webhook={webhook} onClose={close} />}
      {webhook && chosen?.action === "delete" && <DeleteDialog webhook={webhook} onClose={close} />}
    </Section>
  )
}
