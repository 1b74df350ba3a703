#!/usr/bin/env node
// Runs the command line, in a clone as in an installed package. npx links this file before anything is built, so in a fresh
// clone it builds first. It never rebuilds, because a service may run on the existing build.
import { existsSync } from "node:fs"

const cli = new URL("../dist/cli.js", import.meta.url)
const build = new URL("../scripts/build.mjs", import.meta.url)
if (!existsSync(cli) && existsSync(build)) await (await import(build.href)).build()
await import(cli.href)
