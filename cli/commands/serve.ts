import type { Command } from "commander"
import { probeGroups } from "#lib/platform/capabilities/load.ts"
import { capabilityError } from "#lib/platform/capabilities/registry.ts"
import type { Config } from "#lib/platform/config/config.ts"
import { settings } from "../environment.ts"
import { supervise } from "../supervisor.ts"

/** Workers need store and queue. Without them the web process still answers what it can, and says what is missing. */
const canWork = async ({ disabledExtras }: Config): Promise<boolean> => {
  const groups = await probeGroups(disabledExtras)
  const lacking = (["rag", "broker"] as const).find((name) => groups[name].state !== "present")
  if (lacking === undefined) return true
  process.stderr.write(`earmark: no workers are started. ${capabilityError(lacking, groups[lacking]).message}\n`)
  return false
}

export const addServe = (program: Command): void => {
  program
    .command("serve")
    .description("run the web process, a stage worker and a persist worker under one supervisor")
    .option("--no-workers", "only the web process; workers are started elsewhere")
    .option("--dev", "pages with hot reload (needs the development packages)")
    .action(async (options: { workers: boolean; dev?: boolean }) => {
      const config = settings() // a wrong setting ends the start here, once, with its sentence
      const workers = options.workers && (await canWork(config))
      const supervisor = supervise({ workers, dev: options.dev ?? false })
      supervisor.ready.then(
        (url) => process.stderr.write(`earmark: listening on ${url} (the map: ${url}/viz)\n`),
        () => undefined,
      )
      process.exitCode = await supervisor.done
    })
}
