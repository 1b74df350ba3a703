"use client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { WEBHOOK_EVENTS } from "#lib/domain/constants.ts"
import type { Webhook, WebhookEvent } from "#lib/domain/webhooks.ts"
import { client, errorMessage } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Field } from "../../ui/Field.tsx"
import { notify } from "../../ui/toast-queue.ts"
import { SecretDialog } from "../SecretDialog.tsx"

const EVENT_HINTS: Readonly<Record<WebhookEvent, string>> = {
  "job.done": "a job is done",
  "job.error": "a job has failed",
  "clip.updated": "a title, speakers, the transcript or topics of a recording changed",
  "clip.deleted": "a recording was deleted",
}

type EventsProps = { chosen: readonly WebhookEvent[]; onChange: (events: readonly WebhookEvent[]) => void }

const Events = ({ chosen, onChange }: EventsProps) => (
  <fieldset className="grid gap-1.5">
    <legend className="mb-1 text-sm font-[560]">Events</legend>
    {WEBHOOK_EVENTS.map((event) => (
      <label key={event} className="flex items-baseline gap-2 text-sm">
        <input
          type="checkbox"
          checked={chosen.includes(event)}
          onChange={() => onChange(WEBHOOK_EVENTS.filter((e) => (e === event) !== chosen.includes(e)))}
          className="accent-accent"
        />
        <span>
          <code>{event}</code> <span className="text-muted">{EVENT_HINTS[event]}</span>
        </span>
      </label>
    ))}
  </fieldset>
)

type WebhookDialogProps = {
  /** The webhook to change; null creates one. */
  webhook: Webhook | null
  onClose: () => void
}

/** The dialog that creates a webhook and shows its secret once, or changes a webhook. */
export const WebhookDialog = ({ webhook, onClose }: WebhookDialogProps) => {
  const queryClient = useQueryClient()
  const [url, setUrl] = useState(webhook?.url ?? "")
  const [description, setDescription] = useState(webhook?.description ?? "")
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook?.events ?? ["job.done", "job.error"])
  const save = useMutation({
    mutationFn: async () => {
      const fields = { url, events: [...events], description }
      if (webhook === null) return (await client.createWebhook(fields)).secret
      await client.updateWebhook(webhook.id, fields)
      return null
    },
    onSuccess: async (secret) => {
      if (secret === null) {
        notify("Webhook changed")
        onClose()
      }
      await queryClient.invalidateQueries({ queryKey: queryKeys.webhooks })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  if (save.data)
    return (
      <SecretDialog
        title="The secret of your new webhook"
        name="Secret"
        secret={save.data}
        note="It signs the requests, so that the receiver can verify them."
        onClose={onClose}
      />
    )
  return (
    <Dialog open onClose={onClose} title={webhook ? "Change webhook" : "Create webhook"}>
      <form onSubmit={submit} className="grid gap-4">
        <Field
          label="Address"
          type="url"
          hint="It gets a signed POST request for each event"
          placeholder="https://app.example/hooks/earmark"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          required
          maxLength={2048}
          error={save.isError ? errorMessage(save.error) : null}
        />
        <Events chosen={events} onChange={setEvents} />
        <Field
          label="Description"
          hint="A note for yourself"
          value={description}
          onChange={(event) => setDescription(event.target.value)}
          maxLength={200}
        />
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={save.isPending || url === "" || events.length === 0}>
            {webhook ? "Save" : "Create webhook"}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
