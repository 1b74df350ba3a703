// npm run dev:viz: serves the map page with synthetic data, hot reload and frame statistics. Needs no service.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ensurePackages } from "./setup.mjs"

ensurePackages()
const { watchMapPage } = await import("./dev-viz/build.mjs")

const folder = mkdtempSync(join(tmpdir(), "earmark-dev-viz-"))
const server = await watchMapPage(folder, Number(process.env.PORT ?? 8080))
process.stdout.write(`Map with synthetic data: ${server.url}/?points=2000 (options: points=100000, seed=7, naive=1)\n`)

const stop = async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.once("SIGINT", stop)
process.once("SIGTERM", stop)
