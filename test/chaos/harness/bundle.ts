import { join } from "node:path"
import { build } from "esbuild"
import { packageRoot } from "#lib/platform/package-root.ts"
import { listExternal } from "../../../scripts/bundle.mjs"

const out = join(packageRoot(), "node_modules/.cache/earmark-chaos")
export const WORKER = join(out, "worker.js")
export const SUBMITTER = join(out, "submitter.js")

/** Bundles the programs that scenarios start, because they start much faster than with tsx. */
export const bundlePrograms = async (): Promise<void> => {
  await build({
    entryPoints: ["worker", "submitter"].map((name) => join(packageRoot(), `test/chaos/harness/${name}.ts`)),
    outdir: out,
    absWorkingDir: packageRoot(),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: listExternal(),
    logLevel: "warning",
  })
}
