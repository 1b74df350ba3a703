import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { packageRoot } from "#lib/platform/package-root.ts"
import { installPacked } from "#test/fixtures/install.ts"
import { type Installation, openInstallation } from "#test/fixtures/installation.ts"
import { speechWords } from "#test/fixtures/speech-words.ts"

type Package = Record<"dependencies" | "optionalDependencies", Record<string, string>> & { readonly version: string }

const INSTALL_MS = 300_000
const dir = realpathSync(mkdtempSync(join(tmpdir(), "earmark-worker-package-")))
const modules = join(dir, "node_modules")
const readPackage = (folder: string) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package

let installation: Installation
beforeAll(async () => {
  execFileSync(process.execPath, [join(packageRoot(), "scripts/build-worker.mjs")])
  const installed = installPacked(dir, join(packageRoot(), "worker"))
  installation = await openInstallation({ SERVICE_PROVIDER: "builtin" }, undefined, [join(installed, "dist/worker.js")])
}, INSTALL_MS)
afterAll(async () => {
  await installation?.close()
  rmSync(dir, { recursive: true, force: true })
})

it("earmark-worker --help prints the usage and exits with 0", () => {
  const out = execFileSync(join(modules, ".bin/earmark-worker"), ["--help"], { encoding: "utf8" })
  expect(out).toMatch(/^Usage: earmark-worker/)
})

it("an installed worker runs a job to its end", async () => {
  const worker = await installation.worker()
  const id = await installation.submit({
    source: "https://example.org/talk",
    transcription: speechWords({ subjects: 2 }),
  })
  const job = await installation.until(id, ({ status }) => status === "done" || status === "error")
  expect(job.error).toBeUndefined()
  expect(job.status).toBe("done")
  worker.kill("SIGTERM")
  expect((await worker.exited)[0]).toBe(0)
})

it("the worker package installs no package of the web application", () => {
  const installed = readdirSync(modules)
  expect(installed).toContain("drizzle-orm")
  for (const name of ["next", "react", "react-dom", "three"]) expect(installed).not.toContain(name)
})

it("the worker package holds no source maps", () => {
  const files = readdirSync(join(modules, "earmark-worker"), { recursive: true }) as string[]
  expect(files).toContain("dist/worker.js")
  expect(files.filter((file) => file.endsWith(".map"))).toEqual([])
})

it("the worker package has the version and the dependency ranges of the main package", () => {
  const [main, worker] = [packageRoot(), join(packageRoot(), "worker")].map(readPackage) as [Package, Package]
  expect(worker.version).toBe(main.version)
  expect(main.dependencies).toMatchObject(worker.dependencies)
  expect(main.optionalDependencies).toMatchObject(worker.optionalDependencies)
})
