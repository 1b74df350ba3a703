"use client"
import { type FormEvent, useState } from "react"
import { errorMessage } from "../../api/client.ts"
import { useRename } from "../../api/clips.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Field } from "../../ui/Field.tsx"
import type { ClipRow } from "./library-params.ts"

const RenameForm = ({ clip, onClose }: { clip: ClipRow; onClose: () => void }) => {
  const rename = useRename()
  const [title, setTitle] = useState(clip.title)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() && title.trim() !== clip.title)
      rename.mutate({ id: clip.id, title: title.trim() }, { onSuccess: onClose })
    else onClose()
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <Field
        label="Title"
        value={title}
        maxLength={500}
        error={rename.isError ? `Couldn't save the title. ${errorMessage(rename.error)}` : null}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTitle(event.target.value)}
      />
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" disabled={!title.trim() || rename.isPending}>
          {rename.isError ? "Try again" : "Save"}
        </Button>
      </div>
    </form>
  )
}

export const RenameDialog = ({ clip, onClose }: { clip: ClipRow | null; onClose: () => void }) => (
  <Dialog open={clip !== null} onClose={onClose} title="Rename recording">
    {clip && <RenameForm key={clip.id} clip={clip} onClose={onClose} />}
  </Dialog>
)
