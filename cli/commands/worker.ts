import { spawn } from "node:child_process"
import { join } from "node:path"
import type { Command } from "commander"
import { packageRoot } from "#lib/package-root.ts"
import { settings } from "../environment.ts"

export const addWorker = (program: Command): void => {
  program
    .command("worker")
    .description("run one worker process; any number may run side by side")
    .option("--stages <names>", "comma-separated stages it takes; all when left out")
    .action(async (options: { stages?: string }) => {
      settings()
      const args = options.stages === undefined ? [] : ["--stages", options.stages]
      process.exitCode = await runWorker(args)
    })
}

/** Runs dist/worker.js in this process's place: same output, signals handed on, its exit code back. */
const runWorker = (args: string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(packageRoot(), "dist/worker.js"), ...args], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      // A group of its own: else Ctrl-C would reach it twice, and a second signal means "leave at once".
      detached: true,
    })
    const pass = (signal: NodeJS.Signals) => child.kill(signal)
    process.on("SIGTERM", pass).on("SIGINT", pass)
    child.once("error", reject)
    child.once("exit", (code) => {
      process.off("SIGTERM", pass).off("SIGINT", pass)
      resolve(code ?? 1)
    })
  })
