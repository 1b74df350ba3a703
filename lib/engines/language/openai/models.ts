import * as z from "zod"
import { AppError } from "../../../domain/errors.ts"
import { waitUnlessAborted } from "../../../platform/wait-unless-aborted.ts"
import { isEmbeddingName } from "../embedding-names.ts"
import { requestJson } from "./request.ts"
import { createModelMissingError, createNotOpenAiError, MissingEndpointError } from "./response-error.ts"
import type { OpenAiServer } from "./server.ts"

const count = z.number().int().positive().optional().catch(undefined)

/** The fields by which servers tell the context of a model, besides those of OpenAI. */
const listedModel = z.object({
  id: z.string(),
  owned_by: z.string().optional().catch(undefined),
  aliases: z.array(z.string()).optional().catch(undefined),
  /** llama.cpp, per slot. */
  meta: z.object({ n_ctx: count }).nullish().catch(undefined),
  /** vLLM and SGLang. */
  max_model_len: count,
  /** OpenRouter and Together. */
  context_length: count,
  /** Groq. */
  context_window: count,
  /** LM Studio, under /api/v0. The first is present while the model is loaded. */
  loaded_context_length: count,
  max_context_length: count,
})
type ListedModel = z.infer<typeof listedModel>

const modelList = z.object({ data: z.array(listedModel) })

export type OfferedModel = {
  readonly id: string
  /** All names under which the server offers it, including the ID. */
  readonly names: readonly string[]
  /** Context size in tokens, or null if the server does not tell. */
  readonly context: number | null
}

const fileName = (id: string): string => (id.split("/").at(-1) ?? id).replace(/\.gguf$/, "")

const toOffered = (model: ListedModel): OfferedModel => ({
  id: model.id,
  names: [...new Set([model.id, ...(model.aliases ?? []), fileName(model.id), `${fileName(model.id)}.gguf`])],
  context:
    model.loaded_context_length ??
    model.meta?.n_ctx ??
    model.max_model_len ??
    model.context_length ??
    model.context_window ??
    model.max_context_length ??
    null,
})

/** LM Studio tells the context of its models only in an API of its own. */
const LM_STUDIO_OWNER = "organization_owner"

const listLmStudioModels = async (server: OpenAiServer, signal: AbortSignal | undefined): Promise<ListedModel[]> => {
  try {
    const base = server.base.replace(/\/v1$/, "/api/v0")
    return modelList.parse(await requestJson({ ...server, base }, { path: "/models", model: "" }, signal)).data
  } catch {
    signal?.throwIfAborted()
    return []
  }
}

/** Asks llama.cpp for the context of its only model. Versions before 2025 tell it nowhere else. */
const readLlamaContext = async (server: OpenAiServer, signal: AbortSignal | undefined): Promise<number | null> => {
  const props = z.object({ default_generation_settings: z.object({ n_ctx: z.number().int().positive() }) })
  try {
    const base = server.base.replace(/\/v1$/, "")
    const answer = await requestJson({ ...server, base }, { path: "/props", model: "" }, signal)
    return props.parse(answer).default_generation_settings.n_ctx
  } catch {
    signal?.throwIfAborted()
    return null
  }
}

/** A list of models needs no computation. */
const LIST_TIMEOUT_MS = 15_000

/**
 * Lists the models of a server. Returns null if the server has no list.
 * @throws AppError that says what to do
 */
