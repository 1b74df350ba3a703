"use client"
import { type FormEvent, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"

type Entry = { readonly term: string; readonly sounds_like: string[] }
type EntryFormProps = {
  initial?: Entry
  submitLabel: string
  error: string | null
  isPending: boolean
  /** Calls `onSaved` once the entry is stored. */
  onSubmit: (entry: Entry, onSaved: () => void) => void
  onCancel?: () => void
}

const splitPhrases = (text: string): string[] =>
  text
    .split(",")
    .map((phrase) => phrase.trim())
    .filter(Boolean)

/** The fields of a vocabulary entry. Without `initial` it adds one, and is empty again afterwards. */
export const EntryForm = ({ initial, submitLabel, error, isPending, onSubmit, onCancel }: EntryFormProps) => {
  const [term, setTerm] = useState(initial?.term ?? "")
  const [phrases, setPhrases] = useState(initial?.sounds_like.join(", ") ?? "")
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (term.trim() === "" || isPending) return
    onSubmit({ term: term.trim(), sounds_like: splitPhrases(phrases) }, () => {
      if (initial) return
      setTerm("")
      setPhrases("")
    })
  }
  return (
    <form onSubmit={submit} className="grid gap-2">
      <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1.6fr)_auto]">
        <Field
          label="Name or term"
          value={term}
          maxLength={100}
          placeholder="Kubernetes"
          autoComplete="off"
          autoFocus={initial !== undefined}
          onChange={(event) => setTerm(event.target.value)}
        />
        <Field
          label="Written instead, separated by commas"
          value={phrases}
          placeholder="cuban eddies, cooper netties"
          autoComplete="off"
          onChange={(event) => setPhrases(event.target.value)}
        />
        <div className="flex gap-2 sm:pt-6">
          {onCancel && (
            <Button variant="quiet" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" variant="primary" disabled={isPending || term.trim() === ""}>
            {submitLabel}
          </Button>
        </div>
      </div>
      {error !== null && (
        <p role="alert" className="text-sm text-bad">
          {error}
        </p>
      )}
    </form>
  )
}
