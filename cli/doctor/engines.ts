import { jobOptions } from "#lib/domain/jobs/jobs.ts"
import { probeOllama } from "#lib/engines/language/ollama/index.ts"
import { probeEngines } from "#lib/engines/speech/index.ts"
import { probeGroups } from "#lib/platform/capabilities/load.ts"
import { type CapabilityGroup, GROUPS, LAZY_GROUPS } from "#lib/platform/capabilities/packages.ts"
import { verifyGroup } from "#lib/platform/capabilities/verify-group.ts"
import type { Config } from "#lib/platform/config/config.ts"
import type { Logger } from "#lib/platform/logger.ts"
import type { Finding } from "./finding.ts"

const REQUEST_TIMEOUT_MS = 1500
/** Groups that workers need. Without `rag` nothing is stored. */
const REQUIRED_GROUPS = new Set(["rag", "broker"])

export const checkCapabilityGroups = async (config: Config): Promise<Finding[]> => {
  const probed = await probeGroups(config.disabledExtras)
  const verified = await Promise.all(
    LAZY_GROUPS.map(async (name) => [name, await verifyGroup(name, probed[name])] as const),
  )
  const groups = { ...probed, ...Object.fromEntries(verified) }
  const withPackages = Object.entries(groups).filter(([name]) => GROUPS[name as CapabilityGroup].length > 0)
  return withPackages.map(([name, group]): Finding => {
    if (group.state === "present") return { name: `group ${name}`, state: "ok", detail: "present" }
    return {
      name: `group ${name}`,
      state: REQUIRED_GROUPS.has(name) ? "error" : "warn",
      detail: group.detail,
      fix: group.install,
    }
  })
}

export const checkSpeechEngines = async (config: Config, log: Logger): Promise<Finding[]> => {
  const engines = await probeEngines(config, log)
  const hasEngine = engines.some((e) => e.probe.available)
  return engines.map(({ name, probe }): Finding => {
    if (probe.available) return { name: `speech ${name}`, state: "ok", detail: probe.detail }
    return { name: `speech ${name}`, state: hasEngine ? "warn" : "error", detail: probe.detail }
  })
}

/**
 * Compares how many requests Ollama answers at a time with what a job sends. Ollama does not report its setting, so that only
 * one that this process shares is known.
 */
export const checkParallelRequests = (setting: string | undefined): Finding[] => {
  const { max_concurrency } = jobOptions.parse({})
  if (!setting || Number(setting) >= max_concurrency) return []
  return [
    {
      name: "ollama",
      state: "warn",
      detail: `OLLAMA_NUM_PARALLEL is ${setting}, and jobs send up to ${max_concurrency} requests at a time`,
      fix: `run \`ollama serve\` with OLLAMA_NUM_PARALLEL=${max_concurrency}, or submit jobs with a smaller max_concurrency`,
    },
  ]
}

export const checkModelServer = async ({ models }: Config): Promise<Finding[]> => {
  const { reachable, models: pulled } = await probeOllama(models.ollamaUrl, AbortSignal.timeout(REQUEST_TIMEOUT_MS))
  // Another server is configured and answers for it (cli/doctor/servers.ts).
  if (!reachable && models.openai && models.provider !== "ollama") return []
  if (!reachable) {
    const detail = `no Ollama at ${models.ollamaUrl}; the builtin provider writes topics`
    return [
      {
        name: "ollama",
        state: models.provider === "ollama" ? "error" : "warn",
        detail,
        fix: "run `ollama serve` for better titles and summaries",
      },
    ]
  }
  const has = (name: string) => pulled.some((p) => p === name || p === `${name}:latest`)
  return [
    { name: "ollama", state: "ok", detail: `${models.ollamaUrl}, ${pulled.length} models` },
    ...checkParallelRequests(process.env.OLLAMA_NUM_PARALLEL),
    ...[models.llmModel, models.embedModel].map(
      (name): Finding =>
        has(name)
          ? { name: `model ${name}`, state: "ok", detail: "pulled" }
          : { name: `model ${name}`, state: "warn", detail: "not pulled", fix: `ollama pull ${name}` },
    ),
  ]
}

/** Checks whether the service responds at its address. A service that is not running is not a problem. */
export const checkService = async ({ http }: Config): Promise<Finding[]> => {
  const url = `http://${http.host}:${http.port}`
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
    const body = (await response.json()) as { status?: string }
    if (body.status === "ok") return [{ name: "service", state: "ok", detail: `responds at ${url}` }]
    return [
      {
        name: "service",
        state: "warn",
        detail: `another program responds at ${url}`,
        fix: "set SERVICE_PORT to a free port",
      },
    ]
  } catch {
    return [{ name: "service", state: "ok", detail: `not running at ${url}; start it with npm start` }]
  }
}
