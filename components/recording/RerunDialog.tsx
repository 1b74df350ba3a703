"use client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import Link from "next/link"
import { type FormEvent, useId, useState } from "react"
import { ENGINES, PROVIDERS } from "#lib/domain/constants.ts"
import type { EngineName, ProviderName } from "#lib/domain/jobs/jobs.ts"
import { client, errorMessage } from "../api/client.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { useExclusiveMutation } from "../ui/use-exclusive-mutation.ts"
import { useRecording } from "./recording-context.ts"

const PROVIDER_LABELS: Readonly<Record<ProviderName, string>> = { ollama: "Ollama", builtin: "Built in" }

type SpeechEngine = EngineName | "auto"
const ENGINE_LABELS: Readonly<Record<SpeechEngine, string>> = {
  auto: "Default",
  sherpa: "Sherpa",
  openai: "Server",
  pocketsphinx: "PocketSphinx",
}

type RerunScope = "words" | "sound"

/** Which models of hearing are here; others can be fetched on the page of the status. */
const SpeechModelField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => {
  const list = useId()
  const { data } = useQuery({ queryKey: ["models"], queryFn: ({ signal }) => client.models({ signal }) })
  const here = data?.models.filter((m) => m.use === "speech" && (m.state === "present" || m.state === "own")) ?? []
  return (
    <>
      <Field
        label="Model for hearing"
        value={value}
        list={list}
        autoComplete="off"
        placeholder="the one that is set for this installation"
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={list}>
        {here.map((m) => (
          <option key={m.name} value={m.name} />
        ))}
      </datalist>
    </>
  )
}

const Queued = ({ job, onClose }: { job: string; onClose: () => void }) => (
  <div className="grid gap-4">
    <p className="text-soft">
      It is in the queue. When it is done this page shows what came of it, and “Compare runs” what became of the topics.
    </p>
    <div className="flex justify-end gap-2">
      <Link
        href={`/?job=${job}`}
        className="inline-flex h-9 items-center rounded-full px-3.5 text-sm font-[560] text-soft hover:bg-accent-wash"
      >
        Watch it
      </Link>
      <Button variant="primary" onClick={onClose}>
        Done
      </Button>
    </div>
  </div>
)

const RerunForm = ({ onClose }: { onClose: () => void }) => {
  const { clip, speakers } = useRecording()
  const queries = useQueryClient()
  const heard = clip.file_path !== null || clip.source_url !== null
  const [from, setFrom] = useState<RerunScope>("words")
  const [engine, setEngine] = useState<SpeechEngine>("auto")
  const [speech, setSpeech] = useState("")
  const [speakerCount, setSpeakerCount] = useState("")
  const [provider, setProvider] = useState<ProviderName>(clip.provider === "ollama" ? "ollama" : "builtin")
  const [model, setModel] = useState(clip.llm_model ?? "")
  const count = Number(speakerCount)
  const run = useExclusiveMutation({
    mutationFn: () => {
      const topics = { provider, ...(provider === "ollama" && model.trim() && { llm_model: model.trim() }) }
      if (from === "words") return client.rerunTopics(clip.id, topics)
      return client.retranscribe(clip.id, {
        ...topics,
        speech_engine: engine,
        ...(speech.trim() && { whisper_model: speech.trim() }),
        ...(count >= 1 && { speakers: count }),
      })
    },
    onSuccess: () => {
      for (const key of [["jobs"], ["runs", clip.id], ["topic-runs", clip.id]])
        void queries.invalidateQueries({ queryKey: key })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run.mutate()
  }
  if (run.isSuccess) return <Queued job={run.data.job_id} onClose={onClose} />
  return (
    <form onSubmit={submit} className="grid gap-4">
      {heard && (
        <div className="grid justify-items-start gap-1.5">
          <Segmented
            label="What to begin from"
            value={from}
            onChange={setFrom}
            options={[
              { value: "words", label: "From the words" },
              { value: "sound", label: "Listen again" },
            ]}
          />
          <p className="text-sm text-muted">
            {from === "words"
              ? "Finds the topics anew in the words as they stand, with your corrections."
              : "Hears the recording once more, puts your corrections into the new words, and finds the topics in them. Two speakers that you made one are told apart anew."}
          </p>
        </div>
      )}
      {from === "sound" && (
        <>
          <div className="grid justify-items-start gap-1.5">
            <p className="text-sm font-[560]">Who listens</p>
            <Segmented
              label="Who listens"
              value={engine}
              onChange={setEngine}
              options={(["auto", ...ENGINES] as const).map((value) => ({ value, label: ENGINE_LABELS[value] }))}
            />
          </div>
          <div className="grid gap-4 sm:grid-cols-[1fr_8rem]">
            <div>
              <SpeechModelField value={speech} onChange={setSpeech} />
            </div>
            <Field
              label="Speakers"
              value={speakerCount}
              inputMode="numeric"
              placeholder={speakers.length > 0 ? `${speakers.length} heard` : "unknown"}
              error={speakerCount && !(count >= 1 && count <= 50) ? "1 to 50" : null}
              onChange={(event) => setSpeakerCount(event.target.value.replace(/\D/g, "").slice(0, 2))}
            />
          </div>
        </>
      )}
      <div className="grid justify-items-start gap-1.5">
        <p className="text-sm font-[560]">Who finds and names the topics</p>
        <Segmented
          label="Engine"
          value={provider}
          onChange={setProvider}
          options={PROVIDERS.map((value) => ({ value, label: PROVIDER_LABELS[value] }))}
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
      {run.isError && <Notice>{errorMessage(run.error)}</Notice>}
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" icon="retry" disabled={run.isPending}>
          {from === "words" ? "Run again" : "Listen again"}
        </Button>
      </div>
    </form>
  )
}

/** Makes the topics anew, from the words as they stand or from the sound. */
export const RerunDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog
    open={open}
    onClose={onClose}
    title="Run it again"
    lead="What you corrected and wrote over topics stays, and the run before can be compared."
  >
    <RerunForm onClose={onClose} />
  </Dialog>
)
