import type { Choice, ChoiceKind } from "../../domain/installation.ts"
import type { EngineName, ProviderName } from "../../domain/jobs/jobs.ts"
import { createBuiltinEmbedder } from "../../engines/embedding/builtin.ts"
import { createOllamaEmbedder } from "../../engines/embedding/ollama.ts"
import { createOnnxEmbedder, type OnnxEmbedder } from "../../engines/embedding/onnx/embedder.ts"
import { createBuiltinAnswerer, createBuiltinTopicModel } from "../../engines/language/builtin/index.ts"
import { fullModelName, probeOllama } from "../../engines/language/ollama/client.ts"
import { createOllamaAnswerer, createOllamaTopicModel } from "../../engines/language/ollama/index.ts"
import { createPriorityLimiter } from "../../engines/language/priority-limiter.ts"
import type { Answerer, Embedder, TopicModel } from "../../engines/language/types.ts"
import { withFallback } from "../../engines/language/with-fallback.ts"
import { createSpeech, detectEngine } from "../../engines/speech/index.ts"
import type { Engines } from "../../engines/types.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Logger } from "../../platform/logger.ts"
import { noTelemetry } from "../../platform/telemetry/none.ts"
import type { Telemetry } from "../../platform/telemetry/types.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import { detectSentenceModel, isProviderName, sentenceModelOptions } from "./sentence-models.ts"

/**
 * Creates the engines of a process. Each model is created once per name. Choices are read from the store on every use, so
 * that `earmark engines set` reaches running workers; without a store they last as long as the process.
 */
export const createEngines = ({
  config,
  log,
  store,
  telemetry = noTelemetry,
}: {
  readonly config: Config
  readonly log: Logger
  readonly store: Pick<Store, "installation"> | null
  readonly telemetry?: Telemetry
}): Engines => {
  const { ollamaUrl: baseUrl, timeoutMs, llmModel, embedModel } = config.models
  const choice = createChoices({ config, log, store })
  const builtin = memoize((_: "builtin"): TopicModel => createBuiltinTopicModel())
  const limiter = createPriorityLimiter()
  const ollama = memoize(
    (model: string): TopicModel =>
      withFallback(createOllamaTopicModel({ baseUrl, model, timeoutMs, log, telemetry, limiter }), builtin("builtin")),
  )
  const serverEmbedders = memoize(
    (name: ProviderName): Embedder =>
      name === "ollama"
        ? createOllamaEmbedder({ baseUrl, model: embedModel, timeoutMs, log, telemetry })
        : createBuiltinEmbedder(),
  )
  const sentenceModels = new Map<string, OnnxEmbedder>()
  const findEmbedder = (name: string): Embedder => {
    if (isProviderName(name)) return serverEmbedders(name)
    const model = sentenceModels.get(name) ?? createOnnxEmbedder(sentenceModelOptions({ config, log }, name))
    sentenceModels.set(name, model)
    return model
  }
  const answerers = memoize(
    (name: ProviderName): Answerer =>
      name === "ollama"
        ? createOllamaAnswerer({ baseUrl, model: llmModel, timeoutMs, log, telemetry })
        : createBuiltinAnswerer(),
  )
  const speech = createSpeech({ config, log, choose: async () => (await choice("speech")).value as EngineName })

  return {
    getTopicModel: async ({ provider, llm_model }) => {
      const name = provider === "auto" ? (await choice("provider")).value : provider
      return name === "ollama" ? ollama(llm_model ?? llmModel) : builtin("builtin")
    },
    releaseModel: (model) => ollama(model).release(),
    getEmbedder: async () => findEmbedder((await choice("embedder")).value),
    findEmbedder,
    getAnswerer: async () => answerers((await choice("provider")).value as ProviderName),
    speech,
    getChoice: choice,
    close: async () => {
      await Promise.all([speech.close(), ...[...sentenceModels.values()].map((model) => model.close())])
    },
  }
}

