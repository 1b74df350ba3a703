import { engineName, providerName } from "../contracts/jobs.ts"
import { AppError } from "../errors.ts"
import type { ChoiceKind } from "../store/types.ts"
import type { Deps } from "./deps.ts"
import { requireStore } from "./require.ts"

export const CHOICE_KINDS: readonly ChoiceKind[] = ["provider", "embedder", "speech"]

export type EngineRow = { kind: ChoiceKind; value: string; reason: string }

/** What stands for each kind of engine; a kind about which nothing was decided yet says so. */
export const describeEngines = async (deps: Deps): Promise<EngineRow[]> => {
  const chosen = await requireStore(deps).choices()
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

/** A choice is only worth keeping when something can run it. */
const checked = (kind: ChoiceKind, value: string): string => {
  if (kind === "embedder") return value
  const parsed = (kind === "provider" ? providerName : engineName).safeParse(value)
  if (parsed.success) return parsed.data
  throw new AppError("invalid", `${kind} '${value}': ${parsed.error.issues[0]?.message}`)
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
  if (p.value === "auto") await store.setChoice(kind, null)
  else await store.setChoice(kind, { value: checked(kind, p.value), reason: "set with earmark engines set" })
  if (kind === "speech")
    return { detail: `speech is now ${p.value}; transcripts that exist stay as they are`, reembed: 0 }
  const { topics } = await store.mapSnapshot()
  const hashes = [...new Set(topics.map((t) => t.hash))]
  const model = (await deps.engines.embedder()).name
  const reembed = hashes.length - (await store.getVectors(model, hashes)).size
  return {
    detail: `${kind} is now ${p.value}; ${reembed} of ${hashes.length} topics must be embedded anew (${model})`,
    reembed,
  }
}
