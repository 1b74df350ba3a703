import { existsSync } from "node:fs"
import type { ChoiceKind } from "#lib/domain/installation.ts"
import type { Config } from "#lib/platform/config/config.ts"
import type { Logger } from "#lib/platform/logger.ts"
import { listEngineChoices } from "#lib/services/installation/engine-choices.ts"
import { openNode } from "#lib/services/installation/open-node.ts"
import { detectOpenAiModel } from "#lib/services/installation/openai-models.ts"
import { listReceivers } from "#lib/services/installation/receivers.ts"
import type { Finding } from "./finding.ts"

/** Checks the OpenAI-compatible servers, if one is set. Requests one embedding. */
export const checkOpenAiServers = async (config: Config, log: Logger): Promise<Finding[]> => {
  const { openai, provider } = config.models
  if (!openai) return []
  const uses = [
    { use: "language", name: "openai", url: openai.url },
    { use: "embedding", name: "openai embeddings", url: openai.embedUrl },
  ] as const
  return Promise.all(
    uses.map(async ({ use, name, url }): Promise<Finding> => {
      const found = await detectOpenAiModel(config, use, log)
      if ("model" in found) return { name, state: "ok", detail: `${found.model} at ${url}` }
      const isNeeded = use === "language" && provider === "openai"
      return { name, state: isNeeded ? "error" : "warn", detail: found.problem }
    }),
  )
}

type Choices = Partial<Record<ChoiceKind, string>>

/** Returns the engine of each kind, or `auto` if it is not chosen yet. Creates no database. */
const readChoices = async (config: Config, log: Logger): Promise<Choices> => {
  const { models, speech, data } = config
  if (data.url === undefined && !existsSync(data.dbPath))
    return { provider: models.provider, embedder: "auto", speech: speech.engine }
  const node = await openNode(config, log)
  try {
    const rows = node.store ? await listEngineChoices(node) : []
    return Object.fromEntries(rows.map(({ kind, value }) => [kind, value]))
  } finally {
    await node.close()
  }
}

/** Says which other machines get text or audio, and whether a configured server is not in use. */
export const checkReceivers = async (config: Config, log: Logger): Promise<Finding[]> => {
  const chosen = await readChoices(config, log)
  const sent = listReceivers(config, chosen).map(({ detail }): Finding => ({ name: "privacy", state: "ok", detail }))
  if (sent.length === 0) sent.push({ name: "privacy", state: "ok", detail: "no text or audio leaves this machine" })
  const { openai, provider } = config.models
  if (openai === null || provider !== "auto" || ["openai", "auto"].includes(chosen.provider ?? "auto")) return sent
  const unused: Finding = {
    name: "engines",
    state: "warn",
    detail: `SERVICE_OPENAI_BASE_URL is set, but the provider is ${chosen.provider}, which was chosen earlier`,
    fix: "npx earmark engines set provider=openai && npx earmark engines set embedder=openai",
  }
  return [...sent, unused]
}
