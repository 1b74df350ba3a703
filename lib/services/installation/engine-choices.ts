import { AppError } from "../../domain/errors.ts"
import type { ChoiceKind } from "../../domain/installation.ts"
import { engineName, providerName } from "../../domain/jobs/jobs.ts"
import { formatIssue } from "../../domain/validation-messages.ts"
import { probeOllama } from "../../engines/language/ollama/index.ts"
import { probeEngines } from "../../engines/speech/index.ts"
import { type Deps, requireStore } from "../deps.ts"
import { countTextsToEmbed, requestChange } from "../embedding/embedder-change.ts"
import { withPendingChange } from "../embedding/pending-change.ts"
import { detectOpenAiModel } from "./openai-models.ts"
import { isProviderName, requireSentenceModel } from "./sentence-models.ts"

export const CHOICE_KINDS: readonly ChoiceKind[] = ["provider", "embedder", "speech"]

export type EngineChange = {
  readonly detail: string
  /** The number of topics or texts whose vectors must be computed again. */
  readonly reembed: number
  /** True if the choice takes effect when these vectors are computed. */
  readonly isPending: boolean
}

export type EngineRow = { kind: ChoiceKind; value: string; reason: string }

/** Returns the chosen engine of each kind, and why it was chosen. */
export const listEngineChoices = async (deps: Deps): Promise<EngineRow[]> => {
  const choices = await requireStore(deps).installation.listChoices()
  const { models, speech } = deps.config
  const settings: Partial<Record<ChoiceKind, string>> = { provider: models.provider, speech: speech.engine }
  return CHOICE_KINDS.map((kind) => {
    const setting = settings[kind]
    if (setting !== undefined && setting !== "auto") return { kind, value: setting, reason: "set by the environment" }
    const choice = choices.find((c) => c.kind === kind)
    if (!choice) return { kind, value: "auto", reason: "not chosen yet: the first job decides" }
    const reason = `${choice.reason} (${new Date(choice.chosen_at).toISOString()})`
    return { kind, value: choice.value, reason: kind === "embedder" ? withPendingChange(reason, choices) : reason }
  })
}

/**
 * Sets the engine of a kind, or with "auto" removes the choice. An embedding model is used once all texts have its vectors,
 * which `finishChange` computes.
 * @throws AppError `invalid` for an unknown kind or value, `unavailable` if the engine cannot run
 */
export const setEngineChoice = async (deps: Deps, p: { kind: string; value: string }): Promise<EngineChange> => {
  const kind = CHOICE_KINDS.find((known) => known === p.kind)
  if (!kind) throw new AppError("invalid", `unknown kind '${p.kind}'; kinds are ${CHOICE_KINDS.join(", ")}`)
  const store = requireStore(deps)
  if (kind === "embedder") await store.installation.setChoice("next_embedder", null)
  if (p.value === "auto") await store.installation.setChoice(kind, null)
  else {
    const value = await checkEngine(deps, kind, p.value)
    if (kind === "embedder") {
      const embedder = await deps.engines.findEmbedder(value)
      const texts = await countTextsToEmbed({ ...deps, store }, embedder)
      if (texts > 0) {
        await requestChange(store, value, texts)
        return {
          detail: `${texts} texts must be embedded with ${embedder.name}; until then the current embedder stays in use${await describeDocuments(deps)}`,
          reembed: texts,
          isPending: true,
        }
      }
    }
    await store.installation.setChoice(kind, { value, reason: "set with earmark engines set" })
  }
  if (kind === "speech")
    return { detail: `speech is now ${p.value}; existing transcripts do not change`, reembed: 0, isPending: false }
  const { topics } = await store.map.getSnapshot()
  const hashes = [...new Set(topics.map((topic) => topic.hash))]
  const model = (await deps.engines.getEmbedder()).name
  const reembed = hashes.length - (await store.map.getVectors(model, hashes)).size
  return {
    detail: `${kind} is now ${p.value}; ${reembed} of ${hashes.length} topics must be embedded again with ${model}`,
    reembed,
    isPending: false,
  }
}

/** Says what happens to ingested documents, whose files are read again for new vectors. */
const describeDocuments = async ({ index }: Deps): Promise<string> => {
  const { length } = await index.listFiles()
  if (length === 0) return ""
  return `. Then ${length === 1 ? "1 document is" : `${length} documents are`} found by words only until ingested again (earmark ingest)`
}

/** Returns the value to store. */
const checkEngine = async (deps: Deps, kind: ChoiceKind, value: string): Promise<string> => {
  if (kind === "embedder" && !isProviderName(value)) return requireSentenceModel(deps.config, value)
  const parsed = (kind === "speech" ? engineName : providerName).safeParse(value)
  if (!parsed.success) throw new AppError("invalid", `${kind} '${value}' ${formatIssue(parsed.error.issues[0]!)}`)
  const reason = await (kind === "speech" ? findSpeechProblem(deps, value) : findProviderProblem(deps, kind, value))
  if (reason !== null) throw new AppError("unavailable", reason)
  return value
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
  provider: string,
): Promise<string | null> => {
  if (provider === "openai") {
    const found = await detectOpenAiModel(config, kind === "provider" ? "language" : "embedding", log)
    return "model" in found ? null : found.problem
  }
  if (provider !== "ollama") return null
  const { ollamaUrl } = config.models
  const { reachable } = await probeOllama(ollamaUrl, AbortSignal.timeout(OLLAMA_TIMEOUT_MS))
  return reachable
    ? null
    : `Ollama is not reachable at ${ollamaUrl}. Start it with  ollama serve  or set SERVICE_OLLAMA_BASE_URL.`
}
