import { formatEngineValue, parseEngineValue } from "../../domain/engine-value.ts"
import type { EngineChange } from "../../domain/engines.ts"
import { AppError } from "../../domain/errors.ts"
import type { ChoiceKind } from "../../domain/installation.ts"
import { engineName, providerName } from "../../domain/jobs/jobs.ts"
import { formatIssue } from "../../domain/validation-messages.ts"
import { fullModelName, OLLAMA_MODEL_NAME, probeOllama } from "../../engines/language/ollama/index.ts"
import { probeEngines } from "../../engines/speech/index.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import { type Deps, requireStore } from "../deps.ts"
import { countTextsToEmbed, requestChange } from "../embedding/embedder-change.ts"
import { withPendingChange } from "../embedding/pending-change.ts"
import { detectOpenAiModel } from "./openai-models.ts"
import { isProviderName, requireSentenceModel } from "./sentence-models.ts"

export const CHOICE_KINDS: readonly ChoiceKind[] = ["provider", "embedder", "speech"]

export type EngineRow = { kind: ChoiceKind; value: string; reason: string }

/** Returns the setting that determines the engine of a kind, or null if it can be chosen. */
export const findEngineSetting = ({ models, speech }: Config, kind: ChoiceKind): string | null => {
  if (kind === "provider" && models.provider !== "auto") return "SERVICE_PROVIDER"
  return kind === "speech" && speech.engine !== "auto" ? "SERVICE_SPEECH_ENGINE" : null
}

/** Returns the chosen engine of each kind, and why it was chosen. */
export const listEngineChoices = async (deps: Deps): Promise<EngineRow[]> => {
  const choices = await requireStore(deps).installation.listChoices()
  const { models, speech } = deps.config
  return CHOICE_KINDS.map((kind) => {
    if (findEngineSetting(deps.config, kind) !== null)
      return { kind, value: kind === "speech" ? speech.engine : models.provider, reason: "set by the environment" }
    const choice = choices.find((c) => c.kind === kind)
    if (!choice) return { kind, value: "auto", reason: "not chosen yet: the first job decides" }
    const reason = `${choice.reason} (${new Date(choice.chosen_at).toISOString()})`
    return { kind, value: choice.value, reason: kind === "embedder" ? withPendingChange(reason, choices) : reason }
  })
}

type RequestedChoice = { readonly kind: string; readonly value: string; readonly isDryRun?: boolean }

/**
 * Sets the engine of a kind, or with "auto" removes the choice. An embedding model is used once all texts have its vectors,
 * which `finishChange` computes.
 * @throws AppError `invalid` for an unknown kind or value, `unavailable` if the engine cannot run, `conflict` if a setting
 * determines the engine
 */
export const setEngineChoice = async (
  deps: Deps,
  { kind: requested, value: given, isDryRun = false }: RequestedChoice,
): Promise<EngineChange> => {
  const kind = CHOICE_KINDS.find((known) => known === requested)
  if (!kind) throw new AppError("invalid", `unknown kind '${requested}'; kinds are ${CHOICE_KINDS.join(", ")}`)
  const setting = findEngineSetting(deps.config, kind)
  if (setting !== null) throw new AppError("conflict", `${setting} determines the engine. Unset it to choose one.`)
  const store = requireStore(deps)
  const value = given === "auto" ? null : await checkEngine(deps, kind, given)
  const texts = kind === "embedder" && value !== null ? await countTexts(deps, store, value) : 0
  if (!isDryRun) await storeChoice(store, kind, value, texts)
  const detail = await describeChange(deps, kind, given, texts, isDryRun)
  return { kind, value: value ?? "auto", detail, texts, is_pending: texts > 0 }
}

const countTexts = async (deps: Deps, store: Store, value: string): Promise<number> =>
  countTextsToEmbed({ ...deps, store }, await deps.engines.findEmbedder(value))

