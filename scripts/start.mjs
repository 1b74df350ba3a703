// npm start: builds if the sources changed, then web and workers under one supervisor.
import { buildIfStale } from "./build.mjs"
import { runCli } from "./run-cli.mjs"

await buildIfStale()
runCli(["serve", ...process.argv.slice(2)])
