"use client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { StoredVocabularyEntry, VocabularyEntry } from "#lib/domain/vocabulary.ts"
import { client, errorMessage } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { notify, notifyError } from "../../ui/toast-queue.ts"
import { Section } from "../Section.tsx"
import { EntryForm } from "./EntryForm.tsx"

/** Longer lists can be filtered. */
const FILTER_FROM = 12

const matches = ({ term, sounds_like }: StoredVocabularyEntry, filter: string): boolean =>
  [term, ...sounds_like].some((text) => text.toLowerCase().includes(filter.trim().toLowerCase()))

/** Returns a mutation that reloads the vocabulary and its suggestions. */
const useVocabularyChange = <T,>(change: (given: T) => Promise<unknown>) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.vocabulary }),
  })
}

const showError = (error: unknown): void => notifyError(errorMessage(error))

const EntryRow = ({ entry, onRemove }: { entry: StoredVocabularyEntry; onRemove: () => void }) => {
  const [isEditing, setEditing] = useState(false)
  const update = useVocabularyChange((given: VocabularyEntry) => client.updateVocabulary(entry.id, given))
  if (isEditing)
    return (
      <li className="py-3">
        <EntryForm
          initial={entry}
          submitLabel="Save"
          error={update.isError ? errorMessage(update.error) : null}
          isPending={update.isPending}
          onSubmit={(given) => update.mutate(given, { onSuccess: () => setEditing(false) })}
          onCancel={() => setEditing(false)}
        />
      </li>
    )
  return (
    <li className="flex items-center gap-2 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-[580] [overflow-wrap:anywhere]">
          <bdi>{entry.term}</bdi>
        </p>
        {entry.sounds_like.length > 0 && (
          <p className="text-sm [overflow-wrap:anywhere] text-muted">instead of {entry.sounds_like.join(", ")}</p>
        )}
      </div>
      <IconButton
        name="edit"
        label={`Edit ${entry.term}`}
        className="max-sm:size-11"
        onClick={() => setEditing(true)}
      />
      <IconButton name="trash" label={`Remove ${entry.term}`} className="max-sm:size-11" onClick={onRemove} />
    </li>
  )
}

/** Corrections that an entry would make by itself. */
const Suggestions = () => {
  const list = useQuery({
    queryKey: queryKeys.vocabularySuggestions,
    queryFn: ({ signal }) => client.vocabularySuggestions({ signal }),
  })
  const add = useVocabularyChange((entry: VocabularyEntry) => client.addVocabulary(entry))
  const suggestions = list.data?.suggestions ?? []
  if (suggestions.length === 0) return null
  return (
    <section aria-labelledby="suggestions" className="grid gap-1">
      <h3 id="suggestions" className="text-base font-[620]">
        From your corrections
      </h3>
      <ul className="divide-y divide-line border-y border-line">
        {suggestions.map(({ term, sounds_like, count }) => (
          <li key={`${term} ${sounds_like}`} className="flex items-center gap-3 py-2">
            <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
              Always write <b className="font-[620]">{term}</b> for “{sounds_like}”
              {count > 1 && <span className="text-sm text-muted"> · corrected {count} times</span>}
            </p>
            <Button
              icon="plus"
              disabled={add.isPending}
              aria-label={`Always write ${term} for ${sounds_like}`}
              onClick={() => add.mutate({ term, sounds_like: [sounds_like] }, { onError: showError })}
            >
              Add
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The names and terms of the library. */
export const VocabularySection = () => {
  const [filter, setFilter] = useState("")
  const list = useQuery({ queryKey: queryKeys.vocabularyList, queryFn: ({ signal }) => client.vocabulary({ signal }) })
  const add = useVocabularyChange((entry: VocabularyEntry) => client.addVocabulary(entry))
  const restore = useVocabularyChange((entry: VocabularyEntry) => client.addVocabulary(entry))
  const remove = useVocabularyChange(({ id }: StoredVocabularyEntry) => client.deleteVocabulary(id))
  const onRemove = (entry: StoredVocabularyEntry) =>
    remove.mutate(entry, {
      onSuccess: () => notify(`“${entry.term}” removed`, () => restore.mutate(entry, { onError: showError })),
      onError: showError,
    })
  const entries = list.data?.entries ?? []
  const shown = entries.filter((entry) => matches(entry, filter))
  return (
    <Section id="vocabulary" title="Vocabulary">
      <p className="max-w-[44rem] text-sm text-muted">
        Names and terms that transcriptions should get right. Speech engines that can prefer words are told them, and
        what a transcript has instead is replaced. They apply to later transcriptions; existing transcripts stay as they
        are.
      </p>
      <EntryForm
        submitLabel="Add"
        error={add.isError ? errorMessage(add.error) : null}
        isPending={add.isPending}
        onSubmit={(entry, onSaved) => add.mutate(entry, { onSuccess: onSaved })}
      />
      {list.isError && <Notice onRetry={() => list.refetch()}>{errorMessage(list.error)}</Notice>}
      <Suggestions />
      {entries.length >= FILTER_FROM && (
        <Field
          hideLabel
          type="search"
          label="Search the vocabulary"
          placeholder={`Search ${entries.length} entries`}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      {list.isSuccess && entries.length === 0 && <p className="text-sm text-muted">No entries yet.</p>}
      {entries.length > 0 && shown.length === 0 && <p className="text-sm text-muted">No entry matches.</p>}
      <ul aria-label="Entries" className="divide-y divide-line border-y border-line empty:hidden">
        {shown.map((entry) => (
          <EntryRow key={entry.id} entry={entry} onRemove={() => onRemove(entry)} />
        ))}
      </ul>
    </Section>
  )
}
