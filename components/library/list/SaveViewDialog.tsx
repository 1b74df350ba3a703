"use client"
import { useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { client, errorMessage } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Field } from "../../ui/Field.tsx"
import { useExclusiveMutation } from "../../ui/use-exclusive-mutation.ts"

/** Asks for the name of a saved view. `query` is what the view shows, as in the address. */
export const SaveViewDialog = ({ query, onClose }: { query: string; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const [name, setName] = useState("")
  const save = useExclusiveMutation({
    mutationFn: () => client.createSavedView({ name, query }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.savedViews })
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim()) save.mutate()
  }
  return (
    <Dialog open onClose={onClose} title="Save this view" lead="The search, the filters and the order, for later.">
      <form onSubmit={submit} className="grid gap-4">
        <Field
          label="Name"
          value={name}
          maxLength={100}
          error={save.isError ? errorMessage(save.error) : null}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" disabled={!name.trim() || save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
