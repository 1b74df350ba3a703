"use client"
import { type FormEvent, useState } from "react"
import { MAX_NOTE_CHARS } from "#lib/domain/constants.ts"
import { Button } from "../ui/Button.tsx"
import { TextField } from "../ui/Field.tsx"

type NoteFormProps = {
  initial?: string
  /** True if a text is needed, because there are no words that are highlighted. */
  isRequired?: boolean
  error: string | null
  isPending: boolean
  autoFocus?: boolean
  onSubmit: (text: string, onSaved: () => void) => void
  onCancel?: () => void
}

/** Edits the text of a note. Ctrl or Cmd with Enter saves, Escape cancels. */
export const NoteForm = ({
  initial = "",
  isRequired,
  error,
  isPending,
  autoFocus,
  onSubmit,
  onCancel,
}: NoteFormProps) => {
  const [text, setText] = useState(initial)
  const canSave = !isPending && (!isRequired || text.trim() !== "")
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (canSave) onSubmit(text.trim(), () => setText(initial))
  }
  return (
    <form onSubmit={submit} className="grid gap-2">
      <TextField
        hideLabel
        label="Note"
        placeholder="Write a note"
        value={text}
        maxLength={MAX_NOTE_CHARS}
        autoFocus={autoFocus}
        rows={2}
        error={error}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === "Escape") onCancel?.()
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit()
        }}
      />
      {(onCancel || text.trim() !== "" || error) && (
        <div className="flex justify-end gap-2">
          {onCancel && (
            <Button variant="quiet" className="max-sm:h-11" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" variant="primary" className="max-sm:h-11" disabled={!canSave}>
            {isPending ? "Saving…" : "Save"}
          </Button>
        </div>
      )}
    </form>
  )
}
