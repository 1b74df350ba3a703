// npm run build -w earmark-worker: bundles the worker and the programs it starts into worker/dist/, and copies the
// database migrations next to it, so that the package works without the rest of the repository.
import { cpSync, readFileSync, rmSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { bundleOptions } from "./bundle.mjs"
import { root } from "./setup.mjs"

const WORKER_ENTRIES = ["worker", "document-parser", "document-writer", "speech-child", "embed-worker", "audio-decoder"]
const folder = join(root, "worker")

/** Returns the npm packages that the bundle imports, from esbuild's metafile. */
const importedPackages = ({ inputs }) => {
  const paths = Object.values(inputs).flatMap(({ imports }) => imports.filter((i) => i.external).map((i) => i.path))
  const names = paths.filter((path) => !isBuiltin(path)).map((path) => /^(@[^/]+\/)?[^/]+/.exec(path)[0])
  return [...new Set(names)]
}

/** @throws Error if worker/package.json lacks a package that the bundle imports */
const checkDependencies = (metafile) => {
  const own = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const known = { ...own.dependencies, ...own.optionalDependencies }
  const missing = importedPackages(metafile).filter((name) => !(name in known))
  if (missing.length > 0)
    throw new Error(`The worker imports ${missing.join(", ")}. Add the missing dependencies to worker/package.json.`)
}

export const buildWorkerPackage = async () => {
  for (const name of ["dist", "drizzle"]) rmSync(join(folder, name), { recursive: true, force: true })
  const { build } = await import("esbuild")
  const { metafile } = await build({ ...bundleOptions(WORKER_ENTRIES, join(folder, "dist")), metafile: true })
  checkDependencies(metafile)
  cpSync(join(root, "drizzle"), join(folder, "drizzle"), { recursive: true })
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await buildWorkerPackage()
