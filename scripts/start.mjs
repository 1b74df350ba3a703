// npm start: builds if the sources changed, then web and workers under one supervisor.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { buildIfStale } from "./build.mjs"
import { root } from "./setup.mjs"

await buildIfStale()
const args = ["serve", ...process.argv.slice(2)]
// A group of its own, so that Ctrl-C reaches it once, through us; and a channel, so that it leaves if we are killed.
const child = spawn(process.execPath, [join(root, "dist/cli.js"), ...args], {
  stdio: ["ignore", "inherit", "inherit", "ipc"],
  detached: true,
})
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal))
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
