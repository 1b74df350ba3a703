import type { ModelList, Pulling } from "../../api/models.ts"
import { AppError, messageOf } from "../../domain/errors.ts"
import { findModel } from "../../engines/models/catalog.ts"
import { createModelRegistry } from "../../engines/models/registry.ts"
import type { ModelState } from "../../engines/models/types.ts"
import type { Deps } from "../deps.ts"
import { startOllamaPull } from "./model-servers.ts"

const notInstalled = (name: string): AppError => new AppError("not_found", `the model '${name}' is not installed`)

/**
 * Lists the models for speech and embeddings: installed, available for download, the progress of downloads, and the
 * embedding model that is in use.
 */
export const listModels = async ({
  config,
  modelDownloads,
  store,
}: Pick<Deps, "config" | "modelDownloads" | "store">): Promise<ModelList> => {
  const choices = (await store?.installation.listChoices()) ?? []
  const embedder = choices.find(({ kind }) => kind === "embedder")?.value
  const models = await createModelRegistry(config.speech.models).list()
  return {
    offline: config.speech.models.offline,
    models: models.map((model) => describeModel(model, model.name === embedder, modelDownloads)),
  }
}

const describeModel = (
  { fetching, failure, ...m }: ModelState,
  in_use: boolean,
  modelDownloads: Deps["modelDownloads"],
): ModelList["models"][number] => {
  const download = modelDownloads.get(m.name)
  const pulling = fetching || download === null
  // A running download makes the error of the previous one obsolete.
  const problem = m.state === "present" || pulling ? null : (download ?? failure)
  return {
    ...m,
    languages: m.languages && [...m.languages],
    in_use,
    pulling,
    ...(problem !== null && { problem }),
  }
}

/**
 * Starts to download a model that is missing or damaged, or resumes an interrupted download. Ollama pulls a model that is
 * not in the catalog. `listModels` and `listModelServers` report the progress, or why it failed.
 * @throws AppError `not_found` for an unknown model, `unavailable` if downloads are disabled
 */
export const pullModel = async (
  { config, log, modelDownloads, modelPulls }: Pick<Deps, "config" | "log" | "modelDownloads" | "modelPulls">,
  name: string,
): Promise<Pulling> => {
  const model = findModel(name)
  if (!model) return { pulling: await startOllamaPull({ config, log, modelPulls }, name) }
  if (config.speech.models.offline)
    throw new AppError(
      "unavailable",
      `Couldn't download ${model.name}: SERVICE_MODELS_OFFLINE disables downloads. Unset it to download models.`,
    )
  if (modelDownloads.get(model.name) === null) return { pulling: model.name }
  modelDownloads.set(model.name, null)
  const signal = new AbortController().signal
  createModelRegistry(config.speech.models)
    .repair(model.name, { signal, progress: () => {} })
    .then(
      () => {
        modelDownloads.delete(model.name)
        log.info({ model: model.name }, "model downloaded")
      },
      (error: unknown) => {
        modelDownloads.set(model.name, messageOf(error))
        log.warn({ model: model.name, detail: messageOf(error) }, "model download failed")
      },
    )
  return { pulling: model.name }
}

/**
 * Deletes a model from this machine. Processes that have loaded it can use it until they exit.
 * @throws AppError `not_found` if it is not installed, `conflict` while it is being downloaded
 */
export const removeModel = async (
  { config, modelDownloads }: Pick<Deps, "config" | "modelDownloads">,
  name: string,
): Promise<void> => {
  const isRemoved = await createModelRegistry(config.speech.models)
    .remove(name)
    .catch((error: unknown) => {
      throw AppError.is(error) && error.code === "invalid" ? notInstalled(name) : error
    })
  if (!isRemoved) throw notInstalled(name)
  modelDownloads.delete(findModel(name)?.name ?? name)
}
