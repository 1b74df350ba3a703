"use client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { SpeechModel } from "#lib/domain/speech-models.ts"
import { client, errorMessage } from "../api/client.ts"
import { Button } from "../ui/Button.tsx"
import { capitalize, formatBytes } from "../ui/format.ts"
import { Notice } from "../ui/Notice.tsx"
import { Progress } from "../ui/Progress.tsx"

const POLL_MS = 1000

const STATE_LABELS: Readonly<Record<SpeechModel["state"], string>> = {
  absent: "not here",
  partial: "partly here",
  present: "here",
  own: "your own",
}

const isInstalled = ({ state }: SpeechModel): boolean => state === "present" || state === "own"

type ModelRowProps = { model: SpeechModel; isRequested: boolean; downloadsDisabled: boolean; onDownload: () => void }

const ModelRow = ({ model, isRequested: asked, downloadsDisabled: offline, onDownload: onPull }: ModelRowProps) => {
  const busy = model.pulling || asked
  return (
    <li className="grid gap-1.5 py-3" data-model={model.name}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <div className="min-w-0 flex-1 basis-60">
          <p className="font-[580] [overflow-wrap:anywhere]">{model.name}</p>
          <p className="text-sm text-muted">{model.purpose}</p>
        </div>
        <p className="numeric text-sm text-muted">
          {busy && model.fetched_bytes > 0
            ? `${formatBytes(model.fetched_bytes)} of ${formatBytes(model.bytes)}`
            : `${formatBytes(model.bytes)} · ${STATE_LABELS[model.state]}`}
        </p>
        {!isInstalled(model) && !offline && (
          <Button icon="save" disabled={busy} onClick={onPull}>
            {busy ? "Coming" : model.problem || model.state === "partial" ? "Go on" : "Download"}
          </Button>
        )}
      </div>
      {busy && (
        <Progress
          value={model.fetched_bytes > 0 && model.bytes > 0 ? Math.min(1, model.fetched_bytes / model.bytes) : null}
          label={`Downloading ${model.name}`}
        />
      )}
      {model.problem && !busy && (
        <p role="alert" className="text-sm text-bad [overflow-wrap:anywhere]">
          {capitalize(model.problem)}
        </p>
      )}
    </li>
  )
}

/** The models for hearing: which are here, which can be fetched, and how far those are that come just now. */
export const SpeechModels = () => {
  const queries = useQueryClient()
  const pull = useMutation({
    mutationFn: (name: string) => client.pullModel(name),
    // It counts as asked for until the list says what became of it.
    onSettled: () => queries.invalidateQueries({ queryKey: ["models"] }),
  })
  const models = useQuery({
    queryKey: ["models"],
    queryFn: ({ signal }) => client.models({ signal }),
    refetchInterval: ({ state }) => (state.data?.models.some((m) => m.pulling) ? POLL_MS : false),
  })
  return (
    <section aria-labelledby="models" className="grid min-w-0 content-start gap-3">
      <h2 id="models" className="text-xl font-[620]">
        Models for hearing
      </h2>
      {models.isError && <Notice onRetry={() => models.refetch()}>{errorMessage(models.error)}</Notice>}
      {pull.isError && <Notice>{errorMessage(pull.error)}</Notice>}
      {models.isPending && <div aria-hidden="true" className="h-96" />}
      {models.data?.offline && (
        <p className="text-sm text-muted">
          SERVICE_MODELS_OFFLINE is set: nothing is fetched here. Without it, each of these comes at a click.
        </p>
      )}
      <ul className="divide-y divide-line border-y border-line empty:hidden">
        {models.data?.models.map((model) => (
          <ModelRow
            key={model.name}
            model={model}
            downloadsDisabled={models.data.offline}
            isRequested={pull.isPending && pull.variables === model.name}
            onDownload={() => pull.mutate(model.name)}
          />
        ))}
      </ul>
    </section>
  )
}
