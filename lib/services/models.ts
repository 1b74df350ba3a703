import type { ModelList, Pulling } from "../contracts/models.ts"
import { AppError, messageOf } from "../errors.ts"
import { findModel } from "../speech/catalog/models.ts"
import { createShelf } from "../speech/catalog/shelf.ts"
import type { Deps } from "./deps.ts"

/** The models for hearing: what there is, what can be fetched, and how far those are that come just now. */
export const listModels = async ({ config, pulls }: Pick<Deps, "config" | "pulls">): Promise<ModelList> => ({
  models: (await createShelf(config.speech.models).list()).map((m) => {
    const problem = m.state === "present" ? undefined : pulls.get(m.name)
    return {
      ...m,
      languages: m.languages && [...m.languages],
      pulling: problem === null,
      ...(problem && { problem }),
    }
  }),
})

/**
 * Begins to fetch a model, or goes on where a fetch was broken off; the list tells how far it is, or why it failed.
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
  createShelf(config.speech.models)
    .ensure(model.name, { signal, progress: () => {} })
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
