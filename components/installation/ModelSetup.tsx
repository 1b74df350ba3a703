"use client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import Link from "next/link"
import type { ReactNode } from "react"
import { parseEngineValue } from "#lib/domain/engine-value.ts"
import type { EngineGroup, EngineOption } from "#lib/domain/engines.ts"
import { client, errorMessage } from "../api/client.ts"
import { queryKeys } from "../api/query-keys.ts"
import { Button } from "../ui/Button.tsx"
import { formatBytes } from "../ui/format.ts"
import { Icon } from "../ui/Icon.tsx"
import { Progress } from "../ui/Progress.tsx"
import { WithCode } from "../ui/WithCode.tsx"

/** What transcription with the default speech model needs. */
const SPEECH_MODELS = ["parakeet-tdt-0.6b-v3-int8", "silero-vad", "speaker-segmentation", "speaker-embedding"]
const LANGUAGE_MODEL = "gemma4"
const POLL_MS = 1000

const useModels = () =>
  useQuery({
    queryKey: queryKeys.models,
    queryFn: ({ signal }) => client.models({ signal }),
    refetchInterval: ({ state }) => (state.data?.models.some((m) => m.pulling) ? POLL_MS : false),
  })

const useModelServers = () =>
  useQuery({
    queryKey: queryKeys.modelServers,
    queryFn: ({ signal }) => client.modelServers({ signal }),
    refetchInterval: ({ state }) =>
      state.data?.servers.some(({ models }) => models.some(({ pulling }) => pulling)) ? POLL_MS : false,
  })

type StepProps = {
  title: string
  text: string
  isDone: boolean
  progress?: { readonly done: number; readonly total: number } | null
  problem?: string | undefined
  children?: ReactNode
}

const Step = ({ title, text, isDone, progress, problem, children }: StepProps) => (
  <li className="grid gap-2 py-3.5">
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex items-center gap-1.5 font-[600]">
          {title}
          {isDone && <Icon name="check" size={16} className="text-good" />}
        </p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">{text}</p>
      </div>
      {children}
    </div>
    {progress && (
      <Progress value={progress.total > 0 ? progress.done / progress.total : null} label={`Downloading for ${title}`} />
    )}
    {problem && (
      <p className="text-sm text-bad [overflow-wrap:anywhere]">
        <WithCode>{problem}</WithCode>
      </p>
    )}
  </li>
)

/** The speech model: how much of it is here, and a button that downloads the rest. */
const SpeechStep = ({ chosen }: { chosen: string | undefined }) => {
  const queryClient = useQueryClient()
  const models = useModels()
  const needed = models.data?.models.filter(({ name }) => SPEECH_MODELS.includes(name)) ?? []
  const pull = useMutation({
    mutationFn: async () => {
      for (const { name, state } of needed) if (state !== "present") await client.pullModel(name)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.models }),
  })
  if (!models.data || chosen === "openai") return null
  const total = needed.reduce((sum, { bytes }) => sum + bytes, 0)
  const done = needed.reduce(
    (sum, { state, bytes, fetched_bytes }) => sum + (state === "present" ? bytes : fetched_bytes),
    0,
  )
  const isDone = needed.every(({ state }) => state === "present")
  const isRunning = pull.isPending || needed.some(({ pulling }) => pulling)
  const { offline } = models.data
  const text = isDone
    ? "The speech model is installed: 25 languages, with speakers."
    : isRunning
      ? `${formatBytes(done)} of ${formatBytes(total)}`
      : `A speech model for 25 languages that tells speakers apart: ${formatBytes(total - done)}${offline ? ". Downloads are disabled by SERVICE_MODELS_OFFLINE" : ""}`
  return (
    <Step
      title="Better words"
      text={text}
      isDone={isDone}
      progress={isRunning ? { done, total } : null}
      problem={pull.error ? errorMessage(pull.error) : needed.find(({ problem }) => problem)?.problem}
    >
      {!isDone && !offline && (
        <Button icon="save" disabled={isRunning} onClick={() => pull.mutate()}>
          {isRunning ? "Downloading" : done > 0 ? "Resume" : "Download"}
        </Button>
      )}
    </Step>
  )
}

