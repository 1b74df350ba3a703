// npm run openapi: writes docs/openapi.json and lib/api/client/routes.ts from the endpoint table. Unit tests fail when
// the committed files are out of date.
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const root = fileURLToPath(new URL("..", import.meta.url))
const bundle = join(root, "dist", `.openapi-${process.pid}.mjs`)
mkdirSync(join(root, "dist"), { recursive: true })
try {
  await build({
    stdin: {
      contents: `export * from "./openapi/document.ts"; export * from "./routes-source.ts"`,
      resolveDir: join(root, "lib/api"),
    },
    outfile: bundle,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "warning",
  })
  const { openApiText, clientRoutesSource } = await import(pathToFileURL(bundle).href)
  const files = { "docs/openapi.json": openApiText(), "lib/api/client/routes.ts": clientRoutesSource() }
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(root, file), text)
    process.stderr.write(`${file} written\n`)
  }
} finally {
  rmSync(bundle, { force: true })
}
