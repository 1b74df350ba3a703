"use client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import type { Template, TemplatePatch, TemplateRequest } from "#lib/api/client/types.ts"
import { MAX_PROMPT_CHARS } from "#lib/domain/constants.ts"
import { client, errorMessage } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { useTemplates } from "../../recording/summaries/use-summaries.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { Field, TextField } from "../../ui/Field.tsx"
import { Notice } from "../../ui/Notice.tsx"
import { notify, notifyError } from "../../ui/toast-queue.ts"
import { Section } from "../Section.tsx"

const useTemplateChange = <T,>(change: (given: T) => Promise<unknown>) => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.templates }),
  })
}

type TemplateFormProps = {
  initial?: Template
  submitLabel: string
  error: string | null
  isPending: boolean
  onSubmit: (request: TemplateRequest, onSaved: () => void) => void
  onCancel?: () => void
}

const TemplateForm = ({ initial, submitLabel, error, isPending, onSubmit, onCancel }: TemplateFormProps) => {
  const [name, setName] = useState(initial?.name ?? "")
  const [prompt, setPrompt] = useState(initial?.prompt ?? "")
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit({ name, prompt }, () => {
      setName("")
      setPrompt("")
    })
  }
  return (
    <form onSubmit={submit} className="grid max-w-[44rem] gap-3">
      <Field
        label="Name"
        value={name}
        maxLength={100}
        error={error}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="What to write"
        placeholder="List the questions that stayed open, each as one sentence."
        hint="Each line must come from something that was said. Lines that do not are left out."
        value={prompt}
        maxLength={MAX_PROMPT_CHARS}
        rows={3}
        onChange={(event) => setPrompt(event.target.value)}
      />
      <div className="flex gap-2">
        <Button
          type="submit"
          variant="primary"
          className="max-sm:h-11"
          disabled={isPending || !name.trim() || !prompt.trim()}
        >
          {submitLabel}
        </Button>
        {onCancel && (
          <Button variant="quiet" className="max-sm:h-11" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  )
}

const TemplateRow = ({ template }: { template: Template }) => {
  const [isEditing, setEditing] = useState(false)
  const onError = (error: unknown) => notifyError(errorMessage(error))
  const edit = useTemplateChange((patch: TemplatePatch) => client.editTemplate(template.id, patch))
  const remove = useTemplateChange(() => client.deleteTemplate(template.id))
  const restore = useTemplateChange((request: TemplateRequest) => client.createTemplate(request))
  const { name, prompt, description, after_jobs, is_own } = template
  if (isEditing)
    return (
      <li className="py-4">
        <TemplateForm
          initial={template}
          submitLabel="Save"
          error={edit.isError ? errorMessage(edit.error) : null}
          isPending={edit.isPending}
          onSubmit={({ name, prompt }) => edit.mutate({ name, prompt }, { onSuccess: () => setEditing(false) })}
          onCancel={() => setEditing(false)}
        />
      </li>
    )
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-[580] [overflow-wrap:anywhere]">
          <bdi>{name}</bdi>
        </p>
        <p className="line-clamp-2 text-sm [overflow-wrap:anywhere] text-muted">{description || prompt}</p>
      </div>
      <label className="flex min-h-9 items-center gap-2 text-sm max-sm:min-h-11">
        <input
          type="checkbox"
          checked={after_jobs}
          disabled={edit.isPending}
          onChange={(event) => edit.mutate({ after_jobs: event.target.checked }, { onError })}
          className="size-4 accent-(--accent)"
        />
        <span>
          After every job<span className="sr-only">: {name}</span>
        </span>
      </label>
      {is_own && (
        <div className="flex">
          <IconButton name="edit" label={`Edit ${name}`} className="max-sm:size-11" onClick={() => setEditing(true)} />
          <IconButton
            name="trash"
            label={`Delete ${name}`}
            className="max-sm:size-11"
            onClick={() =>
              remove.mutate(undefined, {
                onError,
                onSuccess: () =>
                  notify(`“${name}” deleted`, () =>
                    restore.mutate({ name, prompt: prompt ?? "", after_jobs }, { onError }),
                  ),
              })
            }
          />
        </div>
      )}
    </li>
  )
}

/** The templates of summaries: which run after every job, and own ones. */
export const TemplatesSection = () => {
  const list = useTemplates()
  const create = useTemplateChange((request: TemplateRequest) => client.createTemplate(request))
  const templates = list.data?.templates ?? []
  return (
    <Section id="templates" title="Templates">
      <p className="max-w-[44rem] text-sm text-muted">
        What summaries of recordings contain. They are made on the page of a recording, or after every job that finds
        topics. Without a language model, action items and decisions are found by cue words in English recordings.
      </p>
      {list.isError && <Notice onRetry={() => list.refetch()}>{errorMessage(list.error)}</Notice>}
      <ul aria-label="Templates" className="divide-y divide-line border-y border-line empty:hidden">
        {templates.map((template) => (
          <TemplateRow key={template.id} template={template} />
        ))}
      </ul>
      <h3 className="pt-2 text-base font-[620]">A template of your own</h3>
      <p className="max-w-[44rem] text-sm text-muted">
        Needs a language model (Ollama or an OpenAI-compatible server).
      </p>
      <TemplateForm
        submitLabel="Create"
        error={create.isError ? errorMessage(create.error) : null}
        isPending={create.isPending}
        onSubmit={(request, onSaved) => create.mutate(request, { onSuccess: onSaved })}
      />
    </Section>
  )
}
