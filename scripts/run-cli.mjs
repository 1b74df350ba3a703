import { spawn } from "node:child_process"
import { join } from "node:path"
import { root } from "./setup.mjs"

/**
 * Runs the built command line and exits with its exit code. Forwards signals. Also stops the command line if npm, the
 * parent process, dies without forwarding a signal.
 */
export const runCli = (args) => {
  // In its own process group, so that it receives Ctrl-C only once, from this process. With an IPC channel, so that it exits
  // if this process is killed.
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
