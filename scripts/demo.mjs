// npm run demo: packages, system programs, build; then the bundled recording through the whole service.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { buildIfStale } from "./build.mjs"
import { ensurePackages, ensureSystem, root } from "./setup.mjs"

ensurePackages()
const missing = ensureSystem(["ffmpeg", "pocketsphinx_continuous"])
if (missing.length) {
  console.error("The demo listens to a recording, and these programs do that. Install them, then start it again.")
  process.exit(1)
}
await buildIfStale()
const args = ["demo", ...process.argv.slice(2)]
// A group of its own, so that Ctrl-C reaches it once, through us; and a channel, so that it leaves if we are killed.
const child = spawn(process.execPath, [join(root, "dist/cli.js"), ...args], {
  stdio: ["ignore", "inherit", "inherit", "ipc"],
  detached: true,
})
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal))
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
