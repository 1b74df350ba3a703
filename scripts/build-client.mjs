// npm run build -w earmark-client: bundles the client for Node.js and browsers into client/dist/, with its types.
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { writeClientTypes } from "./client-types.mjs"
import { root } from "./setup.mjs"

const folder = join(root, "client")
const dist = join(folder, "dist")

const bundle = async () => {
  const { build } = await import("esbuild")
  await build({
    entryPoints: ["index.ts", "validating.ts"].map((name) => join(folder, name)),
    outdir: dist,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    format: "esm",
    platform: "neutral",
    target: "es2022",
    packages: "external",
    logLevel: "warning",
  })
}

/** Returns the routes of the client by operation ID. */
const loadRoutes = async () => {
  const { transform } = await import("esbuild")
  const source = readFileSync(join(root, "lib/api/client/routes.ts"), "utf8")
  const { code } = await transform(source, { loader: "ts" })
  const { ROUTES } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return ROUTES
}

export const buildClientPackage = async () => {
  rmSync(dist, { recursive: true, force: true })
  await bundle()
  writeFileSync(join(dist, "index.d.ts"), writeClientTypes(join(folder, "index.ts"), await loadRoutes()))
  writeFileSync(join(dist, "validating.d.ts"), 'export * from "./index.js"\n')
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await buildClientPackage()
