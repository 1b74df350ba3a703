// npm run openapi: writes docs/openapi.json from the contracts; a unit test fails when the committed copy is another.
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const root = fileURLToPath(new URL("..", import.meta.url))
const bundle = join(root, "dist", `.openapi-${process.pid}.mjs`)
mkdirSync(join(root, "dist"), { recursive: true })
try {
  await build({
    entryPoints: [join(root, "lib/api/openapi/document.ts")],
    outfile: bundle,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "warning",
  })
  const { openApiText } = await import(pathToFileURL(bundle).href)
  writeFileSync(join(root, "docs/openapi.json"), openApiText())
  process.stderr.write("docs/openapi.json written\n")
} finally {
  rmSync(bundle, { force: true })
}
