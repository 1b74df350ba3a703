"use client"
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { DeliveryState, Webhook, WebhookDelivery } from "#lib/domain/webhooks.ts"
import { client, errorMessage } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { formatCount, formatTimeAgo } from "../../ui/format.ts"
import { Notice } from "../../ui/Notice.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { notify, notifyError } from "../../ui/toast-queue.ts"

const PAGE_SIZE = 20
const REFRESH_MS = 2000

const STATES = [
  { value: "all", label: "All" },
  { value: "pending", label: "Pending" },
  { value: "delivered", label: "Delivered" },
  { value: "failed", label: "Failed" },
] as const
type Filter = (typeof STATES)[number]["value"]

const STATE_COLORS: Readonly<Record<DeliveryState, string>> = {
  pending: "text-muted",
  delivered: "text-good",
  failed: "text-bad",
}

const describeAttempts = ({ attempts, response_status, error, state, next_attempt_at }: WebhookDelivery): string =>
  [
    attempts === 0 ? "not sent yet" : formatCount(attempts, "attempt"),
    ...(response_status === null ? [] : [`status ${response_status}`]),
    ...(error === null || state === "delivered" ? [] : [error]),
    ...(next_attempt_at === null || attempts === 0
      ? []
      : [`next attempt ${new Date(next_attempt_at).toLocaleTimeString("en", { hourCycle: "h23" })}`]),
  ].join(" · ")

type DeliveryRowProps = { delivery: WebhookDelivery; canRedeliver: boolean; onRedeliver: () => void }

const DeliveryRow = ({ delivery, canRedeliver, onRedeliver }: DeliveryRowProps) => (
  <li className="py-3" data-delivery={delivery.id}>
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <code className="font-[580]">{delivery.type}</code>
          <span className={cx("text-sm font-[560]", STATE_COLORS[delivery.state])}>{delivery.state}</span>
          <span className="text-sm text-muted">{formatTimeAgo(delivery.created_at)}</span>
        </p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">{describeAttempts(delivery)}</p>
      </div>
      {delivery.state !== "pending" && canRedeliver && (
        <Button icon="retry" onClick={onRedeliver} aria-label={`Redeliver ${delivery.type} ${delivery.id}`}>
          Redeliver
        </Button>
      )}
    </div>
    <details className="mt-1 text-sm">
      <summary className="cursor-pointer text-muted hover:text-ink">Payload</summary>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: makes long payloads scrollable by keyboard
        tabIndex={0}
        className="mt-1 max-h-72 overflow-auto rounded-md border border-line bg-paper px-3 py-2"
      >
        <code className="font-mono text-xs">{JSON.stringify(delivery.payload, null, 2)}</code>
      </pre>
    </details>
  </li>
)

/** The dialog with the log of a webhook. Pending deliveries are followed. */
export const Deliveries = ({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const [filter, setFilter] = useState<Filter>("all")
  const log = useInfiniteQuery({
    queryKey: queryKeys.deliveries(webhook.id, filter),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: cursor, signal }) =>
      client.deliveries(
        webhook.id,
        { limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }), ...(filter !== "all" && { state: filter }) },
        { signal },
      ),
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) => (state.status === "success" ? REFRESH_MS : false),
    retry: false,
  })
  const redeliver = useMutation({
    mutationFn: (id: string) => client.redeliver(webhook.id, id),
    onSuccess: async () => {
      notify("Event queued again")
      await queryClient.invalidateQueries({ queryKey: queryKeys.deliveries(webhook.id) })
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries) ?? []
  return (
    <Dialog open wide onClose={onClose} title="Deliveries" lead={webhook.url}>
      <div className="grid grid-cols-1 gap-3">
        <div>
          <Segmented label="State of the deliveries" value={filter} options={STATES} onChange={setFilter} />
        </div>
        {log.isError && <Notice onRetry={() => log.refetch()}>{errorMessage(log.error)}</Notice>}
        {log.isSuccess && deliveries.length === 0 && (
          <p className="text-sm text-muted">
            {filter === "all" ? "No deliveries in the last 30 days." : "No deliveries in this state."}
          </p>
        )}
        <ul className="divide-y divide-line border-y border-line empty:hidden">
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              canRedeliver={webhook.enabled}
              onRedeliver={() => redeliver.mutate(delivery.id)}
            />
          ))}
        </ul>
        {log.hasNextPage && (
          <div>
            <Button disabled={log.isFetchingNextPage} onClick={() => log.fetchNextPage()}>
              Show more
            </Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}
