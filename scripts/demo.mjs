// npm run demo: installs npm packages and system programs, builds, and processes the bundled recording.
import { buildIfStale } from "./build.mjs"
import { runCli } from "./run-cli.mjs"
import { ensurePackages, ensureSystem } from "./setup.mjs"

ensurePackages()
const missing = await ensureSystem(["ffmpeg", "pocketsphinx_continuous"])
if (missing.length) {
  console.error("The demo needs these programs to transcribe a recording. Install them, then run the demo again.")
  process.exit(1)
}
await buildIfStale()
runCli(["demo", ...process.argv.slice(2)])
