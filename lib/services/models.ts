import type { ModelList, Pulling } from "../contracts/models.ts"
import { AppError, messageOf } from "../errors.ts"
import { findModel } from "../speech/catalog/models.ts"
import { createShelf } from "../speech/catalog/shelf.ts"
import type { Deps } from "./deps.ts"

const notHere = (name: string): AppError => new AppError("not_found", `the model '${name}' is not here`)

/** The models for hearing: what there is, what can be fetched, and how far those are that come just now. */
export const listModels = async ({ config }: Pick<Deps, "config">): Promise<ModelList> => ({
  models: (await createShelf(config.speech.models).list()).map((m) => ({
    ...m,
    languages: m.languages && [...m.languages],
  })),
})

/**
 * Begins to fetch a model that is missing or damaged, or goes on where a fetch was broken off; the list tells how far it
 * is, and why the last one failed.
 * @throws AppError `not_found` for a model that the catalog has not, `unavailable` where fetching is forbidden
 */
export const pullModel = async ({ config, log }: Pick<Deps, "config" | "log">, name: string): Promise<Pulling> => {
  const model = findModel(name)
  if (!model) throw new AppError("not_found", `unknown model '${name}'`)
  if (config.speech.models.offline)
    throw new AppError("unavailable", "SERVICE_MODELS_OFFLINE forbids fetching models on this installation")
  const signal = new AbortController().signal
  await new Promise<void>((began) => {
    createShelf(config.speech.models)
      .mend(model.name, { signal, progress: () => {}, began })
      .then(
        () => log.info({ model: model.name }, "model fetched"),
        (error: unknown) => log.warn({ model: model.name, detail: messageOf(error) }, "model not fetched"),
      )
      .finally(began)
  })
  return { pulling: model.name }
}

/**
 * Takes a model off this machine. A process that has it loaded keeps it until its end.
 * @throws AppError `not_found` for one that is not here, `conflict` while it is being fetched
 */
export const removeModel = async ({ config }: Pick<Deps, "config">, name: string): Promise<void> => {
  const gone = await createShelf(config.speech.models)
    .remove(name)
    .catch((error: unknown) => {
      throw AppError.is(error) && error.code === "invalid" ? notHere(name) : error
    })
  if (!gone) throw notHere(name)
}
