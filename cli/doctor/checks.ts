import { messageOf } from "#lib/domain/errors.ts"
import { type Config, SETTINGS } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { settings } from "../environment.ts"
import { checkCapabilityGroups, checkModelServer, checkService, checkSpeechEngines } from "./engines.ts"
import type { Finding } from "./finding.ts"
import { checkBlobs, checkDatabase, checkDataFolder, checkNodeVersion } from "./machine.ts"
import { checkOpenAiServers, checkReceivers } from "./servers.ts"
import { checkToken, countApiTokens } from "./token.ts"

/** Checks everything that Earmark needs or can use. Never throws: a check that fails is a finding. */
export const runChecks = async (): Promise<Finding[]> => {
  let config: Config
  try {
    config = settings()
  } catch (error) {
    return [
      checkNodeVersion(),
      { name: "settings", state: "error", detail: messageOf(error), fix: "correct or remove the setting" },
    ]
  }
  const log = createLogger("silent", "doctor")
  const unknown = Object.keys(process.env).filter((name) => name.startsWith("SERVICE_") && !SETTINGS.includes(name))
  const settingFindings: Finding[] = unknown.map((name) => ({
    name: "settings",
    state: "warn",
    detail: `${name} is not a setting of Earmark`,
    fix: "see .env.example for the settings",
  }))
  const checks: [string, () => Finding[] | Promise<Finding[]>][] = [
    ["node", () => [checkNodeVersion()]],
    ["packages", () => checkCapabilityGroups(config)],
    ["data folder", () => checkDataFolder(config)],
    ["files", () => checkBlobs(config)],
    ["database", () => checkDatabase(config, log)],
    ["speech", () => checkSpeechEngines(config, log)],
    ["model server", () => checkModelServer(config)],
    ["openai", () => checkOpenAiServers(config, log)],
    ["receivers", () => checkReceivers(config, log)],
    ["token", async () => [checkToken(config, await countApiTokens(config, log))]],
    ["service", () => checkService(config)],
  ]
  const found = await Promise.all(
    checks.map(async ([name, check]) => {
      try {
        return await check()
      } catch (error) {
        return [{ name, state: "error", detail: messageOf(error) } satisfies Finding]
      }
    }),
  )
  return [...settingFindings, ...found.flat()]
}
