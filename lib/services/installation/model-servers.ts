import { type EngineValue, parseEngineValue } from "../../domain/engine-value.ts"
import { AppError, messageOf } from "../../domain/errors.ts"
import type { ModelServer, ModelUse, ServerModel } from "../../domain/model-servers.ts"
import { isEmbeddingName } from "../../engines/language/embedding-names.ts"
import {
  formatUrl,
  fullModelName,
  listPulledModels,
  OLLAMA_MODEL_NAME,
  probeOllama,
  pullOllamaModel,
} from "../../engines/language/ollama/index.ts"
import {
  chooseModel,
  findOfferedModel,
  listOfferedModels,
  type OpenAiServer,
} from "../../engines/language/openai/index.ts"
import type { ModelPull } from "../../engines/models/types.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Deps } from "../deps.ts"
import { getOpenAiServer } from "./openai-models.ts"

type ServerDeps = Pick<Deps, "config" | "store" | "modelPulls">

/** A list of models needs no computation, so a server that takes longer is shown as down. */
const LIST_TIMEOUT_MS = 3000

/** Lists the model servers of the settings with their models. A server that does not answer is listed as down. */
export const listModelServers = async (deps: ServerDeps): Promise<ModelServer[]> => {
  const [ollama, openai] = await Promise.all([describeOllama(deps), describeOpenAi(deps)])
  return [ollama, ...openai]
}

/** Returns what the settings or the installation use for a kind of model, or null before the first use. */
const findUsed = async ({ config, store }: ServerDeps, use: ModelUse): Promise<EngineValue | null> => {
  if (use === "language" && config.models.provider !== "auto") return { engine: config.models.provider, model: null }
  const kind = use === "language" ? "provider" : "embedder"
  const choice = (await store?.installation.listChoices())?.find((choice) => choice.kind === kind)
  return choice ? parseEngineValue(choice.value) : null
}

const byName = (a: ServerModel, b: ServerModel): number => a.name.localeCompare(b.name, "en")

const describeOllama = async (deps: ServerDeps): Promise<ModelServer> => {
  const { models, speech } = deps.config
  const server = {
    provider: "ollama",
    uses: ["language", "embedding"],
    url: formatUrl(models.ollamaUrl),
    can_pull: !speech.models.offline,
  } satisfies Partial<ModelServer>
  try {
    const pulled = await listPulledModels({ baseUrl: models.ollamaUrl, timeoutMs: LIST_TIMEOUT_MS })
    const used = { language: await findUsed(deps, "language"), embedding: await findUsed(deps, "embedding") }
    const isUsed = { language: used.language?.engine === "ollama", embedding: used.embedding?.engine === "ollama" }
    const named = {
      language: (isUsed.language && used.language?.model) || models.llmModel,
      embedding: (isUsed.embedding && used.embedding?.model) || models.embedModel,
    }
    const isNamed = (name: string, use: ModelUse) => fullModelName(named[use]) === fullModelName(name)
    const describe = (name: string, use: ModelUse, bytes: number | null, state: ServerModel["state"]): ServerModel => {
      const pull = deps.modelPulls.get(fullModelName(name))
      return {
        name,
        use,
        bytes: bytes ?? (pull && pull.total > 0 ? pull.total : null),
        context: null,
        state,
        in_use: state === "present" && isUsed[use] && isNamed(name, use),
        pulling: pull?.isRunning ?? false,
        fetched_bytes: pull?.done ?? 0,
        ...(pull && pull.problem !== null && { problem: pull.problem }),
      }
    }
    const present = pulled.map(({ name, use, bytes }) => describe(name, use, bytes, "present"))
    const known = new Set(pulled.map(({ name }) => fullModelName(name)))
    const wanted = new Map([
      [fullModelName(named.language), "language" as const],
      [fullModelName(named.embedding), "embedding" as const],
      ...[...deps.modelPulls.keys()].map((name) => [name, isEmbeddingName(name) ? "embedding" : "language"] as const),
    ])
    const absent = [...wanted]
      .filter(([name]) => !known.has(name))
      .map(([name, use]) => describe(name, use, null, "absent"))
    return { ...server, state: "ok", models: [...present, ...absent.sort(byName)] }
  } catch (error) {
    return { ...server, can_pull: false, state: "down", problem: messageOf(error), models: [] }
  }
}

/** Describes the OpenAI-compatible servers: one, or two if embeddings have their own. */
const describeOpenAi = async (deps: ServerDeps): Promise<ModelServer[]> => {
  const { openai } = deps.config.models
  if (!openai) return []
  const language = getOpenAiServer(deps.config, "language")
  const embedding = getOpenAiServer(deps.config, "embedding")
  return openai.url === openai.embedUrl
    ? [await describeOpenAiServer(deps, language, ["language", "embedding"])]
    : Promise.all([
        describeOpenAiServer(deps, language, ["language"]),
        describeOpenAiServer(deps, embedding, ["embedding"]),
      ])
}

