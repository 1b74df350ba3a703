"use client"
import { type FormEvent, useState } from "react"
import type { PersonClip } from "#lib/api/client/types.ts"
import { errorMessage } from "../api/client.ts"
import { usePersonActions } from "../api/people.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { notify } from "../ui/toast-queue.ts"

type SplitDialogProps = { personId: string; clip: PersonClip; onClose: () => void }

/** Makes the speaker of a recording another, new person. */
export const SplitDialog = ({ personId, clip, onClose }: SplitDialogProps) => {
  const { split } = usePersonActions(personId)
  const [name, setName] = useState("")
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const speakers = clip.speakers.map(({ speaker }) => ({ clip_id: clip.clip_id, speaker }))
    split.mutate(
      { name: name.trim(), speakers },
      {
        onSuccess: (created) => {
          notify(`${created.name} is a new person`)
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Somebody else speaks here"
      lead={`The speaker of “${clip.clip_title}” becomes a new person.`}
    >
      <form onSubmit={submit} className="grid gap-4">
        <Field
          label="Name of the new person"
          value={name}
          maxLength={200}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
          error={split.isError ? errorMessage(split.error) : null}
        />
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" disabled={name.trim() === "" || split.isPending}>
            Split off
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
