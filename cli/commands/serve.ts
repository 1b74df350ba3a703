import type { Command } from "commander"
import { probeGroups } from "#lib/platform/capabilities/load.ts"
import { capabilityError } from "#lib/platform/capabilities/registry.ts"
import type { Config } from "#lib/platform/config/config.ts"
import { settings } from "../environment.ts"
import { supervise } from "../supervisor.ts"

/** Returns true if store and queue are installed; otherwise prints what is missing. Without them only the web process runs. */
const canRunWorkers = async ({ disabledExtras }: Config): Promise<boolean> => {
  const groups = await probeGroups(disabledExtras)
  const missing = (["rag", "broker"] as const).find((name) => groups[name].state !== "present")
  if (missing === undefined) return true
  process.stderr.write(`earmark: workers not started. ${capabilityError(missing, groups[missing]).message}\n`)
  return false
}

export const addServe = (program: Command): void => {
  program
    .command("serve")
    .description("start the web process, a stage worker and a persist worker")
    .option("--no-workers", "start only the web process")
    .option("--dev", "reload pages on change (requires the development packages)")
    .action(async (options: { workers: boolean; dev?: boolean }) => {
      const config = settings() // rejects a wrong setting once, before any process starts
      const workers = options.workers && (await canRunWorkers(config))
      const supervisor = supervise({ workers, dev: options.dev ?? false })
      supervisor.ready.then(
        (url) => process.stderr.write(`earmark: listening on ${url} (map: ${url}/viz)\n`),
        () => undefined,
      )
      process.exitCode = await supervisor.done
    })
}
