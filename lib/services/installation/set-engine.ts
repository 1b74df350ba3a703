import type { ChoiceKind } from "../../domain/engine-choice.ts"
import { AppError } from "../../domain/errors.ts"
import { engineName, providerName } from "../../domain/jobs/jobs.ts"
import { issueText } from "../../domain/validation-messages.ts"
import { probeOllama } from "../../engines/language/ollama/index.ts"
import { probeEngines } from "../../engines/speech/index.ts"
import type { Deps } from "../deps.ts"
import { requireStore } from "./require.ts"

export const CHOICE_KINDS: readonly ChoiceKind[] = ["provider", "embedder", "speech"]

export type EngineRow = { kind: ChoiceKind; value: string; reason: string }

/** What stands for each kind of engine; a kind about which nothing was decided yet says so. */
export const describeEngines = async (deps: Deps): Promise<EngineRow[]> => {
  const chosen = await requireStore(deps).installation.listChoices()
  const { models, speech } = deps.config
  const setting: Partial<Record<ChoiceKind, string>> = { provider: models.provider, speech: speech.engine }
  return CHOICE_KINDS.map((kind) => {
    const wish = setting[kind]
    if (wish !== undefined && wish !== "auto") return { kind, value: wish, reason: "set by the environment" }
    const choice = chosen.find((c) => c.kind === kind)
    if (!choice) return { kind, value: "auto", reason: "not chosen yet: the first job decides" }
    return { kind, value: choice.value, reason: `${choice.reason} (${new Date(choice.chosen_at).toISOString()})` }
  })
}

const ASK_MS = 1500

/** What stands in the way of an engine just now; null: nothing. */
const obstacle = async (deps: Deps, kind: ChoiceKind, value: string): Promise<string | null> => {
  if (kind === "speech") {
    const probes = await probeEngines(deps.config, deps.log)
    const found = probes.find(({ name }) => name === value)
    if (!found) return `speech '${value}' is not part of this version; there is ${probes.map((p) => p.name).join(", ")}`
    return found.probe.available ? null : found.probe.detail
  }
  if (value !== "ollama") return null
  const { ollamaUrl } = deps.config.models
  const { reachable } = await probeOllama(ollamaUrl, AbortSignal.timeout(ASK_MS))
  return reachable
    ? null
    : `no Ollama answers at ${ollamaUrl}: start it with  ollama serve  (or set SERVICE_OLLAMA_BASE_URL)`
}

/** A choice is only kept when something can run it. @throws AppError `invalid`, `unavailable` with what to do */
const check = async (deps: Deps, kind: ChoiceKind, value: string): Promise<void> => {
  const parsed = (kind === "speech" ? engineName : providerName).safeParse(value)
  if (!parsed.success) throw new AppError("invalid", `${kind} '${value}' ${issueText(parsed.error.issues[0]!)}`)
  const why = await obstacle(deps, kind, value)
  if (why) throw new AppError("unavailable", why)
}

/**
 * Changes a choice of the installation, or with "auto" forgets it. Says how many topics the map must embed anew.
 * @throws AppError `invalid` for an unknown kind or value
 */
export const setEngine = async (
  deps: Deps,
  p: { kind: string; value: string },
): Promise<{ detail: string; reembed: number }> => {
  const kind = CHOICE_KINDS.find((k) => k === p.kind)
  if (!kind) throw new AppError("invalid", `unknown kind '${p.kind}'; kinds are ${CHOICE_KINDS.join(", ")}`)
  const store = requireStore(deps)
  if (p.value === "auto") await store.installation.setChoice(kind, null)
  else {
    await check(deps, kind, p.value)
    await store.installation.setChoice(kind, { value: p.value, reason: "set with earmark engines set" })
  }
  if (kind === "speech")
    return { detail: `speech is now ${p.value}; transcripts that exist stay as they are`, reembed: 0 }
  const { topics } = await store.map.getSnapshot()
  const hashes = [...new Set(topics.map((t) => t.hash))]
  const model = (await deps.engines.embedder()).name
  const reembed = hashes.length - (await store.map.getVectors(model, hashes)).size
  return {
    detail: `${kind} is now ${p.value}; ${reembed} of ${hashes.length} topics must be embedded anew (${model})`,
    reembed,
  }
}
