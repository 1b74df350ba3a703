import { spawn } from "node:child_process"
import { hostname } from "node:os"
import { join } from "node:path"
import type { Command } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { requireGroups } from "#lib/platform/capabilities/registry.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { WORKER_STALE_AFTER_MS } from "#lib/services/installation/describe-installation.ts"
import { settings } from "../environment.ts"
import { withNode } from "../node.ts"
import { printResult } from "../output.ts"

export const addWorker = (program: Command): void => {
  program
    .command("worker")
    .description("start a worker process; any number can run concurrently")
    .option("--stages <names>", "comma-separated stages to execute (default: all)")
    .option("--check", "check that a worker on this machine sent a heartbeat in the last 30 seconds, then exit")
    .action(async (options: { stages?: string; check?: boolean }) => {
      if (options.check) return check()
      settings()
      const args = options.stages === undefined ? [] : ["--stages", options.stages]
      process.exitCode = await runWorker(args)
    })
}

/** Checks for a live worker, for container health checks. @throws AppError `unavailable` if this host has none */
const check = (): Promise<void> =>
  withNode(async ({ store, groups }) => {
    if (!store) return requireGroups(groups, ["rag"])
    const own = (await store.installation.listWorkers({ aliveWithinMs: WORKER_STALE_AFTER_MS })).filter(
      (w) => w.host === hostname(),
    )
    if (own.length === 0)
      throw new AppError(
        "unavailable",
        `No worker on ${hostname()} has sent a heartbeat in the last ${WORKER_STALE_AFTER_MS / 1000} s.`,
      )
    printResult({ workers: own }, () => own.map((w) => `${w.pid}: ${w.stages.join(" ")}`).join("\n"))
  })

/** Runs dist/worker.js as a child with this process's output, forwards signals, and returns its exit code. */
const runWorker = (args: string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(packageRoot(), "dist/worker.js"), ...args], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      // Its own process group: otherwise Ctrl-C would reach it twice, and a second signal exits immediately.
      detached: true,
    })
    const forward = (signal: NodeJS.Signals) => child.kill(signal)
    process.on("SIGTERM", forward).on("SIGINT", forward)
    child.once("error", reject)
    child.once("exit", (code) => {
      process.off("SIGTERM", forward).off("SIGINT", forward)
      resolve(code ?? 1)
    })
  })
