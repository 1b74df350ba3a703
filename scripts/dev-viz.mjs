// npm run dev:viz: serves the map page with synthetic data and hot reload, without a service. With --update or --compare it
// takes pictures of all presets, or of the named ones, instead, and stores them or compares them with the stored ones.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { ensurePackages, root } from "./setup.mjs"

const USAGE = "Usage: npm run dev:viz [-- (--update | --compare) [PRESET …]]"
const DEFAULT_PORT = 8080

const readOptions = () => {
  try {
    return parseArgs({
      options: { update: { type: "boolean" }, compare: { type: "boolean" } },
      allowPositionals: true,
    })
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`)
    process.exit(2)
  }
}

const {
  values: { update, compare },
  positionals: presets,
} = readOptions()
ensurePackages()

if (update || compare) {
  const vitest = join(root, "node_modules/.bin/vitest")
  const named = presets.length > 0 ? ["-t", `'(${presets.join("|")})-(dark|light)'`] : []
  const { status } = spawnSync(vitest, ["run", "--project", "e2e", "test/e2e/map-pictures.test.ts", ...named], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, MAP_PICTURES: update ? "update" : "compare" },
  })
  process.exit(status ?? 1)
}

const { watchMapPage } = await import("./dev-viz/build.mjs")
const port = Number(process.env.PORT ?? DEFAULT_PORT)
const server = await watchMapPage(port).catch((error) => {
  console.error(`${error.message}. To use another port: PORT=${port + 1} npm run dev:viz`)
  process.exit(1)
})
console.log(`Map with synthetic data: ${server.url}/?points=2000 (docs/viz.md lists the parameters)`)
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => server.stop())
