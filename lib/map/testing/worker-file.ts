import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

/**
 * The compute thread bundled as the build bundles it, in a folder of its own. Only below a folder that knows the
 * packages it finds those that are optional.
 */
export const bundleWorker = async (below = tmpdir()) => {
  mkdirSync(below, { recursive: true })
  const dir = mkdtempSync(join(below, "earmark-viz-"))
  writeFileSync(join(dir, "package.json"), '{"type":"module"}')
  const file = join(dir, "viz-worker.js")
  const entryPoints = [fileURLToPath(new URL("../worker/compute.worker.ts", import.meta.url))]
  const external = ["usearch"]
  await build({ entryPoints, outfile: file, bundle: true, external, format: "esm", platform: "node", target: "node20" })
  return { dir, file, remove: () => rmSync(dir, { recursive: true, force: true }) }
}