const memoize = <K, V>(create: (key: K) => V): ((key: K) => V) => {
  const created = new Map<K, V>()
  return (key) => {
    const value = created.get(key) ?? create(key)
    created.set(key, value)
    return value
  }
}

type ChoiceOptions = {
  readonly config: Config
  readonly log: Logger
  readonly store: Pick<Store, "installation"> | null
}

/**
 * Returns a function that resolves the engine of a kind: from the settings, from the store, or by detecting what can run.
 * A detected choice is recorded in the store.
 */
const createChoices = ({ config, log, store }: ChoiceOptions): ((kind: ChoiceKind) => Promise<Choice>) => {
  const createdAt = Date.now()
  /** Detections in progress; without a store also their results. */
  const detections = new Map<ChoiceKind, Promise<Choice>>()

  const readSetting = (kind: ChoiceKind): Choice | null => {
    const value = { provider: config.models.provider, speech: config.speech.engine, embedder: "auto" }[kind]
    if (value === "auto") return null
    const setting = kind === "speech" ? "SERVICE_SPEECH_ENGINE" : "SERVICE_PROVIDER"
    return { kind, value, reason: `set by ${setting}`, chosen_at: createdAt }
  }
  const detect = async (kind: ChoiceKind): Promise<Choice> => {
    const detected = { kind, ...(await detectChoice(kind)) }
    const recorded = store ? await store.installation.recordChoice(detected) : { ...detected, chosen_at: Date.now() }
    log.info({ engine: recorded.value, reason: recorded.reason }, `${kind} chosen for this installation`)
    return recorded
  }
  const detectChoice = async (kind: ChoiceKind): Promise<DetectedChoice> => {
    if (kind === "provider") return detectProvider(config)
    if (kind === "embedder") {
      const detected = await detectEmbedder(config, (await choose("provider")).value)
      // A sentence model knows meaning, which the builtin embedder does not.
      return detected.value === "builtin" ? ((await detectSentenceModel(config)) ?? detected) : detected
    }
    const { name, reason } = await detectEngine(config, log)
    return { value: name, reason }
  }
  const choose = async (kind: ChoiceKind): Promise<Choice> => {
    const setting = readSetting(kind)
    if (setting) return setting
    const stored = (await store?.installation.listChoices())?.find((choice) => choice.kind === kind)
    if (stored) return stored
    const detection = detections.get(kind) ?? detect(kind)
    detections.set(kind, detection)
    try {
      return await detection
    } finally {
      // A recorded choice is read from the store, and a failed detection is tried again.
      if (store) detections.delete(kind)
      else detection.catch(() => detections.delete(kind))
    }
  }
  return choose
}

type DetectedChoice = Pick<Choice, "value" | "reason">

const hasModel = (models: readonly string[], name: string): boolean =>
  models.some((model) => fullModelName(model) === fullModelName(name))

const detectProvider = async ({ models }: Config): Promise<DetectedChoice> => {
  const server = await probeOllama(models.ollamaUrl)
  if (!server.reachable) return { value: "builtin", reason: `no Ollama server answers at ${models.ollamaUrl}` }
  return hasModel(server.models, models.llmModel)
    ? { value: "ollama", reason: `${models.llmModel} is pulled on ${models.ollamaUrl}` }
    : { value: "builtin", reason: `${models.llmModel} is not pulled on ${models.ollamaUrl}` }
}

/** Follows the provider, unless a reachable Ollama server lacks the embedding model. */
const detectEmbedder = async ({ models }: Config, provider: string): Promise<DetectedChoice> => {
  if (provider !== "ollama") return { value: "builtin", reason: "follows the provider" }
  const server = await probeOllama(models.ollamaUrl)
  return server.reachable && !hasModel(server.models, models.embedModel)
    ? { value: "builtin", reason: `${models.embedModel} is not pulled on ${models.ollamaUrl}` }
    : { value: "ollama", reason: `follows the provider: ${models.embedModel} on ${models.ollamaUrl}` }
}
