// npm run build: the pages and routes by Next, everything else by esbuild into dist/, types for the package's exports.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { buildKernels } from "./build-kernels.mjs"
import { buildWorkerPackage } from "./build-worker.mjs"
import { bundleOptions } from "./bundle.mjs"
import { pack } from "./pack.mjs"
import { ensurePackages, root, sourceStamp } from "./setup.mjs"

const stampFile = join(root, "dist/.built")

const step = (name, command, args, env = {}) => {
  process.stderr.write(`${name} …\n`)
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...env },
  })
  if (status !== 0) {
    // What a tool says of a build that went well helps nobody; of one that failed, everything.
    process.stderr.write(`${stdout}${stderr}${name} failed\n`)
    process.exit(1)
  }
}

const bin = (name) => join(root, "node_modules/.bin", name)

export const build = async () => {
  ensurePackages()
  rmSync(join(root, "dist"), { recursive: true, force: true })
  mkdirSync(join(root, "dist"))
  process.stderr.write("Bundling server, worker, command line and SDK …\n")
  const { build: bundle } = await import("esbuild")
  await bundle(bundleOptions())
  await buildKernels()
  await buildWorkerPackage()
  step("Writing type declarations", bin("tsc"), ["-p", "tsconfig.types.json"])
  step("Building the pages", bin("next"), ["build"], { NODE_ENV: "production" })
  process.stderr.write("Packing scripts and styles …\n")
  await pack(join(root, ".next/static"))
  writeFileSync(stampFile, sourceStamp() ?? "")
}

/** Builds unless what lies in dist/ and .next was made from just these sources. */
export const buildIfStale = async () => {
  ensurePackages()
  const stamp = sourceStamp()
  const built =
    existsSync(stampFile) && existsSync(join(root, ".next/BUILD_ID")) ? readFileSync(stampFile, "utf8") : null
  if (built === null || (stamp !== null && built !== stamp)) await build()
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await build()
