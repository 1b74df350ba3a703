// npm run build: the pages and routes by Next, everything else by esbuild into dist/, types for the package's exports.
import { spawn } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { buildKernels } from "./build-kernels.mjs"
import { buildWorkerPackage } from "./build-worker.mjs"
import { bundleOptions } from "./bundle.mjs"
import { pack } from "./pack.mjs"
import { ensurePackages, root, sourceStamp } from "./setup.mjs"

const stampFile = join(root, "dist/.built")

/** Runs a build command. Prints its output only if it fails, and then exits. */
const step = async (name, command, args, env = {}) => {
  process.stderr.write(`${name} …\n`)
  const child = spawn(command, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", ...env },
  })
  const output = []
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk))
  const status = await new Promise((resolve) => child.once("close", resolve))
  if (status !== 0) {
    process.stderr.write(`${Buffer.concat(output)}${name} failed\n`)
    process.exit(1)
  }
}

// Two packages have a program `tsc` (decision 060).
const tsc = join(root, "node_modules/typescript-native/bin/tsc")
const bin = (name) => join(root, "node_modules/.bin", name)

/** Copies the fonts of PDF documents (lib/services/export/render/render-document.ts). */
const copyFonts = () => {
  const fontPackage = join(root, "node_modules/dejavu-fonts-ttf")
  mkdirSync(join(root, "dist/fonts"))
  for (const name of ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf"])
    copyFileSync(join(fontPackage, "ttf", name), join(root, "dist/fonts", name))
  copyFileSync(join(fontPackage, "LICENSE"), join(root, "dist/fonts/LICENSE"))
}

export const build = async () => {
  ensurePackages()
  rmSync(join(root, "dist"), { recursive: true, force: true })
  mkdirSync(join(root, "dist"))
  process.stderr.write("Bundling server, worker, command line and SDK …\n")
  const { build: bundle } = await import("esbuild")
  await bundle(bundleOptions())
  await buildKernels()
  copyFonts()
  await buildWorkerPackage()
  await Promise.all([
    step("Building the client package", process.execPath, [join(root, "scripts/build-client.mjs")]),
    step("Writing type declarations", process.execPath, [tsc, "-p", "tsconfig.types.json", "--checkers", "1"]),
    step("Building the pages", bin("next"), ["build"], { NODE_ENV: "production" }),
  ])
  process.stderr.write("Packing scripts and styles …\n")
  await pack(join(root, ".next/static"))
  writeFileSync(stampFile, sourceStamp() ?? "")
}

/** Returns true if dist/ and .next are missing or were built from other sources. */
export const isBuildStale = () => {
  if (!existsSync(stampFile) || !existsSync(join(root, ".next/BUILD_ID"))) return true
  const stamp = sourceStamp()
  return stamp !== null && readFileSync(stampFile, "utf8") !== stamp
}

/** Builds if the build is stale. */
export const buildIfStale = async () => {
  ensurePackages()
  if (isBuildStale()) await build()
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await build()
