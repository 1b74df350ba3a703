"use client"
import { type FormEvent, type ReactNode, useState } from "react"
import { errorMessage } from "../api/client.ts"
import { usePeople, usePersonActions } from "../api/people.ts"
import { useDebouncedValue } from "../search/use-library-search.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { formatCount } from "../ui/format.ts"
import { Notice } from "../ui/Notice.tsx"
import { notify } from "../ui/toast-queue.ts"

type Named = { readonly id: string; readonly name: string }
export type PersonAction = "rename" | "merge" | "delete"

type PersonDialogProps = {
  person: Named
  onClose: () => void
  /** Called after a merge with the person who remains, or after the deletion. */
  onGone: (remaining: Named | null) => void
  onDelete: (person: Named) => void
}

const Buttons = ({ onClose, children }: { onClose: () => void; children: ReactNode }) => (
  <div className="flex justify-end gap-2">
    <Button variant="quiet" onClick={onClose}>
      Cancel
    </Button>
    {children}
  </div>
)

const RenameForm = ({ person, onClose }: PersonDialogProps) => {
  const { rename } = usePersonActions(person.id)
  const [name, setName] = useState(person.name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate(name.trim(), { onSuccess: onClose })
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <Field
        label="Name"
        value={name}
        maxLength={200}
        onChange={(event) => setName(event.target.value)}
        error={rename.isError ? errorMessage(rename.error) : null}
      />
      <Buttons onClose={onClose}>
        <Button type="submit" variant="primary" disabled={name.trim() === "" || rename.isPending}>
          Rename
        </Button>
      </Buttons>
    </form>
  )
}

const MergeForm = ({ person, onClose, onGone }: PersonDialogProps) => {
  const { mergeInto } = usePersonActions(person.id)
  const [text, setText] = useState("")
  const q = useDebouncedValue(text.trim())
  const found = usePeople(q === "" ? {} : { q })
  const others = found.data?.pages[0]?.people.filter(({ id }) => id !== person.id) ?? []
  const merge = (into: Named) =>
    mergeInto.mutate(into.id, {
      onSuccess: () => {
        notify(`Merged ${person.name} into ${into.name}`)
        onClose()
        onGone(into)
      },
    })
  return (
    <div className="grid gap-3">
      <Field
        label="Find a person"
        type="search"
        value={text}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
      />
      {mergeInto.isError && <Notice>{errorMessage(mergeInto.error)}</Notice>}
      {found.isError && <Notice onRetry={() => found.refetch()}>{errorMessage(found.error)}</Notice>}
      <ul aria-label="People to merge into" className="grid gap-1">
        {others.map((other) => (
          <li key={other.id}>
            <button
              type="button"
              disabled={mergeInto.isPending}
              onClick={() => merge(other)}
              className="flex min-h-11 w-full items-center gap-3 rounded-md px-3 text-left hover:bg-accent-wash"
            >
              <bdi className="min-w-0 flex-1 truncate">{other.name}</bdi>
              <span className="numeric text-xs text-muted">{formatCount(other.clips, "recording")}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.isSuccess && others.length === 0 && <p className="text-muted">No other person matches.</p>}
    </div>
  )
}

const DeleteForm = ({ person, onClose, onGone, onDelete }: PersonDialogProps) => (
  <Buttons onClose={onClose}>
    <Button
      variant="primary"
      data-first=""
      onClick={() => {
        onClose()
        onDelete(person)
        onGone(null)
      }}
    >
      Delete person
    </Button>
  </Buttons>
)

const DIALOGS = {
  rename: { title: "Rename person", lead: () => "All recordings get the new name.", Form: RenameForm },
  merge: {
    title: "Merge into another person",
    lead: (name: string) => `The recordings of ${name} get the name of the person that you choose.`,
    Form: MergeForm,
  },
  delete: {
    title: "Delete person",
    lead: (name: string) =>
      `This removes the name ${name} from all recordings and deletes the speaker embeddings by which ${name} is recognized. The recordings stay.`,
    Form: DeleteForm,
  },
} as const

/** Renames, merges or deletes a person. */
export const PersonDialog = ({ action, ...props }: PersonDialogProps & { action: PersonAction }) => {
  const { title, lead, Form } = DIALOGS[action]
  return (
    <Dialog open onClose={props.onClose} title={title} lead={lead(props.person.name)}>
      <Form {...props} />
    </Dialog>
  )
}
