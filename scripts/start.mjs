// npm start: builds if the sources changed, then web and workers under one supervisor.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { buildIfStale } from "./build.mjs"
import { root } from "./setup.mjs"

await buildIfStale()
const child = spawn(process.execPath, [join(root, "dist/cli.js"), "serve", ...process.argv.slice(2)], {
  stdio: "inherit",
})
// The terminal sends Ctrl-C to the whole group; a signal sent to npm alone must still reach the supervisor.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal))
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
