// npm start: builds if the sources changed, then web and workers under one supervisor.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { buildIfStale } from "./build.mjs"
import { root } from "./setup.mjs"

await buildIfStale()
const child = spawn(process.execPath, [join(root, "dist/cli.js"), "serve", ...process.argv.slice(2)], {
  stdio: "inherit",
})
// The terminal sends Ctrl-C to the whole group, the supervisor included; other signals reach only us.
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
process.on("SIGINT", () => {})
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
