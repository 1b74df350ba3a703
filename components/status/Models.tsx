"use client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { SpeechModel } from "#lib/domain/speech-models.ts"
import { client, errorMessage } from "../api/client.ts"
import { queryKeys } from "../api/query-keys.ts"
import { Button } from "../ui/Button.tsx"
import { capitalize, formatBytes } from "../ui/format.ts"
import { Notice } from "../ui/Notice.tsx"
import { Progress } from "../ui/Progress.tsx"

const POLL_MS = 1000

const STATE_LABELS: Readonly<Record<SpeechModel["state"], string>> = {
  absent: "not downloaded",
  partial: "partly downloaded",
  present: "downloaded",
  own: "added by you",
}

const isInstalled = ({ state }: SpeechModel): boolean => state === "present" || state === "own"

type ModelRowProps = { model: SpeechModel; isRequested: boolean; downloadsDisabled: boolean; onDownload: () => void }

const ModelRow = ({ model, isRequested, downloadsDisabled, onDownload }: ModelRowProps) => {
  const isDownloading = model.pulling || isRequested
  return (
    <li className="grid gap-1.5 py-3" data-model={model.name}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <div className="min-w-0 flex-1 basis-60">
          <p className="font-[580] [overflow-wrap:anywhere]">{model.name}</p>
          <p className="text-sm text-muted">{capitalize(model.purpose)}</p>
        </div>
        <p className="numeric text-sm text-muted">
          {isDownloading && model.fetched_bytes > 0
            ? `${formatBytes(model.fetched_bytes)} of ${formatBytes(model.bytes)}`
            : `${formatBytes(model.bytes)} · ${model.in_use ? "in use" : STATE_LABELS[model.state]}`}
        </p>
        {!isInstalled(model) && !downloadsDisabled && (
          <Button icon="save" disabled={isDownloading} onClick={onDownload}>
            {isDownloading ? "Downloading" : model.problem || model.state === "partial" ? "Resume" : "Download"}
          </Button>
        )}
      </div>
      {isDownloading && (
        <Progress
          value={model.fetched_bytes > 0 && model.bytes > 0 ? Math.min(1, model.fetched_bytes / model.bytes) : null}
          label={`Downloading ${model.name}`}
        />
      )}
      {model.problem && !isDownloading && (
        <p role="alert" className="text-sm text-bad [overflow-wrap:anywhere]">
          {capitalize(model.problem)}
        </p>
      )}
    </li>
  )
}

type ModelListProps = {
  id: string
  title: string
  children?: ReactNode
  models: readonly SpeechModel[]
  requested: string | undefined
  downloadsDisabled: boolean
  onDownload: (name: string) => void
}

const ModelList = ({ id, title, children, models, requested, downloadsDisabled, onDownload }: ModelListProps) => (
  <section aria-labelledby={id} className="grid min-w-0 content-start gap-3">
    <h2 id={id} className="text-xl font-[620]">
      {title}
    </h2>
    {children}
    <ul className="divide-y divide-line border-y border-line empty:hidden">
      {models.map((model) => (
        <ModelRow
          key={model.name}
          model={model}
          downloadsDisabled={downloadsDisabled}
          isRequested={requested === model.name}
          onDownload={() => onDownload(model.name)}
        />
      ))}
    </ul>
  </section>
)

/** The models for speech and embeddings with their download state. Missing ones can be downloaded. */
export const Models = () => {
  const queryClient = useQueryClient()
  const pull = useMutation({
    mutationFn: (name: string) => client.pullModel(name),
    // The mutation stays pending until the list shows the download.
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.models }),
  })
  const models = useQuery({
    queryKey: queryKeys.models,
    queryFn: ({ signal }) => client.models({ signal }),
    refetchInterval: ({ state }) => (state.data?.models.some((m) => m.pulling) ? POLL_MS : false),
  })
  const list = models.data?.models ?? []
  const shared = {
    requested: pull.isPending ? pull.variables : undefined,
    downloadsDisabled: models.data?.offline ?? false,
    onDownload: (name: string) => pull.mutate(name),
  }
  return (
    <>
      <ModelList id="models" title="Speech models" models={list.filter(({ use }) => use !== "embedding")} {...shared}>
        {models.isError && <Notice onRetry={() => models.refetch()}>{errorMessage(models.error)}</Notice>}
        {pull.isError && <Notice>{errorMessage(pull.error)}</Notice>}
        {models.isPending && <div aria-hidden="true" className="h-96" />}
        {models.data?.offline && (
          <p className="text-sm text-muted">
            Downloads are disabled by SERVICE_MODELS_OFFLINE. Unset it to download models here.
          </p>
        )}
      </ModelList>
      <ModelList
        id="embedding-models"
        title="Embedding models"
        models={list.filter(({ use }) => use === "embedding")}
        {...shared}
      >
        <p className="text-sm text-muted">
          With one of these, the map and search compare texts by meaning. Use a downloaded model with{" "}
          <code>npx earmark engines set embedder=NAME</code>.
        </p>
      </ModelList>
    </>
  )
}
