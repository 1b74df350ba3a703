import { messageOf } from "#lib/domain/errors.ts"
import { type Config, SETTINGS } from "#lib/platform/config/config.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { settings } from "../environment.ts"
import { blobs, database, dataFolder, nodeVersion } from "./machine.ts"
import { capabilityGroups, modelServer, running, speechEngines } from "./parts.ts"

/** One thing that was looked at. `mend` is what to type or change; `bad` means that nothing works without it. */
export type Finding = {
  readonly name: string
  readonly state: "ok" | "warn" | "bad"
  readonly detail: string
  readonly fix?: string
}

/** Looks at everything that Earmark needs or can use. Never throws: what fails is a finding. */
export const findings = async (): Promise<Finding[]> => {
  let config: Config
  try {
    config = settings()
  } catch (error) {
    return [
      nodeVersion(),
      { name: "settings", state: "bad", detail: messageOf(error), fix: "correct the setting, or unset it" },
    ]
  }
  const log = createLogger("silent", "doctor")
  const strange = Object.keys(process.env).filter((name) => name.startsWith("SERVICE_") && !SETTINGS.includes(name))
  const settingsFound: Finding[] = strange.map((name) => ({
    name: "settings",
    state: "warn",
    detail: `${name} is no setting of Earmark`,
    mend: "look for the right name in .env.example",
  }))
  const looks: [string, () => Finding[] | Promise<Finding[]>][] = [
    ["node", () => [nodeVersion()]],
    ["packages", () => capabilityGroups(config)],
    ["data folder", () => dataFolder(config)],
    ["files", () => blobs(config)],
    ["database", () => database(config, log)],
    ["speech", () => speechEngines(config, log)],
    ["model server", () => modelServer(config)],
    ["service", () => running(config)],
  ]
  const found = await Promise.all(
    looks.map(async ([name, look]) => {
      try {
        return await look()
      } catch (error) {
        return [{ name, state: "bad", detail: messageOf(error) } satisfies Finding]
      }
    }),
  )
  return [...settingsFound, ...found.flat()]
}
