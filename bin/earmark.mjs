#!/usr/bin/env node
// `earmark`, in a clone as in an installed package. It stands here from the start, because npx links what it finds when
// it is first asked, and in a fresh clone nothing is built yet: there it is built first. What is there is not built anew:
// a service may run on it.
import { existsSync } from "node:fs"

const cli = new URL("../dist/cli.js", import.meta.url)
const build = new URL("../scripts/build.mjs", import.meta.url)
if (!existsSync(cli) && existsSync(build)) await (await import(build.href)).build()
await import(cli.href)
