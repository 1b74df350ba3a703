import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { build } from "esbuild"
import { afterAll, beforeAll, expect, it } from "vitest"
import { openApiText } from "#lib/api/openapi/document.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { runRequests } from "#test/chaos/requests/run.ts"
import { openHttpLibrary } from "#test/fixtures/http-library.ts"

/** The long form is `npm run chaos -- requests`. */
const RUNS = Number(process.env.EARMARK_TEST_REQUESTS ?? 4)
const EXAMPLES = join(packageRoot(), "test/fixtures/generated-clients")
const COMPILER_OPTIONS = {
  target: "ES2022",
  lib: ["ES2023", "DOM", "DOM.Iterable"],
  module: "ESNext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  types: [],
}

const run = promisify(execFile)
const runTool = (file: string, args: readonly string[], cwd: string) =>
  run(process.execPath, [join(packageRoot(), "node_modules", file), ...args], { cwd }).catch(
    (error: { stdout?: string; stderr?: string }) => {
      throw new Error(`${file} failed:\n${error.stdout}\n${error.stderr}`)
    },
  )

let folder: string
let service: Awaited<ReturnType<typeof openHttpLibrary>>

beforeAll(async () => {
  const parent = join(packageRoot(), "test/out")
  mkdirSync(parent, { recursive: true })
  // Inside the package, where the generated code finds its libraries.
  folder = mkdtempSync(join(parent, "clients-"))
  cpSync(EXAMPLES, folder, { recursive: true })
  writeFileSync(join(folder, "openapi.json"), openApiText())
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }))
  service = await openHttpLibrary()
  await runTool(
    "openapi-typescript/bin/cli.js",
    ["openapi.json", "--output", "schema.ts", "--default-non-nullable=false"],
    folder,
  )
  await runTool(
    "@hey-api/openapi-ts/bin/run.js",
    ["--input", "openapi.json", "--output", "hey-api", "--client", "@hey-api/client-fetch", "--silent"],
    folder,
  )
})
afterAll(async () => {
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

it("lets generated clients compile strictly and do the main job", async () => {
  await runTool("typescript-native/bin/tsc", ["--project", "tsconfig.json"], folder)
  const names = readdirSync(EXAMPLES).map((file) => file.replace(".ts", ""))
  expect(names).toEqual(["with-hey-api", "with-openapi-fetch"])
  for (const name of names) {
    const outfile = join(folder, `${name}.mjs`)
    await build({ entryPoints: [join(folder, `${name}.ts`)], outfile, bundle: true, format: "esm", platform: "node" })
    const { doMainJob } = await import(pathToFileURL(outfile).href)
    expect(await doMainJob(service.url, () => service.library.workers.settle())).toEqual({
      title: "The boat",
      topic: expect.stringMatching(/./),
      citation: 1,
      error: "unknown clip 'nobody'",
      kinds: ["sources", "delta", "done", "error"],
    })
  }
})

it("describes every answer to valid, nearly valid and hostile requests", { timeout: 600_000 }, async () => {
  const reports = await runRequests(service, { runs: RUNS })
  expect(reports.flatMap(({ failure }) => failure ?? [])).toEqual([])
  const answered = reports.reduce((sum, { counts }) => sum + (counts["2xx"] ?? 0), 0)
  expect(answered).toBeGreaterThan(reports.length)
})
