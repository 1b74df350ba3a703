import { spawn } from "node:child_process"
import { join } from "node:path"
import { root } from "./setup.mjs"

/**
 * Runs the built command line until it ends, and ends with its code. Signals go on to it; and when npm, which started us,
 * is gone without having passed on what ended it, it is asked to end as well.
 */
export const runCli = (args) => {
  // A group of its own, so that Ctrl-C reaches it once, through us; and a channel, so that it leaves if we are killed.
  const child = spawn(process.execPath, [join(root, "dist/cli.js"), ...args], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    detached: true,
  })
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal))
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill("SIGTERM")
  }, 500)
  child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
