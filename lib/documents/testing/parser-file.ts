import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

/** Bundles the parser program with its dependencies into a temporary folder. */
export const bundleParser = async () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-parser-"))
  writeFileSync(join(dir, "package.json"), '{"type":"module"}')
  const file = join(dir, "document-parser.js")
  const entryPoints = [fileURLToPath(new URL("../parser.child.ts", import.meta.url))]
  const banner = { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' }
  await build({ entryPoints, outfile: file, bundle: true, format: "esm", platform: "node", target: "node20", banner })
  return { file, remove: () => rmSync(dir, { recursive: true, force: true }) }
}
