// esbuild options, shared by the builds and the development server.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./setup.mjs"

/** The programs and libraries that esbuild bundles, by the name of their file in dist/. */
const ENTRIES = {
  cli: "cli/main.ts",
  worker: "worker/main.ts",
  server: "lib/http/server/main.ts",
  "viz-worker": "lib/map/worker/compute.worker.ts",
  "parse-job-worker": "lib/http/uploads/parse-job.worker.ts",
  "document-parser": "lib/documents/parser.child.ts",
  "document-writer": "lib/storage/stores/sqlite/document-writer.child.ts",
  "document-renderer": "lib/services/export/render/renderer.child.ts",
  "speech-child": "lib/engines/speech/sherpa/child/sherpa.child.ts",
  "embed-worker": "lib/engines/embedding/onnx/embed.worker.ts",
  "outline-worker": "lib/engines/language/builtin/outline.worker.ts",
  "audio-decoder": "lib/engines/speech/audio/package-decoder/decoder.child.ts",
  sdk: "lib/sdk/index.ts",
  client: "lib/api/client/index.ts",
}

const BUNDLED = ["htmlparser2", "marked", "ollama", "p-map", "zod"]

/** Returns the packages that are loaded from node_modules. */
export const listExternal = () => {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const names = Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !BUNDLED.includes(name))
  return names.flatMap((name) => [name, `${name}/*`])
}

/**
 * Returns esbuild's options for bundling the entry points called `names` into the folder `outdir`. Required packages of
 * many ES modules are bundled, because a process loads one file in a third of the time. Optional packages are not, because
 * an installation may lack them.
 */
export const bundleOptions = (names = Object.keys(ENTRIES), outdir = join(root, "dist")) => ({
  entryPoints: names.map((out) => ({ out, in: join(root, ENTRIES[out]) })),
  outdir,
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  format: "esm",
  platform: "node",
  target: "node20",
  external: listExternal(),
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: "linked",
  logLevel: "warning",
})
