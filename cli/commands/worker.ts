import { spawn } from "node:child_process"
import { hostname } from "node:os"
import { join } from "node:path"
import type { Command } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { requireGroups } from "#lib/platform/capabilities/registry.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { WORKER_STALE_AFTER_MS } from "#lib/services/installation/describe-queues.ts"
import { settings } from "../environment.ts"
import { withNode } from "../node.ts"
import { printResult } from "../output.ts"

export const addWorker = (program: Command): void => {
  program
    .command("worker")
    .description("run one worker process; any number may run side by side")
    .option("--stages <names>", "comma-separated stages it takes; all when left out")
    .option("--check", "only look whether a worker of this machine was heard of within half a minute")
    .action(async (options: { stages?: string; check?: boolean }) => {
      if (options.check) return check()
      settings()
      const args = options.stages === undefined ? [] : ["--stages", options.stages]
      process.exitCode = await runWorker(args)
    })
}

/** For health checks of containers. @throws AppError `unavailable` when no worker of this host lives */
const check = (): Promise<void> =>
  withNode(async ({ store, groups }) => {
    if (!store) return requireGroups(groups, ["rag"])
    const own = (await store.installation.listWorkers({ aliveWithinMs: WORKER_STALE_AFTER_MS })).filter(
      (w) => w.host === hostname(),
    )
    if (own.length === 0) throw new AppError("unavailable", `No worker of ${hostname()} was heard of lately.`)
    printResult({ workers: own }, () => own.map((w) => `${w.pid}: ${w.stages.join(" ")}`).join("\n"))
  })

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
