// npm run build: the pages and routes by Next, everything else by esbuild into dist/, types for the package's exports.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { pack } from "./pack.mjs"
import { ensurePackages, root, sourceStamp } from "./setup.mjs"

const stampFile = join(root, "dist/.built")

/** What esbuild bundles: dist/<name>.js. Packages stay external, so that an optional one may be absent. */
export const ENTRIES = {
  cli: "cli/main.ts",
  worker: "worker/main.ts",
  server: "lib/http/front/server-main.ts",
  "viz-worker": "lib/map/worker/compute.worker.ts",
  "document-parser": "lib/documents/parser.child.ts",
  "speech-child": "lib/engines/speech/sherpa/sherpa.child.ts",
  "audio-decoder": "lib/engines/speech/audio/package-decoder/decoder.child.ts",
  sdk: "lib/sdk/index.ts",
  client: "lib/api/client/index.ts",
}

/** @returns esbuild's options for dist/ */
export const bundleOptions = () => ({
  entryPoints: Object.entries(ENTRIES).map(([out, file]) => ({ out, in: join(root, file) })),
  outdir: join(root, "dist"),
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  sourcemap: "linked",
  logLevel: "warning",
})

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
