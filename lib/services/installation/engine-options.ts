import { parseEngineValue } from "../../domain/engine-value.ts"
import { type EngineGroup, type EngineOption, MAX_LISTED_MODELS } from "../../domain/engines.ts"
import type { ChoiceKind, EngineChoiceMade } from "../../domain/installation.ts"
import type { ModelServer, ModelUse } from "../../domain/model-servers.ts"
import { fullModelName } from "../../engines/language/ollama/index.ts"
import { findModel } from "../../engines/models/catalog.ts"
import { openModelRegistry, probeEngines } from "../../engines/speech/index.ts"
import { type Deps, requireStore } from "../deps.ts"
import { CHOICE_KINDS, findEngineSetting } from "./engine-choices.ts"
import { listModelServers } from "./model-servers.ts"
import { listReceivers } from "./receivers.ts"
import { describeSentenceModels } from "./sentence-models.ts"

type Expectation = Pick<EngineOption, "name" | "quality" | "speed">

const BUILTIN: Readonly<Record<"provider" | "embedder", Expectation>> = {
  provider: {
    name: "Built in",
    quality: "Titles are phrases that were said, and answers quote your sources",
    speed: "Seconds per hour of speech",
  },
  embedder: { name: "Built in", quality: "Compares words", speed: "Thousands of texts per second" },
}

const ON_SERVER: Readonly<Record<"provider" | "embedder", Pick<EngineOption, "quality" | "speed">>> = {
  provider: {
    quality: "Better topics, titles, summaries and answers, written by the model",
    speed: "Minutes per hour of speech, depending on the model and its computer",
  },
  embedder: { quality: "Compares texts by meaning", speed: "Depends on the model and its computer" },
}

const SPEECH: Readonly<Record<string, Expectation>> = {
  openai: {
    name: "Speech server",
    quality: "Depends on the model of the server",
    speed: "Depends on the computer of the server",
  },
  sherpa: {
    name: "Parakeet and Whisper (sherpa-onnx)",
    quality: "Good in 25 languages, fair in 99; tells speakers apart",
    speed: "Many times faster than speech",
  },
  pocketsphinx: {
    name: "PocketSphinx",
    quality: "Basic, only English; does not tell speakers apart",
    speed: "Up to the duration of the recording",
  },
}

/** Lists the engines of each kind with what to expect of them, and whether they can run here. */
export const listEngines = async (deps: Deps): Promise<EngineGroup[]> => {
  requireStore(deps)
  const [servers, ...choices] = await Promise.all([
    listModelServers(deps),
    ...CHOICE_KINDS.map(async (kind) => [kind, await findChosen(deps, kind)] as const),
  ])
  const chosen = Object.fromEntries(choices) as Record<ChoiceKind, EngineChoiceMade | null>
  const [provider, embedder, speech] = await Promise.all([
    listProviders(deps, servers, chosen.provider),
    listEmbedders(deps, servers, chosen.embedder),
    listSpeechEngines(deps),
  ])
  const options = { provider, embedder, speech }
  return Promise.all(
    CHOICE_KINDS.map(async (kind) => ({
      kind,
      chosen: chosen[kind],
      setting: findEngineSetting(deps.config, kind),
      options: options[kind].map((option) => ({ ...option, sends_to: findReceiver(deps, kind, option.value) })),
    })),
  )
}

const findChosen = ({ engines }: Deps, kind: ChoiceKind): Promise<EngineChoiceMade | null> =>
  engines.getChoice(kind).then(
    ({ value, reason, chosen_at }) => ({ value, reason, chosen_at: new Date(chosen_at).toISOString() }),
    () => null,
  )

const findReceiver = ({ config }: Deps, kind: ChoiceKind, value: string): string | null =>
  listReceivers(config, { [kind]: value })[0]?.host ?? null

type Option = Omit<EngineOption, "sends_to">

const builtin = (kind: "provider" | "embedder"): Option => ({
  value: "builtin",
  ...BUILTIN[kind],
  state: "ready",
  detail: "Runs in Earmark",
  bytes: 0,
  models: [],
})

