import type { Command } from "commander"
import { settings } from "../environment.ts"
import { supervise } from "../supervisor.ts"

export const addServe = (program: Command): void => {
  program
    .command("serve")
    .description("run the web process, a stage worker and a persist worker under one supervisor")
    .option("--no-workers", "only the web process; workers are started elsewhere")
    .option("--dev", "pages with hot reload (needs the development packages)")
    .action(async (options: { workers: boolean; dev?: boolean }) => {
      settings() // a wrong setting ends the start here, once, with its sentence
      const supervisor = supervise({ workers: options.workers, dev: options.dev ?? false })
      supervisor.ready.then(
        (url) => process.stderr.write(`earmark: listening on ${url} (the map: ${url}/viz)\n`),
        () => undefined,
      )
      process.exitCode = await supervisor.done
    })
}