const storeChoice = async (store: Store, kind: ChoiceKind, value: string | null, texts: number): Promise<void> => {
  if (kind === "embedder") await store.installation.setChoice("next_embedder", null)
  if (value !== null && texts > 0) await requestChange(store, value, texts)
  else await store.installation.setChoice(kind, value === null ? null : { value, reason: "chosen by a person" })
}

const describeChange = async (
  { engines }: Deps,
  kind: ChoiceKind,
  value: string,
  texts: number,
  isDryRun: boolean,
): Promise<string> => {
  if (kind === "embedder" && texts > 0) {
    const { name } = await engines.findEmbedder(value)
    return `${texts} texts must be embedded with ${name}; until then the current embedder stays in use`
  }
  const verb = isDryRun ? "would be" : "is now"
  if (kind === "speech") return `speech ${verb} ${value}; existing transcripts do not change`
  return kind === "provider"
    ? `provider ${verb} ${value}; existing topics do not change`
    : `embedder ${verb} ${value}; no texts must be embedded again`
}

/** Returns the value to store of an engine that can run. */
const checkEngine = async (deps: Deps, kind: ChoiceKind, given: string): Promise<string> => {
  const value = await checkEngineName(deps, kind, given)
  if (kind === "embedder" && !isProviderName(parseEngineValue(value).engine)) return value
  const reason = await (kind === "speech" ? findSpeechProblem(deps, value) : findProviderProblem(deps, kind, value))
  if (reason !== null) throw new AppError("unavailable", reason)
  return value
}

const SERVER_MODEL_NAME = /^[^\p{C}]{1,200}$/u

/** Returns the value that stands for an engine. @throws AppError `invalid` for an unknown one */
export const checkEngineName = async (
  { config }: Pick<Deps, "config">,
  kind: ChoiceKind,
  value: string,
): Promise<string> => {
  const { engine, model } = kind === "speech" ? { engine: value, model: null } : parseEngineValue(value)
  if (kind === "embedder" && !isProviderName(engine)) return requireSentenceModel(config, value)
  const parsed = (kind === "speech" ? engineName : providerName).safeParse(engine)
  if (!parsed.success) throw new AppError("invalid", `${kind} '${value}' ${formatIssue(parsed.error.issues[0]!)}`)
  if (model !== null && !(engine === "ollama" ? OLLAMA_MODEL_NAME : SERVER_MODEL_NAME).test(model))
    throw new AppError("invalid", `${kind} '${value}' must name a model after the slash, such as ${engine}/qwen3:8b`)
  return formatEngineValue({ engine: parsed.data, model })
}

/** Returns why a speech engine cannot run, or null if it can. */
const findSpeechProblem = async ({ config, log }: Deps, engine: string): Promise<string | null> => {
  const probes = await probeEngines(config, log)
  const found = probes.find(({ name }) => name === engine)
  if (!found) return `Speech engine '${engine}' is not included. Available: ${probes.map((p) => p.name).join(", ")}.`
  return found.probe.available ? null : found.probe.detail
}

const OLLAMA_TIMEOUT_MS = 1500

/** Returns why a provider cannot run, or null if it can. */
const findProviderProblem = async (
  { config, log }: Deps,
  kind: "provider" | "embedder",
  value: string,
): Promise<string | null> => {
  const { engine, model } = parseEngineValue(value)
  if (engine === "openai") {
    const found = await detectOpenAiModel(config, kind === "provider" ? "language" : "embedding", log, model)
    return "model" in found ? null : found.problem
  }
  if (engine !== "ollama") return null
  const { ollamaUrl } = config.models
  const { reachable, models } = await probeOllama(ollamaUrl, AbortSignal.timeout(OLLAMA_TIMEOUT_MS))
  const isPulled = model === null || models.some((name) => fullModelName(name) === fullModelName(model))
  if (reachable)
    return isPulled ? null : `The model ${model} is not pulled on ${ollamaUrl}. Run: npx earmark models pull ${model}`
  return `Ollama is not reachable at ${ollamaUrl}. Start it with  ollama serve  or set SERVICE_OLLAMA_BASE_URL.`
}
