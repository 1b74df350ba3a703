"use client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import Link from "next/link"
import { type FormEvent, useId, useState } from "react"
import { ENGINES, PROVIDERS } from "#lib/domain/constants.ts"
import type { EngineName, ProviderName, TopicDetail } from "#lib/domain/jobs/jobs.ts"
import { client, errorMessage } from "../api/client.ts"
import { invalidateJobs, queryKeys } from "../api/query-keys.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { Notice } from "../ui/Notice.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { useExclusiveMutation } from "../ui/use-exclusive-mutation.ts"
import { PROVIDER_NAMES } from "./provider-names.ts"
import { useRecording } from "./recording-context.ts"
import { TopicDetailField } from "./topics/TopicDetailField.tsx"

type SpeechEngine = EngineName | "auto"
const ENGINE_LABELS: Readonly<Record<SpeechEngine, string>> = {
  auto: "Default",
  sherpa: "Sherpa",
  openai: "Server",
  pocketsphinx: "PocketSphinx",
}

type RerunScope = "topics" | "transcript"

/** A field for the transcription model that suggests the downloaded models. */
const SpeechModelField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => {
  const list = useId()
  const { data } = useQuery({ queryKey: queryKeys.models, queryFn: ({ signal }) => client.models({ signal }) })
  const installed = data?.models.filter((m) => m.use === "speech" && (m.state === "present" || m.state === "own")) ?? []
  return (
    <>
      <Field
        label="Transcription model"
        value={value}
        list={list}
        autoComplete="off"
        placeholder="Default of this installation"
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={list}>
        {installed.map((m) => (
          <option key={m.name} value={m.name} />
        ))}
      </datalist>
    </>
  )
}

const QueuedNotice = ({ job, onClose }: { job: string; onClose: () => void }) => (
  <div className="grid gap-4">
    <p className="text-soft">
      The job is queued. This page shows the result when the job is done. Use “Compare runs” to see what changed.
    </p>
    <div className="flex justify-end gap-2">
      <Link
        href={`/?job=${job}`}
        className="inline-flex h-9 items-center rounded-full px-3.5 text-sm font-[560] text-soft hover:bg-accent-wash"
      >
        View job
      </Link>
      <Button variant="primary" onClick={onClose}>
        Done
      </Button>
    </div>
  </div>
)

const RerunForm = ({ onClose }: { onClose: () => void }) => {
  const { clip, speakers } = useRecording()
  const queryClient = useQueryClient()
  const hasSource = clip.file_path !== null || clip.source_url !== null
  const [scope, setScope] = useState<RerunScope>("topics")
  const [engine, setEngine] = useState<SpeechEngine>("auto")
  const [speechModel, setSpeechModel] = useState("")
  const [speakerCount, setSpeakerCount] = useState("")
  const [provider, setProvider] = useState<ProviderName>(PROVIDERS.find((name) => name === clip.provider) ?? "builtin")
  const [model, setModel] = useState(clip.llm_model ?? "")
  const [detail, setDetail] = useState<TopicDetail>("normal")
  const count = Number(speakerCount)
  const run = useExclusiveMutation({
    mutationFn: () => {
      const topics = {
        provider,
        topic_detail: detail,
        ...(provider !== "builtin" && model.trim() && { llm_model: model.trim() }),
      }
      if (scope === "topics") return client.rerunTopics(clip.id, topics)
      return client.retranscribe(clip.id, {
        ...topics,
        speech_engine: engine,
        ...(speechModel.trim() && { whisper_model: speechModel.trim() }),
        ...(count >= 1 && { speakers: count }),
      })
    },
    onSuccess: () => {
      void invalidateJobs(queryClient, clip.id)
      void queryClient.invalidateQueries({ queryKey: queryKeys.topicRuns(clip.id) })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    run.mutate()
  }
  if (run.isSuccess) return <QueuedNotice job={run.data.job_id} onClose={onClose} />
  return (
    <form onSubmit={submit} className="grid gap-4">
      {hasSource && (
        <div className="grid justify-items-start gap-1.5">
          <Segmented
            label="What to re-run"
            value={scope}
            onChange={setScope}
            options={[
              { value: "topics", label: "Topics only" },
              { value: "transcript", label: "Transcript and topics" },
            ]}
          />
          <p className="text-sm text-muted">
            {scope === "topics"
              ? "Finds topics again in the current transcript, including your corrections."
              : "Transcribes the recording again, reapplies your corrections, and finds topics. Merged speakers become separate again."}
          </p>
        </div>
      )}
      {scope === "transcript" && (
        <>
          <div className="grid justify-items-start gap-1.5">
            <p className="text-sm font-[560]">Speech engine</p>
            <Segmented
              label="Speech engine"
              value={engine}
              onChange={setEngine}
              options={(["auto", ...ENGINES] as const).map((value) => ({ value, label: ENGINE_LABELS[value] }))}
            />
          </div>
          <div className="grid gap-4 sm:grid-cols-[1fr_8rem]">
            <div>
              <SpeechModelField value={speechModel} onChange={setSpeechModel} />
            </div>
            <Field
              label="Speakers"
              value={speakerCount}
              inputMode="numeric"
              placeholder={speakers.length > 0 ? `${speakers.length} found` : "unknown"}
              error={speakerCount && !(count >= 1 && count <= 50) ? "Enter a number from 1 to 50" : null}
              onChange={(event) => setSpeakerCount(event.target.value.replace(/\D/g, "").slice(0, 2))}
            />
          </div>
        </>
      )}
      <div className="grid justify-items-start gap-1.5">
        <p className="text-sm font-[560]">Topic engine</p>
        <Segmented
          label="Topic engine"
          value={provider}
          onChange={setProvider}
          options={PROVIDERS.map((value) => ({ value, label: PROVIDER_NAMES[value] }))}
        />
      </div>
      {provider !== "builtin" && (
        <Field
          label="Language model"
          value={model}
          placeholder="Default of this installation"
          hint={
            provider === "ollama"
              ? "Any model installed in Ollama. To install one, run: ollama pull gemma4"
              : "Any model that the server at SERVICE_OPENAI_BASE_URL offers"
          }
          onChange={(event) => setModel(event.target.value)}
        />
      )}
      <TopicDetailField value={detail} onChange={setDetail} usesModel={provider !== "builtin"} />
      {run.isError && <Notice>{errorMessage(run.error)}</Notice>}
      <div className="flex justify-end gap-2">
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" variant="primary" icon="retry" disabled={run.isPending}>
          {scope === "topics" ? "Re-run topics" : "Re-transcribe"}
        </Button>
      </div>
    </form>
  )
}

/** Starts a job that finds topics again, with or without transcribing again. */
export const RerunDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog
    open={open}
    onClose={onClose}
    title="Re-run"
    lead="Your corrections and topic edits are kept. You can compare the result with the previous run."
  >
    <RerunForm onClose={onClose} />
  </Dialog>
)