const describeOpenAiServer = async (
  deps: ServerDeps,
  given: OpenAiServer,
  uses: readonly ModelUse[],
): Promise<ModelServer> => {
  const description = {
    provider: "openai",
    uses: [...uses],
    url: formatUrl(given.base),
    can_pull: false,
  } satisfies Partial<ModelServer>
  const server = { ...given, timeoutMs: Math.min(given.timeoutMs, LIST_TIMEOUT_MS) }
  try {
    const offered = await listOfferedModels(server, AbortSignal.timeout(LIST_TIMEOUT_MS * 2), { retry: false })
    if (offered === null) {
      const problem = `The server has no list of models. Set ${given.settings.model} to a model.`
      return { ...description, state: "ok", problem, models: [] }
    }
    const used = new Set<string>()
    for (const use of uses) {
      const choice = await findUsed(deps, use)
      if (choice?.engine !== "openai") continue
      const name = findUsedModel(deps.config, { ...server, use }, offered, choice.model)
      if (name !== null) used.add(name)
    }
    const models = offered.map(({ id, context }): ServerModel => {
      const use = uses.length === 1 ? uses[0]! : isEmbeddingName(id) ? "embedding" : "language"
      const fixed = { bytes: null, state: "present", pulling: false, fetched_bytes: 0 } as const
      return { name: id, use, context, in_use: used.has(id), ...fixed }
    })
    return { ...description, state: "ok", models: models.sort(byName) }
  } catch (error) {
    return { ...description, state: "down", problem: messageOf(error), models: [] }
  }
}

/** Returns the ID of the model that is chosen or used by default, or null if the settings and the server do not determine one. */
const findUsedModel = (
  { models }: Config,
  server: OpenAiServer,
  offered: NonNullable<Awaited<ReturnType<typeof listOfferedModels>>>,
  chosen: string | null,
): string | null => {
  const isLanguage = server.use === "language"
  const named = chosen ?? (isLanguage ? models.openai?.llmModel : models.openai?.embedModel)
  if (named !== undefined) return findOfferedModel(offered, named)?.id ?? null
  try {
    return chooseModel(server, offered, isLanguage ? models.llmModel : models.embedModel)
  } catch {
    return null
  }
}

/** Wrong names are reported within a second or two, before the first bytes. */
const FIRST_BYTES_TIMEOUT_MS = 10_000

/**
 * Starts to pull a model through the Ollama server of the settings. Returns once it sends the first bytes, or after ten
 * seconds. `listModelServers` reports the progress, or why the pull failed.
 * @throws AppError `not_found` for an unknown model, `unavailable` without Ollama or if downloads are disabled
 */
export const startOllamaPull = async (
  { config, log, modelPulls }: Pick<Deps, "config" | "log" | "modelPulls">,
  name: string,
): Promise<string> => {
  const key = fullModelName(name)
  if (modelPulls.get(key)?.isRunning) return key
  const progress = (state: Partial<ModelPull>): void => {
    const last = modelPulls.get(key) ?? { isRunning: true, done: 0, total: 0, problem: null }
    modelPulls.set(key, { ...last, ...state })
  }
  progress({ isRunning: true, done: 0, total: 0, problem: null })
  let reportStart = (): void => {}
  const started = new Promise<void>((resolve) => {
    reportStart = resolve
  })
  const pull = pullFromOllama(config, name, {
    signal: new AbortController().signal,
    progress: (done, total) => {
      progress({ done, total })
      reportStart()
    },
  }).then(
    () => {
      modelPulls.delete(key)
      log.info({ model: name }, "model pulled")
    },
    (error: unknown) => {
      // A name that no registry has is not listed.
      if (AppError.is(error) && error.code === "not_found") modelPulls.delete(key)
      else progress({ isRunning: false, problem: messageOf(error) })
      log.warn({ model: name, detail: messageOf(error) }, "model pull failed")
      throw error
    },
  )
  const timer = setTimeout(reportStart, FIRST_BYTES_TIMEOUT_MS)
  pull.catch(() => {})
  await Promise.race([pull, started]).finally(() => clearTimeout(timer))
  return key
}

/**
 * Pulls a model through the Ollama server of the settings, to the end.
 * @throws AppError `not_found` for a model that neither the catalog nor Ollama has, `unavailable`
 */
export const pullFromOllama = async (
  { models, speech }: Config,
  model: string,
  options: { readonly signal: AbortSignal; readonly progress: (done: number, total: number) => void },
): Promise<void> => {
  const isName = OLLAMA_MODEL_NAME.test(model)
  if (!isName || !(await probeOllama(models.ollamaUrl)).reachable) {
    const reason = isName ? `, and no Ollama server answers at ${formatUrl(models.ollamaUrl)} to pull it` : ""
    throw new AppError(
      "not_found",
      `There is no model '${model}' in the catalog${reason}. \`earmark models list\` shows the available models.`,
    )
  }
  if (speech.models.offline)
    throw new AppError("unavailable", `Couldn't pull ${model}: SERVICE_MODELS_OFFLINE disables downloads.`)
  await pullOllamaModel({ baseUrl: models.ollamaUrl, model, ...options })
}