/** The language model: whether Ollama is there and has one, and a button for the next step. */
const LanguageStep = ({ group }: { group: EngineGroup | undefined }) => {
  const queryClient = useQueryClient()
  const servers = useModelServers()
  const reload = () =>
    Promise.all(
      [queryKeys.modelServers, queryKeys.engines, queryKeys.installation].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
  const pull = useMutation({ mutationFn: () => client.pullModel(LANGUAGE_MODEL), onSettled: reload })
  const use = useMutation({
    mutationFn: (option: EngineOption) => client.chooseEngine("provider", { value: option.value }),
    onSettled: reload,
  })
  if (!servers.data || !group) return null
  const ready = group.options.find(({ value, state }) => value !== "builtin" && state === "ready")
  const isDone = group.chosen !== null && group.chosen.value !== "builtin"
  const ollama = servers.data.servers.find(({ provider }) => provider === "ollama")
  const pulling = ollama?.models.find((model) => model.pulling && model.use === "language")
  const failed = ollama?.models.find((model) => model.use === "language" && model.problem !== undefined)
  const isFound = ollama?.state === "ok"
  const text = isDone
    ? `Topics and answers are written by ${group.chosen && parseEngineValue(group.chosen.value).engine === "ollama" ? "Ollama" : "your model server"}.`
    : pulling
      ? `${formatBytes(pulling.fetched_bytes)}${pulling.bytes === null ? "" : ` of ${formatBytes(pulling.bytes)}`}`
      : ready
        ? `${ready.name} is ready: ${ready.detail}`
        : isFound
          ? `Ollama is running. It needs a language model, such as ${LANGUAGE_MODEL}.`
          : "A language model writes better titles and answers. Ollama is not found on this machine."
  return (
    <Step
      title="Better titles"
      text={text}
      isDone={isDone}
      progress={pulling ? { done: pulling.fetched_bytes, total: pulling.bytes ?? 0 } : null}
      problem={pull.error ? errorMessage(pull.error) : use.error ? errorMessage(use.error) : failed?.problem}
    >
      {!isDone && !pulling && ready && group.setting === null && (
        <Button disabled={use.isPending} onClick={() => use.mutate(ready)}>
          Use {ready.name}
        </Button>
      )}
      {!isDone && !pulling && !ready && isFound && ollama.can_pull && (
        <Button icon="save" disabled={pull.isPending} onClick={() => pull.mutate()}>
          Download {LANGUAGE_MODEL}
        </Button>
      )}
      {!isDone && !isFound && !ready && (
        <div className="flex flex-wrap gap-2">
          <Button icon="retry" disabled={servers.isFetching} onClick={() => void reload()}>
            {servers.isFetching ? "Checking…" : "Check again"}
          </Button>
          <a
            href="https://ollama.com/download"
            target="_blank"
            rel="noreferrer"
            className="inline-flex h-9 items-center rounded-full px-2 text-sm font-[560] text-accent underline-offset-4 hover:underline"
          >
            Get Ollama
          </a>
        </div>
      )}
    </Step>
  )
}

/** Offers what makes results better, with a button for each: a speech model and a language model. */
export const ModelSetup = () => {
  const engines = useQuery({ queryKey: queryKeys.engines, queryFn: ({ signal }) => client.engines({ signal }) })
  const groupOf = (kind: EngineGroup["kind"]) => engines.data?.engines.find((group) => group.kind === kind)
  return (
    <section aria-labelledby="model-setup" className="rounded-lg border border-line bg-surface px-5 pt-4 pb-2">
      <h2 id="model-setup" className="text-lg font-[620]">
        Get better results
      </h2>
      <p className="text-sm text-muted">
        Earmark works as it is. Models make it better, and run on your machine.{" "}
        <Link href="/settings/models" className="rounded-sm text-ink underline underline-offset-4">
          All models
        </Link>
      </p>
      {engines.isPending && <p className="animate-pulse py-6 text-sm text-muted">Looking for models…</p>}
      {engines.isError && <p className="py-4 text-sm text-bad">{errorMessage(engines.error)}</p>}
      {engines.data && (
        <ul className="mt-1 divide-y divide-line">
          <SpeechStep chosen={groupOf("speech")?.chosen?.value} />
          <LanguageStep group={groupOf("provider")} />
        </ul>
      )}
    </section>
  )
}
