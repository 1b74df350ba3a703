import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { packageRoot } from "#lib/platform/package-root.ts"

type Step = { readonly run?: string; readonly uses?: string }
type Workflow = {
  readonly jobs: Record<string, { readonly steps: Step[]; readonly strategy?: { matrix: Record<string, unknown> } }>
}
const at = (path: string) => join(packageRoot(), path)
const read = (path: string) => readFileSync(at(path), "utf8")
const workflow = (name: string) => parse(read(`.github/workflows/${name}.yml`)) as Workflow
const commandsOf = (name: string) =>
  Object.values(workflow(name).jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))

describe("the hosted workflows", () => {
  const commands = ["ci", "mutation"].flatMap(commandsOf)

  it("run npm scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> }
    const names = commands.flatMap((command) => /^npm run (\S+)/.exec(command)?.[1] ?? [])
    expect(names).toEqual(expect.arrayContaining(["test:servers", "chaos", "dev:viz", "mutate"]))
    for (const name of names) expect(scripts, name).toHaveProperty(name)
  })

  it("run files that exist", () => {
    const files = commands.flatMap((command) => command.match(/\S+\.(?:mjs|ts)\b|^\.ci\/run$/g) ?? [])
    expect(files.length).toBeGreaterThan(3)
    for (const file of files) expect(existsSync(at(file)), file).toBe(true)
  })

  it("test the mutants of every module", async () => {
    const { MODULES } = (await import(at("scripts/mutation/modules.mjs"))) as { MODULES: string[] }
    expect(workflow("mutation").jobs.sample!.strategy!.matrix.module).toEqual(MODULES)
  })
})
