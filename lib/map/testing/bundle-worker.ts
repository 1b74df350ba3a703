import { mkdirSync, renameSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"
import { packageRoot } from "../../platform/package-root.ts"

const bundle = async (): Promise<string> => {
  const root = packageRoot()
  const dir = join(root, "test/out/map-worker")
  mkdirSync(dir, { recursive: true })
  const file = join(dir, "viz-worker.js")
  // Another process may be loading the file, or writing it too.
  const outfile = `${file}.${process.pid}`
  const entryPoints = [join(root, "lib/map/worker/compute.worker.ts")]
  await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "node", target: "node20" })
  renameSync(outfile, file)
  return file
}

let bundled: Promise<string> | undefined

/**
 * Bundles the compute thread like the build does, once per process. The file is inside the package, where the bundle finds
 * optional packages and the compiled kernels.
 *
 * @returns the path of the file
 */
export const bundleWorker = (): Promise<string> => {
  bundled ??= bundle()
  return bundled
}
