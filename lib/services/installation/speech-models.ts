import type { ModelList, Pulling } from "../../api/models.ts"
import { AppError, messageOf } from "../../domain/errors.ts"
import { findModel } from "../../engines/speech/models/catalog.ts"
import { createModelRegistry } from "../../engines/speech/models/registry.ts"
import type { Deps } from "../deps.ts"

const notHere = (name: string): AppError => new AppError("not_found", `the model '${name}' is not here`)

/** The models for hearing: what there is, what can be fetched, and how far those are that come just now. */
export const listModels = async ({ config, pulls }: Pick<Deps, "config" | "pulls">): Promise<ModelList> => ({
  offline: config.speech.models.offline,
  models: (await createModelRegistry(config.speech.models).list()).map(({ fetching, failure, ...m }) => {
    const asked = pulls.get(m.name)
    const pulling = fetching || asked === null
    // What went wrong the last time says nothing of a fetch that is under way.
    const problem = m.state === "present" || pulling ? null : (asked ?? failure)
    return {
      ...m,
      languages: m.languages && [...m.languages],
      pulling,
      ...(problem !== null && { problem }),
    }
  }),
})

/**
 * Begins to fetch a model that is missing or damaged, or goes on where a fetch was broken off; the list tells how far it
 * is, or why it failed.
 * @throws AppError `not_found` for a model that the catalog has not, `unavailable` where fetching is forbidden
 */
export const pullModel = async (
  { config, log, pulls }: Pick<Deps, "config" | "log" | "pulls">,
  name: string,
): Promise<Pulling> => {
  const model = findModel(name)
  if (!model) throw new AppError("not_found", `unknown model '${name}'`)
  if (config.speech.models.offline)
    throw new AppError("unavailable", "SERVICE_MODELS_OFFLINE forbids fetching models on this installation")
  if (pulls.get(model.name) === null) return { pulling: model.name }
  pulls.set(model.name, null)
  const signal = new AbortController().signal
  createModelRegistry(config.speech.models)
    .repair(model.name, { signal, progress: () => {} })
    .then(
      () => {
        pulls.delete(model.name)
        log.info({ model: model.name }, "model fetched")
      },
      (error: unknown) => {
        pulls.set(model.name, messageOf(error))
        log.warn({ model: model.name, detail: messageOf(error) }, "model not fetched")
      },
    )
  return { pulling: model.name }
}

/**
 * Takes a model off this machine. A process that has it loaded keeps it until its end.
 * @throws AppError `not_found` for one that is not here, `conflict` while it is being fetched
 */
export const removeModel = async ({ config, pulls }: Pick<Deps, "config" | "pulls">, name: string): Promise<void> => {
  const gone = await createModelRegistry(config.speech.models)
    .remove(name)
    .catch((error: unknown) => {
      throw AppError.is(error) && error.code === "invalid" ? notHere(name) : error
    })
  if (!gone) throw notHere(name)
  pulls.delete(findModel(name)?.name ?? name)
}
