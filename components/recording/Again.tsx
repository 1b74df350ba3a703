"use client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import Link from "next/link"
import { type FormEvent, useState } from "react"
import { PROVIDERS, type ProviderName } from "#lib/contracts/jobs.ts"
import { client, sentence } from "../api.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { useInHand } from "./context.ts"

const LABELS: Readonly<Record<ProviderName, string>> = { ollama: "Ollama", builtin: "Built in" }

const Form = ({ onClose }: { onClose: () => void }) => {
  const { clip } = useInHand()
  const queries = useQueryClient()
  const [provider, setProvider] = useState<ProviderName>(clip.provider === "ollama" ? "ollama" : "builtin")
  const [model, setModel] = useState(clip.llm_model ?? "")
  const run = useMutation({
    mutationFn: () =>
      client.rerunTopics(clip.id, {
        provider,
        ...(provider === "ollama" && model.trim() && { llm_model: model.trim() }),
      }),
    onSuccess: () => {
      for (const key of [["jobs"], ["runs", clip.id], ["topic-runs", clip.id]])
        void queries.invalidateQueries({ queryKey: key })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run.mutate()
  }
  if (run.isSuccess)
    return (
      <div className="grid gap-4">
        <p className="text-soft">
          It is in the queue. When it is done this page shows the new topics, and “Compare runs” shows what became of
          the old ones.
        </p>
        <div className="flex justify-end gap-2">
          <Link
            href={`/?job=${run.data.job_id}`}
            className="inline-flex h-9 items-center rounded-full px-3.5 text-sm font-[560] text-soft hover:bg-accent-wash"
          >
            Watch it
          </Link>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    )
  return (
    <form onSubmit={submit} className="grid gap-4">
      <div className="grid justify-items-start gap-1.5">
        <p className="text-sm font-[560]">Who finds and names the topics</p>
        <Segmented
          label="Engine"
          value={provider}
          onChange={setProvider}
          options={PROVIDERS.map((value) => ({ value, label: LABELS[value] }))}
        />
      </div>
      {provider === "ollama" && (
        <Field
          label="Model"
          value={model}
          placeholder="the one that is set for this installation"
          hint="Any model that the Ollama server has; fetch one with: ollama pull gemma4"
          onChange={(event) => setModel(event.target.value)}
        />
      )}
      {run.isError && <Notice>{sentence(run.error)}</Notice>}
      <div className="flex justify-end gap-2">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" icon="retry" disabled={run.isPending}>
          Run again
        </Button>
      </div>
    </form>
  )
}

/** Makes the topics anew from the transcript as it stands, corrections included. */
export const Again = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog
    open={open}
    onClose={onClose}
    title="Make the topics anew"
    lead="From the words as they stand, with your corrections. What you wrote over topics stays."
  >
    <Form onClose={onClose} />
  </Dialog>
)