export const listModels = async (
  given: OpenAiServer,
  signal?: AbortSignal,
  options?: { retry: boolean },
): Promise<OfferedModel[] | null> => {
  const server = { ...given, timeoutMs: Math.min(given.timeoutMs, LIST_TIMEOUT_MS) }
  let answer: Record<string, unknown>
  try {
    answer = await requestJson(server, { path: "/models", model: "" }, signal, options)
  } catch (error) {
    if (error instanceof MissingEndpointError && error.isFromApi) return null
    throw error
  }
  const parsed = modelList.safeParse(answer)
  if (!parsed.success) throw createNotOpenAiError(server, "responded without a list of models", parsed.error)
  const { data } = parsed.data
  if (data.some((model) => model.owned_by === LM_STUDIO_OWNER)) {
    const known = new Map((await listLmStudioModels(server, signal)).map((model) => [model.id, model]))
    return data.map((model) => toOffered({ ...model, ...known.get(model.id) }))
  }
  const offered = data.map(toOffered)
  if (data.length === 1 && data[0]!.owned_by === "llamacpp" && offered[0]!.context === null)
    return [{ ...offered[0]!, context: await readLlamaContext(server, signal) }]
  return offered
}

const normalize = (name: string): string => name.toLowerCase().replace(/:latest$/, "")

/** Finds a model by one of its names, regardless of case. A suffix such as `:free` of OpenRouter is no part of the name. */
export const findModel = (offered: readonly OfferedModel[], name: string): OfferedModel | undefined => {
  const find = (wanted: string) => offered.find((model) => model.names.some((known) => normalize(known) === wanted))
  const base = name.toLowerCase().replace(/:[^:/]*$/, "")
  return find(normalize(name)) ?? offered.find((model) => model.names.some((known) => known.toLowerCase() === base))
}

/**
 * Returns the model to use if no setting names one: the default if the server offers it, or the only model of its kind.
 * @throws AppError that names the models and the setting if there are several or none
 */
export const chooseModel = (
  server: OpenAiServer,
  offered: readonly OfferedModel[] | null,
  fallback: string,
): string => {
  const setting = server.settings.model
  if (offered === null)
    throw new AppError("unavailable", `The server at ${server.base} has no list of models. Set ${setting} to a model.`)
  if (findModel(offered, fallback)) return findModel(offered, fallback)!.id
  const wanted = offered.filter(({ id }) => isEmbeddingName(id) === (server.use === "embedding"))
  const candidates = wanted.length > 0 ? wanted : offered
  if (candidates.length === 1) return candidates[0]!.id
  if (candidates.length === 0)
    throw new AppError("unavailable", `The server at ${server.base} offers no model. Load one there.`)
  const names = candidates.slice(0, 5).map(({ id }) => `'${id}'`)
  const more = candidates.length > names.length ? ` and ${candidates.length - names.length} more` : ""
  throw new AppError(
    "unavailable",
    `The server at ${server.base} offers several models: ${names.join(", ")}${more}. Set ${setting} to one of them.`,
  )
}

/** How long a list of models is valid, in milliseconds. */
const LIST_TTL_MS = 60_000

export type ModelRegister = {
  /** Returns the models, from a list that is at most a minute old, or null if the server has no list. */
  list(signal: AbortSignal | undefined): Promise<readonly OfferedModel[] | null>
  /** Throws AppError if the server lists its models and does not have this one. Returns it, or null without a list. */
  require(model: string, signal: AbortSignal | undefined): Promise<OfferedModel | null>
}

/** Creates a cached list of the models of a server. Failures are not cached. */
export const createModelRegister = (server: OpenAiServer, now: () => number = Date.now): ModelRegister => {
  let cached: { readonly until: number; readonly models: Promise<readonly OfferedModel[] | null> } | undefined
  const list = async (signal: AbortSignal | undefined): Promise<readonly OfferedModel[] | null> => {
    signal?.throwIfAborted()
    if (!cached || cached.until <= now()) {
      // Without a caller's signal, because all callers share the result.
      const entry = { until: now() + LIST_TTL_MS, models: listModels(server) }
      cached = entry
      entry.models.catch(() => {
        if (cached === entry) cached = undefined
      })
    }
    return waitUnlessAborted(cached.models, signal)
  }
  return {
    list,
    require: async (model, signal) => {
      const offered = await list(signal)
      if (offered === null) return null
      const found = findModel(offered, model)
      if (found) return found
      throw createModelMissingError(
        server,
        model,
        offered.map(({ id }) => id),
      )
    },
  }
}
