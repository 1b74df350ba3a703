import type { Choice, ChoiceKind } from "../../domain/engine-choice.ts"
import type { EngineName, ProviderName } from "../../domain/jobs/jobs.ts"
import {
  createBuiltinAnswerer,
  createBuiltinEmbedder,
  createBuiltinTopicModel,
} from "../../engines/language/builtin/index.ts"
import {
  createOllamaAnswerer,
  createOllamaEmbedder,
  createOllamaTopicModel,
} from "../../engines/language/ollama/index.ts"
import { createPriorityLimiter } from "../../engines/language/priority-limiter.ts"
import type { Answerer, Embedder, TopicModel } from "../../engines/language/types.ts"
import { withFallback } from "../../engines/language/with-fallback.ts"
import { createSpeech } from "../../engines/speech/index.ts"
import type { Engines } from "../../engines/types.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Logger } from "../../platform/logger.ts"
import { noTelemetry } from "../../platform/telemetry/none.ts"
import type { Telemetry } from "../../platform/telemetry/types.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import { probeChoice } from "./choose-engine.ts"

const memo = <K, V>(make: (key: K) => V): ((key: K) => V) => {
  const made = new Map<K, V>()
  return (key) => {
    const value = made.get(key) ?? make(key)
    made.set(key, value)
    return value
  }
}

/**
 * The engines of one process. Without a store choices live as long as the process. Models are made once for each name;
 * choices are read anew each time, so that `earmark engines set` reaches running workers.
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
  const madeAt = Date.now()
  const { ollamaUrl: baseUrl, timeoutMs, llmModel, embedModel } = config.models
  const unkept = new Map<ChoiceKind, Promise<Choice>>()

  const setByCaller = (kind: ChoiceKind): Choice | null => {
    const wish = { provider: config.models.provider, speech: config.speech.engine, embedder: "auto" }[kind]
    if (wish === "auto") return null
    return {
      kind,
      value: wish,
      reason: `set by SERVICE_${kind === "speech" ? "SPEECH_ENGINE" : "PROVIDER"}`,
      chosen_at: madeAt,
    }
  }
  const make = async (kind: ChoiceKind): Promise<Choice> => {
    const provider = kind === "embedder" ? (await choice("provider")).value : ""
    const made = { kind, ...(await probeChoice(kind, { config, log, provider })) }
    const stands = store ? await store.installation.recordChoice(made) : { ...made, chosen_at: Date.now() }
    log.info({ engine: stands.value, reason: stands.reason }, `${kind} chosen for this installation`)
    return stands
  }
  const choice = async (kind: ChoiceKind): Promise<Choice> => {
    const set = setByCaller(kind)
    if (set) return set
    const kept = (await store?.installation.listChoices())?.find((c) => c.kind === kind)
    if (kept) return kept
    const making = unkept.get(kind) ?? make(kind)
    unkept.set(kind, making)
    try {
      return await making
    } finally {
      // A failed choice is made anew by the next one who asks; a recorded one is read from the store.
      if (store) unkept.delete(kind)
      else making.catch(() => unkept.delete(kind))
    }
  }

  const builtin = memo((_: "builtin"): TopicModel => createBuiltinTopicModel())
  const slots = createPriorityLimiter()
  const ollama = memo(
    (model: string): TopicModel =>
      withFallback(createOllamaTopicModel({ baseUrl, model, timeoutMs, log, telemetry, slots }), builtin("builtin")),
  )
  const embedders = memo(
    (name: ProviderName): Embedder =>
      name === "ollama"
        ? createOllamaEmbedder({ baseUrl, model: embedModel, timeoutMs, log, telemetry })
        : createBuiltinEmbedder(),
  )
  const answerers = memo(
    (name: ProviderName): Answerer =>
      name === "ollama"
        ? createOllamaAnswerer({ baseUrl, model: llmModel, timeoutMs, log, telemetry })
        : createBuiltinAnswerer(),
  )
  const speech = createSpeech({ config, log, choose: async () => (await choice("speech")).value as EngineName })

  return {
    topicsFor: async ({ provider, llm_model }) => {
      const name = provider === "auto" ? (await choice("provider")).value : provider
      return name === "ollama" ? ollama(llm_model ?? llmModel) : builtin("builtin")
    },
    release: (model) => ollama(model).release(),
    embedder: async () => embedders((await choice("embedder")).value as ProviderName),
    answerer: async () => answerers((await choice("provider")).value as ProviderName),
    speech,
    choice,
    close: () => speech.close(),
  }
}
