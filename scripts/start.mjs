// npm start: builds if the sources have changed, then starts web server and workers under one supervisor.
import { buildIfStale } from "./build.mjs"
import { runCli } from "./run-cli.mjs"

await buildIfStale()
runCli(["serve", ...process.argv.slice(2)])
