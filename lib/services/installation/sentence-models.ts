import { AppError } from "../../domain/errors.ts"
import type { Choice } from "../../domain/installation.ts"
import { type ProviderName, providerName } from "../../domain/jobs/jobs.ts"
import type { OnnxEmbedderOptions } from "../../engines/embedding/onnx/embedder.ts"
import { isSentenceModel } from "../../engines/embedding/onnx/model-settings.ts"
import { CATALOG, DEFAULT_SENTENCE_MODEL, findModel } from "../../engines/models/catalog.ts"
import { createModelRegistry, type ModelRegistry } from "../../engines/models/registry.ts"
import { findGroupState } from "../../platform/capabilities/load.ts"
import { capabilityError } from "../../platform/capabilities/registry.ts"
import { verifyGroup } from "../../platform/capabilities/verify-group.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Logger } from "../../platform/logger.ts"

/** The value of a choice that stands for the best installed sentence model. */
export const ONNX = "onnx"

export const isProviderName = (name: string): name is ProviderName => providerName.safeParse(name).success

const findEmbedGroup = async ({ disabledExtras }: Pick<Config, "disabledExtras">) =>
  verifyGroup("embed", await findGroupState("embed", disabledExtras))

/** Returns the options of an embedder for a sentence model. */
export const sentenceModelOptions = (
  { config, log }: { readonly config: Config; readonly log: Logger },
  model: string,
): OnnxEmbedderOptions => ({
  model,
  registry: createModelRegistry(config.speech.models),
  group: () => findEmbedGroup(config),
  log,
})

/** Returns the name of an installed sentence model: that of SERVICE_EMBED_MODEL, else the first of the catalog. */
const findInstalledModel = async ({ models, speech }: Config): Promise<string | null> => {
  const registry = createModelRegistry(speech.models)
  const catalog = CATALOG.filter(({ use }) => use === "embedding").map(({ name }) => name)
  for (const name of [models.embedModel, ...catalog]) if (await isInstalled(registry, name)) return name
  return null
}

const isInstalled = async (registry: ModelRegistry, name: string): Promise<boolean> =>
  (await registry.isPresent(name)) && isSentenceModel(registry.modelDir(name))

/** A sentence model that can be chosen, installed or not. */
type SentenceModelInfo = {
  readonly name: string
  readonly purpose: string
  readonly bytes: number
  readonly isInstalled: boolean
  /** Why it cannot be used, or null. */
  readonly problem: string | null
}

/** Lists the sentence models of the catalog and the folders that a person added. */
export const describeSentenceModels = async (config: Config): Promise<SentenceModelInfo[]> => {
  const group = await findEmbedGroup(config)
  const missing = group.state === "present" ? null : capabilityError("embed", group).message
  const states = await createModelRegistry(config.speech.models).list()
  return states
    .filter(({ use }) => use === "embedding")
    .map(({ name, purpose, bytes, state }) => {
      const isInstalled = state === "present" || state === "own"
      const offline = "The model is not installed, and SERVICE_MODELS_OFFLINE forbids downloads."
      const problem = missing ?? (isInstalled || !config.speech.models.offline ? null : offline)
      return { name, purpose, bytes, isInstalled, problem }
    })
}

/** Returns the choice of a sentence model if one is installed and its packages work, or null. */
export const detectSentenceModel = async (config: Config): Promise<Pick<Choice, "value" | "reason"> | null> => {
  const value = await findInstalledModel(config)
  if (value === null || (await findEmbedGroup(config)).state !== "present") return null
  return { value, reason: `no model server gives embeddings, and the model ${value} is installed` }
}

/**
 * Returns the name of the sentence model that a person asks for: `onnx`, a name or alias of the catalog, or a folder.
 * @throws AppError `invalid` for an unknown model, `capability_missing` without group `embed`, `unavailable` if the model is
 * missing and downloads are disabled
 */
export const requireSentenceModel = async (config: Config, requested: string): Promise<string> => {
  const group = await findEmbedGroup(config)
  if (group.state !== "present") throw capabilityError("embed", group)
  const name =
    requested === ONNX
      ? ((await findInstalledModel(config)) ?? DEFAULT_SENTENCE_MODEL)
      : (findModel(requested)?.name ?? requested)
  const registry = createModelRegistry(config.speech.models)
  if (await isInstalled(registry, name)) return name
  if (findModel(name)?.use !== "embedding")
    throw new AppError(
      "invalid",
      `There is no embedding model '${requested}'. Use builtin, ollama, openai, or a model that \`npx earmark models list\` shows for embedding: ${catalogNames()}.`,
    )
  if (config.speech.models.offline)
    throw new AppError(
      "unavailable",
      `The model ${name} is not installed, and SERVICE_MODELS_OFFLINE forbids downloads. Copy its files to ${registry.modelDir(name)}.`,
    )
  return name
}

const catalogNames = (): string =>
  CATALOG.filter(({ use }) => use === "embedding")
    .map(({ name }) => name)
    .join(", ")
