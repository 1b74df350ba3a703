"use client"
import { type FormEvent, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Field } from "../../ui/Field.tsx"
import type { LibraryParams } from "./library-params.ts"

type DateRangeDialogProps = {
  params: LibraryParams
  onSave: (changes: LibraryParams) => void
  onClose: () => void
}

/** Asks for the first and the last day. Either may be left empty. */
export const DateRangeDialog = ({ params, onSave, onClose }: DateRangeDialogProps) => {
  const [from, setFrom] = useState(params.from ?? "")
  const [to, setTo] = useState(params.to ?? "")
  const isReversed = from !== "" && to !== "" && from > to
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReversed) return
    onSave({ from, to })
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title="Added between">
      <form onSubmit={submit} className="grid gap-4">
        <div className="grid grid-cols-2 gap-3">
          <Field label="First day" type="date" value={from} onChange={(event) => setFrom(event.target.value)} />
          <Field
            label="Last day"
            type="date"
            value={to}
            error={isReversed ? "This day is before the first one." : null}
            onChange={(event) => setTo(event.target.value)}
          />
        </div>
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" disabled={isReversed || (from === "" && to === "")}>
            Show
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
