import { probeOllama } from "#lib/engines/language/ollama/index.ts"
import { probeEngines } from "#lib/engines/speech/index.ts"
import { probeGroups } from "#lib/platform/capabilities/load.ts"
import { type CapabilityGroup, GROUPS, LAZY_GROUPS } from "#lib/platform/capabilities/packages.ts"
import { verifyGroup } from "#lib/platform/capabilities/verify-group.ts"
import type { Config } from "#lib/platform/config/config.ts"
import type { Logger } from "#lib/platform/logger.ts"
import type { Finding } from "./findings.ts"

const ASK_MS = 1500
/** Without these the service answers less; without `rag` it keeps nothing. */
const NEEDED = new Set(["rag", "broker"])

export const capabilityGroups = async (config: Config): Promise<Finding[]> => {
  const looked = await probeGroups(config.disabledExtras)
  const proven = await Promise.all(
    LAZY_GROUPS.map(async (name) => [name, await verifyGroup(name, looked[name])] as const),
  )
  const groups = { ...looked, ...Object.fromEntries(proven) }
  const real = Object.entries(groups).filter(([name]) => GROUPS[name as CapabilityGroup].length > 0)
  return real.map(([name, group]): Finding => {
    if (group.state === "present") return { name: `group ${name}`, state: "ok", detail: "present" }
    return {
      name: `group ${name}`,
      state: NEEDED.has(name) ? "bad" : "warn",
      detail: group.detail,
      fix: group.install,
    }
  })
}

export const speechEngines = async (config: Config, log: Logger): Promise<Finding[]> => {
  const engines = await probeEngines(config, log)
  const any = engines.some((e) => e.probe.available)
  return engines.map(({ name, probe }): Finding => {
    if (probe.available) return { name: `speech ${name}`, state: "ok", detail: probe.detail }
    return { name: `speech ${name}`, state: any ? "warn" : "bad", detail: probe.detail }
  })
}

export const modelServer = async ({ models }: Config): Promise<Finding[]> => {
  const { reachable, models: pulled } = await probeOllama(models.ollamaUrl, AbortSignal.timeout(ASK_MS))
  if (!reachable) {
    const detail = `no Ollama at ${models.ollamaUrl}; topics come from the builtin engine`
    return [
      {
        name: "ollama",
        state: models.provider === "ollama" ? "bad" : "warn",
        detail,
        fix: "ollama serve, for better titles and summaries",
      },
    ]
  }
  const has = (name: string) => pulled.some((p) => p === name || p === `${name}:latest`)
  return [
    { name: "ollama", state: "ok", detail: `${models.ollamaUrl}, ${pulled.length} models` },
    ...[models.llmModel, models.embedModel].map(
      (name): Finding =>
        has(name)
          ? { name: `model ${name}`, state: "ok", detail: "pulled" }
          : { name: `model ${name}`, state: "warn", detail: "not pulled", fix: `ollama pull ${name}` },
    ),
  ]
}

/** Whether the service answers at its address. That it does not is no fault. */
export const running = async ({ http }: Config): Promise<Finding[]> => {
  const url = `http://${http.host}:${http.port}`
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(ASK_MS) })
    const body = (await response.json()) as { status?: string }
    if (body.status === "ok") return [{ name: "service", state: "ok", detail: `answers at ${url}` }]
    return [
      {
        name: "service",
        state: "warn",
        detail: `something else answers at ${url}`,
        fix: "set SERVICE_PORT to a free port",
      },
    ]
  } catch {
    return [{ name: "service", state: "ok", detail: `not running at ${url}; npm start starts it` }]
  }
}