/** Describes a model server as an engine: which model it uses or would use, or what is missing. */
const serverOption = (
  kind: "provider" | "embedder",
  value: "ollama" | "openai",
  server: ModelServer | undefined,
  { named, chosen }: { readonly named: string; readonly chosen: EngineChoiceMade | null },
): Option => {
  const use: ModelUse = kind === "provider" ? "language" : "embedding"
  const name = value === "ollama" ? "Ollama" : "Model server"
  const common = { value, name, ...ON_SERVER[kind], bytes: null, models: [] }
  const choice = chosen && parseEngineValue(chosen.value)
  const chosenModel = choice?.engine === value ? choice.model : null
  if (!server)
    return {
      ...common,
      state: "unavailable",
      detail: "Set SERVICE_OPENAI_BASE_URL to the address of an OpenAI-compatible server.",
    }
  if (server.state === "down")
    return { ...common, state: "unavailable", detail: server.problem ?? "The server does not answer." }
  const models = server.models.filter((model) => model.use === use && model.state === "present")
  const offered = { ...common, models: models.slice(0, MAX_LISTED_MODELS).map(({ name }) => name) }
  if (value === "ollama") {
    const wanted = chosenModel ?? named
    const model = models.find(({ name }) => fullModelName(name) === fullModelName(wanted))
    if (model) return { ...offered, bytes: model.bytes, state: "ready", detail: `${wanted} on ${server.url}` }
    const missing = `The model ${wanted} is not pulled on ${server.url}.`
    return models.length > 0
      ? { ...offered, state: "ready", detail: `${missing} Choose one that is.` }
      : {
          ...offered,
          state: "unavailable",
          detail: `${missing} Download it under Models, or run: npx earmark models pull ${wanted}`,
        }
  }
  const only = models.find(({ in_use }) => in_use) ?? (models.length === 1 ? models[0] : undefined)
  const used = chosenModel ?? only?.name ?? "The model of the settings"
  return { ...offered, state: "ready", detail: `${used} on ${server.url}` }
}

const findServer = (servers: readonly ModelServer[], provider: ModelServer["provider"], use: ModelUse) =>
  servers.find((server) => server.provider === provider && server.uses.includes(use))

const listProviders = async (
  { config }: Deps,
  servers: readonly ModelServer[],
  chosen: EngineChoiceMade | null,
): Promise<Option[]> => {
  const names = { named: config.models.llmModel, chosen }
  return [
    serverOption("provider", "openai", findServer(servers, "openai", "language"), names),
    serverOption("provider", "ollama", findServer(servers, "ollama", "language"), names),
    builtin("provider"),
  ]
}

const listEmbedders = async (
  { config }: Deps,
  servers: readonly ModelServer[],
  chosen: EngineChoiceMade | null,
): Promise<Option[]> => [
  ...(["openai", "ollama"] as const).map((value) =>
    serverOption("embedder", value, findServer(servers, value, "embedding"), {
      named: config.models.embedModel,
      chosen,
    }),
  ),
  ...(await describeSentenceModels(config)).map(
    ({ name, purpose, bytes, isInstalled, problem }): Option => ({
      value: name,
      name,
      quality: purpose,
      speed: SENTENCE_SPEEDS[name] ?? "Depends on the model",
      bytes,
      models: [],
      state: problem !== null ? "unavailable" : isInstalled ? "ready" : "download",
      detail: problem ?? (isInstalled ? "Installed" : `${Math.round(bytes / 1e6)} MB to download on first use`),
    }),
  ),
  builtin("embedder"),
]

/** Measured with `npm run bench -- embedding`; see docs/embedding.md. */
const SENTENCE_SPEEDS: Readonly<Record<string, string>> = {
  "multilingual-e5-small": "About 14 texts per second and core",
  "gte-small": "About 16 texts per second and core",
  "all-minilm-l6-v2": "About 30 texts per second and core",
}

const listSpeechEngines = async ({ config, log }: Deps): Promise<Option[]> => {
  const model = findModel(config.speech.model ?? "parakeet")
  const missing = model === null ? 0 : await openModelRegistry(config).missingBytes([model.name])
  return (await probeEngines(config, log)).map(({ name, probe }): Option => {
    const hasModels = name === "sherpa"
    return {
      value: name,
      ...(SPEECH[name] ?? { name, quality: "", speed: "" }),
      models: [],
      bytes: hasModels ? (model?.bytes ?? null) : name === "openai" ? null : 0,
      state: !probe.available ? "unavailable" : hasModels && missing > 0 ? "download" : "ready",
      detail: probe.detail,
    }
  })
}
