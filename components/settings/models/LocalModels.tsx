"use client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { SpeechModel } from "#lib/domain/speech-models.ts"
import { client, errorMessage } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { formatBytes, formatCount } from "../../ui/format.ts"
import { Notice } from "../../ui/Notice.tsx"
import { notifyError } from "../../ui/toast-queue.ts"
import { Section } from "../Section.tsx"
import { ModelRow } from "./ModelRow.tsx"

const POLL_MS = 1000

const STATE_LABELS: Readonly<Record<SpeechModel["state"], string>> = {
  absent: "not downloaded",
  partial: "partly downloaded",
  present: "installed",
  own: "added by you",
}

const isInstalled = ({ state }: SpeechModel): boolean => state === "present" || state === "own"

type Actions = {
  requested: string | undefined
  offline: boolean
  onDownload: (m: string) => void
  onDelete: (m: SpeechModel) => void
}

const Row = ({ model, requested, offline, onDownload, onDelete }: Actions & { model: SpeechModel }) => (
  <ModelRow
    name={model.name}
    purpose={model.purpose}
    facts={`${formatBytes(model.bytes)} · ${model.in_use ? "in use" : STATE_LABELS[model.state]}`}
    isInstalled={isInstalled(model)}
    isDownloading={model.pulling || requested === model.name}
    fetched={model.fetched_bytes}
    total={model.bytes}
    problem={model.problem}
    onDownload={offline ? undefined : () => onDownload(model.name)}
    onDelete={() => onDelete(model)}
  />
)

const ROWS = "divide-y divide-line border-y border-line"

type GroupProps = Actions & { id: string; title: string; text: string; models: readonly SpeechModel[] }

/** Installed and downloading models, then the others, folded. */
const ModelGroup = ({ id, title, text, models, ...actions }: GroupProps) => {
  const isShown = (m: SpeechModel) => isInstalled(m) || m.pulling || m.state === "partial" || m.problem !== undefined
  const shown = models.filter(isShown)
  const others = models.filter((model) => !isShown(model))
  return (
    <Section id={id} title={title}>
      <p className="-mt-2 text-sm text-muted">{text}</p>
      {shown.length > 0 && (
        <ul className={ROWS}>
          {shown.map((model) => (
            <Row key={model.name} model={model} {...actions} />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <details open={shown.length === 0} className="group">
          <summary className="rounded-sm py-1 text-sm font-[560]">
            {shown.length === 0 ? "None installed. " : ""}
            {formatCount(others.length, "model")} to download
          </summary>
          <ul className={`mt-2 ${ROWS}`}>
            {others.map((model) => (
              <Row key={model.name} model={model} {...actions} />
            ))}
          </ul>
        </details>
      )}
    </Section>
  )
}

/** The models of this machine with their size on disk. Missing ones can be downloaded, and installed ones deleted. */
export const LocalModels = () => {
  const queryClient = useQueryClient()
  const [deleting, setDeleting] = useState<SpeechModel | null>(null)
  const reload = () =>
    Promise.all([queryKeys.models, queryKeys.engines].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  // The mutation stays pending until the list shows the download.
  const pull = useMutation({ mutationFn: (name: string) => client.pullModel(name), onSettled: reload })
  const remove = useMutation({
    mutationFn: (name: string) => client.removeModel(name),
    onError: (error) => notifyError(errorMessage(error)),
    onSettled: reload,
  })
  const models = useQuery({
    queryKey: queryKeys.models,
    queryFn: ({ signal }) => client.models({ signal }),
    refetchInterval: ({ state }) => (state.data?.models.some((m) => m.pulling) ? POLL_MS : false),
  })
  const list = models.data?.models ?? []
  const onDisk = list.reduce((sum, model) => sum + (isInstalled(model) ? model.bytes : model.fetched_bytes), 0)
  const actions: Actions = {
    requested: pull.isPending ? pull.variables : undefined,
    offline: models.data?.offline ?? false,
    onDownload: (name) => pull.mutate(name),
    onDelete: setDeleting,
  }
  return (
    <>
      {models.isError && <Notice onRetry={() => models.refetch()}>{errorMessage(models.error)}</Notice>}
      {pull.isError && <Notice>{errorMessage(pull.error)}</Notice>}
      {models.isPending && <div aria-hidden="true" className="h-96" />}
      {models.data && (
        <p className="text-sm text-muted" data-disk-use>
          Models take <span className="numeric font-[600] text-ink">{formatBytes(onDisk)}</span> on this machine.
          {models.data.offline &&
            " Downloads are disabled by SERVICE_MODELS_OFFLINE. Unset it to download models here."}
        </p>
      )}
      {models.data && (
        <>
          <ModelGroup
            id="models"
            title="Speech models"
            text="Transcribe recordings and tell speakers apart."
            models={list.filter(({ use }) => use !== "embedding")}
            {...actions}
          />
          <ModelGroup
            id="embedding-models"
            title="Embedding models"
            text="Compare texts by meaning, without a server. Choose one under Engines."
            models={list.filter(({ use }) => use === "embedding")}
            {...actions}
          />
        </>
      )}
      {deleting && (
        <Dialog open onClose={() => setDeleting(null)} title={`Delete ${deleting.name}?`}>
          <div className="grid gap-4">
            <p className="text-soft">
              This frees {formatBytes(deleting.bytes)}.{" "}
              {deleting.state === "own"
                ? "You added this model yourself, so that Earmark cannot download it again."
                : "It can be downloaded again."}
            </p>
            <div className="flex justify-end gap-2">
              <Button onClick={() => setDeleting(null)}>Cancel</Button>
              <Button
                variant="primary"
                data-first
                onClick={() => {
                  remove.mutate(deleting.name)
                  setDeleting(null)
                }}
              >
                Delete model
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  )
}
