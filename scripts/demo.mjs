// npm run demo: packages, system programs, build; then the bundled recording through the whole service.
import { buildIfStale } from "./build.mjs"
import { runCli } from "./run-cli.mjs"
import { ensurePackages, ensureSystem } from "./setup.mjs"

ensurePackages()
const missing = ensureSystem(["ffmpeg", "pocketsphinx_continuous"])
if (missing.length) {
  console.error("The demo listens to a recording, and these programs do that. Install them, then start it again.")
  process.exit(1)
}
await buildIfStale()
runCli(["demo", ...process.argv.slice(2)])
