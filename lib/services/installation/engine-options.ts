import type { EngineGroup, EngineOption } from "../../domain/engines.ts"
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
  const servers = await listModelServers(deps)
  const [provider, embedder, speech] = await Promise.all([
    listProviders(deps, servers),
    listEmbedders(deps, servers),
    listSpeechEngines(deps),
  ])
  const options = { provider, embedder, speech }
  return Promise.all(
    CHOICE_KINDS.map(async (kind) => ({
      kind,
      chosen: await findChosen(deps, kind),
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
})

/** Describes a model server as an engine: which model it would use, or what is missing. */
const serverOption = (
  kind: "provider" | "embedder",
  value: "ollama" | "openai",
  server: ModelServer | undefined,
  named: string,
): Option => {
  const use: ModelUse = kind === "provider" ? "language" : "embedding"
  const common = { value, name: value === "ollama" ? "Ollama" : "Model server", ...ON_SERVER[kind], bytes: null }
  if (!server)
    return {
      ...common,
      state: "unavailable",
      detail: "Set SERVICE_OPENAI_BASE_URL to the address of an OpenAI-compatible server.",
    }
  if (server.state === "down")
    return { ...common, state: "unavailable", detail: server.problem ?? "The server does not answer." }
  const models = server.models.filter((model) => model.use === use && model.state === "present")
  if (value === "ollama") {
    const model = models.find(({ name }) => fullModelName(name) === fullModelName(named))
    return model
      ? { ...common, bytes: model.bytes, state: "ready", detail: `${named} on ${server.url}` }
      : {
          ...common,
          state: "unavailable",
          detail: `The model ${named} is not pulled on ${server.url}. Download it under Models, or run: npx earmark models pull ${named}`,
        }
  }
  const only = models.find(({ in_use }) => in_use) ?? (models.length === 1 ? models[0] : undefined)
  return { ...common, state: "ready", detail: `${only?.name ?? "The model of the settings"} on ${server.url}` }
}

const findServer = (servers: readonly ModelServer[], provider: ModelServer["provider"], use: ModelUse) =>
  servers.find((server) => server.provider === provider && server.uses.includes(use))

const listProviders = async ({ config }: Deps, servers: readonly ModelServer[]): Promise<Option[]> => [
  serverOption("provider", "openai", findServer(servers, "openai", "language"), config.models.llmModel),
  serverOption("provider", "ollama", findServer(servers, "ollama", "language"), config.models.llmModel),
  builtin("provider"),
]

const listEmbedders = async (deps: Deps, servers: readonly ModelServer[]): Promise<Option[]> => [
  serverOption("embedder", "openai", findServer(servers, "openai", "embedding"), deps.config.models.embedModel),
  serverOption("embedder", "ollama", findServer(servers, "ollama", "embedding"), deps.config.models.embedModel),
  ...(await describeSentenceModels(deps.config)).map(
    ({ name, purpose, bytes, isInstalled, problem }): Option => ({
      value: name,
      name,
      quality: purpose,
      speed: SENTENCE_SPEEDS[name] ?? "Depends on the model",
      bytes,
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
      bytes: hasModels ? (model?.bytes ?? null) : name === "openai" ? null : 0,
      state: !probe.available ? "unavailable" : hasModels && missing > 0 ? "download" : "ready",
      detail: probe.detail,
    }
  })
}
