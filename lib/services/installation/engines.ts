import { parseEngineValue } from "../../domain/engine-value.ts"
import type { Choice, ChoiceKind } from "../../domain/installation.ts"
import type { EngineName } from "../../domain/jobs/jobs.ts"
import { createBuiltinEmbedder } from "../../engines/embedding/builtin.ts"
import { createOllamaEmbedder } from "../../engines/embedding/ollama.ts"
import { createOnnxEmbedder, type OnnxEmbedder } from "../../engines/embedding/onnx/embedder.ts"
import {
  createBuiltinAnswerer,
  createBuiltinSummarizer,
  createBuiltinTopicModel,
  createOutliner,
} from "../../engines/language/builtin/index.ts"
import {
  createModelAnswerer,
  createModelSummarizer,
  createModelTopicModel,
} from "../../engines/language/model/index.ts"
import type { ModelTransport } from "../../engines/language/model/transport.ts"
import { fullModelName, probeOllama } from "../../engines/language/ollama/client.ts"
import { createOllamaTransport } from "../../engines/language/ollama/index.ts"
import { createPriorityLimiter } from "../../engines/language/priority-limiter.ts"
import type { Answerer, Embedder, Summarizer, TopicModel } from "../../engines/language/types.ts"
import { withFallback } from "../../engines/language/with-fallback.ts"
import { createSpeech, detectEngine } from "../../engines/speech/index.ts"
import type { Engines } from "../../engines/types.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Logger } from "../../platform/logger.ts"
import { memoize } from "../../platform/memoize.ts"
import { noTelemetry } from "../../platform/telemetry/none.ts"
import type { Telemetry } from "../../platform/telemetry/types.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import { createOpenAiModels, detectOpenAiModel } from "./openai-models.ts"
import { detectSentenceModel, sentenceModelOptions } from "./sentence-models.ts"

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
  const openai = createOpenAiModels({ config, log, telemetry })
  const builtin = memoize((_: "builtin"): TopicModel => createBuiltinTopicModel())
  const limiter = createPriorityLimiter()
  const ollama = memoize((model: string) => createOllamaTransport({ baseUrl, model, timeoutMs, log, telemetry }))
  const topicModels = memoize(
    (transport: ModelTransport): TopicModel =>
      withFallback(createModelTopicModel(transport, log, limiter), builtin("builtin")),
  )
  const summarizers = memoize((transport: ModelTransport): Summarizer => createModelSummarizer(transport, log, limiter))
  const builtinSummarizer = memoize((_: "builtin"): Summarizer => createBuiltinSummarizer())
  const answerers = memoize((transport: ModelTransport): Answerer => createModelAnswerer(transport, log))
  const builtinAnswerer = memoize((_: "builtin"): Answerer => createBuiltinAnswerer())
  const builtinEmbedder = memoize((_: "builtin"): Embedder => createBuiltinEmbedder())
  const ollamaEmbedders = memoize(
    (model: string): Embedder => createOllamaEmbedder({ baseUrl, model, timeoutMs, log, telemetry }),
  )
  const sentenceModels = new Map<string, OnnxEmbedder>()
  const findSentenceModel = (name: string): OnnxEmbedder => {
    const model = sentenceModels.get(name) ?? createOnnxEmbedder(sentenceModelOptions({ config, log }, name))
    sentenceModels.set(name, model)
    return model
  }
  const findEmbedder = async (value: string): Promise<Embedder> => {
    const { engine, model } = parseEngineValue(value)
    if (engine === "openai") return openai.getEmbedder(model ?? undefined)
    if (engine === "ollama") return ollamaEmbedders(model ?? embedModel)
    return engine === "builtin" ? builtinEmbedder("builtin") : findSentenceModel(value)
  }
  /** Returns the transport of a provider with a server, or null for the builtin one. `requested` replaces its model. */
  const getTransport = async (value: string, requested: string | null): Promise<ModelTransport | null> => {
    const { engine, model } = parseEngineValue(value)
    if (engine === "ollama") return ollama(requested ?? model ?? llmModel)
    return engine === "openai" ? openai.getTransport(requested ?? model ?? undefined) : null
  }
  const speech = createSpeech({ config, log, choose: async () => (await choice("speech")).value as EngineName })

  return {
    getTopicModel: async ({ provider, llm_model }) => {
      const name = provider === "auto" ? (await choice("provider")).value : provider
      const transport = await getTransport(name, llm_model ?? null)
      return transport ? topicModels(transport) : builtin("builtin")
    },
    getSummarizer: async ({ provider, llm_model }) => {
      const name = provider === "auto" ? (await choice("provider")).value : provider
      const transport = await getTransport(name, llm_model ?? null)
      return transport ? summarizers(transport) : builtinSummarizer("builtin")
    },
    outlineTopics: createOutliner(),
    releaseModel: (model) => ollama(model).release(),
    getEmbedder: async () => findEmbedder((await choice("embedder")).value),
    findEmbedder,
    getAnswerer: async () => {
      const transport = await getTransport((await choice("provider")).value, null)
      return transport ? answerers(transport) : builtinAnswerer("builtin")
    },
    speech,
    getChoice: choice,
    close: async () => {
      await Promise.all([speech.close(), ...[...sentenceModels.values()].map((model) => model.close())])
    },
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
    if (kind === "provider") return detectProvider(config, log)
    if (kind === "embedder") {
      const detected = await detectEmbedder(config, parseEngineValue((await choose("provider")).value).engine, log)
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

/** Prefers the server that the settings name to an Ollama server at its default address. */
const detectProvider = async (config: Config, log: Logger): Promise<DetectedChoice> => {
  const { models } = config
  const openai = models.openai && (await detectOpenAiModel(config, "language", log))
  if (openai && "model" in openai) return { value: "openai", reason: `${openai.model} on ${models.openai!.url}` }
  const server = await probeOllama(models.ollamaUrl)
  if (server.reachable && hasModel(server.models, models.llmModel))
    return { value: "ollama", reason: `${models.llmModel} is pulled on ${models.ollamaUrl}` }
  const reason = server.reachable
    ? `${models.llmModel} is not pulled on ${models.ollamaUrl}`
    : `no Ollama server answers at ${models.ollamaUrl}`
  return { value: "builtin", reason: openai?.problem ?? reason }
}

/** Follows the provider, unless its server is reachable and has no embedding model. */
const detectEmbedder = async (config: Config, provider: string, log: Logger): Promise<DetectedChoice> => {
  const { models } = config
  if (provider === "openai" && models.openai) {
    const found = await detectOpenAiModel(config, "embedding", log)
    return "model" in found
      ? { value: "openai", reason: `follows the provider: ${found.model} on ${models.openai.embedUrl}` }
      : { value: "builtin", reason: found.problem }
  }
  if (provider !== "ollama") return { value: "builtin", reason: "follows the provider" }
  const server = await probeOllama(models.ollamaUrl)
  return server.reachable && !hasModel(server.models, models.embedModel)
    ? { value: "builtin", reason: `${models.embedModel} is not pulled on ${models.ollamaUrl}` }
    : { value: "ollama", reason: `follows the provider: ${models.embedModel} on ${models.ollamaUrl}` }
}
