import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"
import { packageRoot } from "../../platform/package-root.ts"

/**
 * Bundles the compute thread like the build does, into a new folder. The folder is inside the package, where the bundle
 * finds optional packages and the compiled kernels.
 */
export const bundleWorker = async () => {
  const root = packageRoot()
  const parent = join(root, "test/out")
  mkdirSync(parent, { recursive: true })
  const dir = mkdtempSync(join(parent, "map-worker-"))
  const file = join(dir, "viz-worker.js")
  const entryPoints = [join(root, "lib/map/worker/compute.worker.ts")]
  await build({ entryPoints, outfile: file, bundle: true, format: "esm", platform: "node", target: "node20" })
  return { dir, file, remove: () => rmSync(dir, { recursive: true, force: true }) }
}
