import { AppError, messageOf } from "../../domain/errors.ts"
import { createOpenAiEmbedder } from "../../engines/embedding/openai.ts"
import type { ModelTransport } from "../../engines/language/model/transport.ts"
import {
  chooseModel,
  createModelRegister,
  createOpenAiTransport,
  type ModelRegister,
  type OpenAiServer,
  resolveBase,
} from "../../engines/language/openai/index.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Logger } from "../../platform/logger.ts"
import { memoize } from "../../platform/memoize.ts"
import { noTelemetry } from "../../platform/telemetry/none.ts"
import type { Telemetry } from "../../platform/telemetry/types.ts"

type ServerUse = OpenAiServer["use"]
type OpenAiConfig = NonNullable<Config["models"]["openai"]>

const requireConfig = ({ models }: Config): OpenAiConfig => {
  if (models.openai) return models.openai
  throw new AppError(
    "unavailable",
    "The provider openai has no server. Set SERVICE_OPENAI_BASE_URL to the address of an OpenAI-compatible server.",
  )
}

/** Returns the server for a use. @throws AppError `unavailable` if none is set */
export const getOpenAiServer = (config: Config, use: ServerUse): OpenAiServer => {
  const { url, apiKey, embedUrl, embedApiKey } = requireConfig(config)
  const { timeoutMs } = config.models
  const names = { url: "SERVICE_OPENAI_BASE_URL", key: "SERVICE_OPENAI_API_KEY" }
  if (use === "language")
    return { use, settings: { ...names, model: "SERVICE_LLM_MODEL" }, base: resolveBase(url), apiKey, timeoutMs }
  const ownNames =
    embedUrl === url ? names : { url: "SERVICE_OPENAI_EMBED_BASE_URL", key: "SERVICE_OPENAI_EMBED_API_KEY" }
  const settings = { ...ownNames, model: "SERVICE_EMBED_MODEL" }
  return { use, settings, base: resolveBase(embedUrl), apiKey: embedApiKey, timeoutMs }
}

/** Returns the model of a use: the one that is set, or the only one that the server offers. @throws AppError `unavailable` */
const resolveModel = async (config: Config, server: OpenAiServer, models: ModelRegister): Promise<string> => {
  const { llmModel, embedModel } = requireConfig(config)
  const [model, fallback] =
    server.use === "language" ? [llmModel, config.models.llmModel] : [embedModel, config.models.embedModel]
  return model ?? chooseModel(server, await models.list(undefined), fallback)
}

/**
 * Creates the models on the OpenAI-compatible servers of the settings. Nothing is requested before the first use. If no
 * setting names the model, the name is read from the list of the server.
 */
export const createOpenAiModels = ({
  config,
  log,
  telemetry = noTelemetry,
}: {
  readonly config: Config
  readonly log: Logger
  readonly telemetry?: Telemetry
}) => {
  const servers = memoize((use: ServerUse) => {
    const server = getOpenAiServer(config, use)
    return { server, models: createModelRegister(server) }
  })
  const transports = memoize((model: string): ModelTransport => {
    const { context } = requireConfig(config)
    return createOpenAiTransport({ ...servers("language"), model, context, log, telemetry })
  })
  const embedders = memoize(
    (model: string): Embedder => createOpenAiEmbedder({ ...servers("embedding"), model, log, telemetry }),
  )
  return {
    /** Returns a language model, by default that of the installation. @throws AppError `unavailable` */
    getTransport: async (model?: string): Promise<ModelTransport> => {
      const { server, models } = servers("language")
      return transports(model ?? (await resolveModel(config, server, models)))
    },
    /** Returns an embedding model, by default that of the installation. @throws AppError `unavailable` */
    getEmbedder: async (model?: string): Promise<Embedder> => {
      const { server, models } = servers("embedding")
      return embedders(model ?? (await resolveModel(config, server, models)))
    },
  }
}

/** How long a server may take for the first vector, for which it may load the model. */
const FIRST_VECTOR_TIMEOUT_MS = 20_000

/** Finds out whether the configured server has a model for a use, by default that of the installation. Never throws. */
export const detectOpenAiModel = async (
  config: Config,
  use: ServerUse,
  log: Logger,
  requested: string | null = null,
): Promise<{ readonly model: string } | { readonly problem: string }> => {
  try {
    const server = { ...getOpenAiServer(config, use), timeoutMs: FIRST_VECTOR_TIMEOUT_MS }
    const models = createModelRegister(server)
    const model = requested ?? (await resolveModel(config, server, models))
    await models.require(model, undefined)
    // Lists do not tell which models give embeddings.
    if (use === "embedding") await createOpenAiEmbedder({ server, models, model, log }).embed(["words"], "query")
    return { model }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}
