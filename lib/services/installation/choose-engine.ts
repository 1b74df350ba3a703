import type { Choice, ChoiceKind } from "../../domain/engine-choice.ts"
import { fullModelName, probeOllama } from "../../engines/language/ollama/client.ts"
import { detectEngine } from "../../engines/speech/index.ts"
import type { Config } from "../../platform/config/config.ts"
import type { Logger } from "../../platform/logger.ts"

type Probed = Pick<Choice, "value" | "reason">
type Context = { readonly config: Config; readonly log: Logger; readonly provider: string }

const has = (models: readonly string[], name: string): boolean =>
  models.some((model) => fullModelName(model) === fullModelName(name))

const provider = async ({ models }: Config): Promise<Probed> => {
  const server = await probeOllama(models.ollamaUrl)
  if (!server.reachable) return { value: "builtin", reason: `no Ollama server answers at ${models.ollamaUrl}` }
  return has(server.models, models.llmModel)
    ? { value: "ollama", reason: `${models.llmModel} is pulled on ${models.ollamaUrl}` }
    : { value: "builtin", reason: `${models.llmModel} is not pulled on ${models.ollamaUrl}` }
}

/** Follows the provider; only a server that answers and lacks the model makes it the builtin one. */
const embedder = async ({ models }: Config, following: string): Promise<Probed> => {
  if (following !== "ollama") return { value: "builtin", reason: "follows the provider" }
  const server = await probeOllama(models.ollamaUrl)
  return server.reachable && !has(server.models, models.embedModel)
    ? { value: "builtin", reason: `${models.embedModel} is not pulled on ${models.ollamaUrl}` }
    : { value: "ollama", reason: `follows the provider: ${models.embedModel} on ${models.ollamaUrl}` }
}

/**
 * Looks what there is and picks what `auto` means here, with the reason in words.
 * @throws AppError when no speech engine can run
 */
export const probeChoice = async (kind: ChoiceKind, { config, log, provider: following }: Context): Promise<Probed> => {
  if (kind === "provider") return provider(config)
  if (kind === "embedder") return embedder(config, following)
  const { name, reason } = await detectEngine(config, log)
  return { value: name, reason }
}
