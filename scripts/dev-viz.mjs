// npm run dev:viz: the map on synthetic data, with hot reload and frame statistics, without any backend.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ensurePackages } from "./setup.mjs"

ensurePackages()
const { watchStage } = await import("./dev-viz/build.mjs")

const folder = mkdtempSync(join(tmpdir(), "earmark-dev-viz-"))
const stage = await watchStage(folder, Number(process.env.PORT ?? 8080))
process.stdout.write(`The map on synthetic data: ${stage.url}/?points=2000 (also ?points=100000, &naive=1, &seed=7)\n`)

const stop = async () => {
  await stage.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.once("SIGINT", stop)
process.once("SIGTERM", stop)
