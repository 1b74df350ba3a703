import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import * as z from "zod"
import { loadConfig, SETTINGS } from "#lib/config.ts"
import { STAGE_NAMES } from "#lib/contracts/stages.ts"
import { packageRoot } from "#lib/package-root.ts"
import { stagesOf } from "#worker/args.ts"

const root = packageRoot()
const read = (path: string) => readFileSync(join(root, path), "utf8")

type Service = {
  image: string
  command?: string[]
  environment?: Record<string, string | number>
  healthcheck?: { test: string[] }
  restart?: string
  volumes?: string[]
  depends_on?: unknown
}
type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> }
const compose = () => parse(read("compose.yaml"), { merge: true }) as Compose

/** The schema of the Compose specification, as docker-compose 1.29.2 carries it (Apache License 2.0). */
const composeSchema = (): z.ZodType => {
  // Formats are names of its own that a validator of JSON Schema does not know.
  const json = JSON.parse(read("test/fixtures/compose-spec.json"), (key, value: unknown) =>
    key === "format" && typeof value === "string" ? undefined : value,
  )
  return z.fromJSONSchema({ ...json, $schema: "http://json-schema.org/draft-07/schema#" })
}

/** Puts what a person must set in the place of ${NAME:?…} and takes what stands after ${NAME:-…}. */
const filled = (value: string): string =>
  value.replaceAll(/\$\{\w+:\?[^}]*\}/g, "a-secret-of-mine").replaceAll(/\$\{\w+:-([^}]*)\}/g, "$1")

describe("compose.yaml", () => {
  it("is what the Compose specification allows, which refuses what it does not know", () => {
    const schema = composeSchema()
    expect(schema.safeParse(compose()).error?.issues ?? []).toEqual([])
    const misspelt = compose()
    Object.assign(misspelt.services.web!, { helthcheck: {} })
    expect(schema.safeParse(misspelt).success).toBe(false)
    const wrong = compose()
    Object.assign(wrong.services.web!, { restart: 5 })
    expect(schema.safeParse(wrong).success).toBe(false)
  })

  it("takes every stage, restarts and looks after every part, and keeps what must be kept", () => {
    const { services, volumes } = compose()
    const workers = Object.values(services).flatMap(({ command }) =>
      command?.[0] === "worker" ? [stagesOf(command.slice(1))] : [],
    )
    expect(workers.flat().sort()).toEqual([...STAGE_NAMES].sort())
    for (const service of Object.values(services)) {
      expect(service.restart).toBe("unless-stopped")
      expect(service.healthcheck?.test.length).toBeGreaterThan(0)
      for (const volume of service.volumes ?? []) {
        const [from] = volume.split(":") as [string]
        if (from.startsWith(".")) expect(existsSync(join(root, from))).toBe(true)
        else expect(Object.keys(volumes)).toContain(from)
      }
    }
  })

  it("gives each part of Earmark settings that it takes", () => {
    const own = Object.values(compose().services).filter((s) => s.image.startsWith("earmark:"))
    expect(own).toHaveLength(4)
    for (const { environment = {} } of own) {
      const given = Object.entries(environment).map(([name, value]) => [name, filled(String(value))])
      const settings = Object.fromEntries(given.filter(([name]) => name!.startsWith("SERVICE_")))
      expect(Object.keys(settings).filter((name) => !SETTINGS.includes(name))).toEqual([])
      expect(loadConfig(settings).data.url).toContain("@postgres:5432/earmark")
    }
  })
})

describe("units of systemd", () => {
  it("are what systemd takes", () => {
    const dir = mkdtempSync(join(tmpdir(), "earmark-units-"))
    try {
      cpSync(join(root, "ops/systemd"), dir, { recursive: true })
      const units = readdirSync(dir).map((name) => join(dir, name))
      // The program itself is not installed where this is tested.
      for (const unit of units)
        writeFileSync(unit, readFileSync(unit, "utf8").replaceAll("/usr/bin/earmark", "/bin/true"))
      execFileSync("systemd-analyze", ["verify", ...units], { stdio: "pipe" })
      const broken = join(dir, "broken.service")
      writeFileSync(broken, "[Service]\nType=exec\n")
      expect(() => execFileSync("systemd-analyze", ["verify", broken], { stdio: "pipe" })).toThrow()
    } finally {
      rmSync(dir, { recursive: true })
    }
  })

  it("name the stages of the worker by a variable that the command takes as one word", () => {
    expect(read("ops/systemd/earmark-worker@.service")).toContain(`--stages \${EARMARK_STAGES}`)
  })
})

describe("the image", () => {
  it("holds all that a built tree needs at run time", () => {
    const copied = [...read("Dockerfile").matchAll(/COPY --from=build \/app\/(\S+)/g)].map((m) => m[1]!)
    const { files } = JSON.parse(read("package.json")) as { files: string[] }
    for (const name of files.filter((f) => !f.startsWith("!")))
      expect(read("Dockerfile").includes(`/app/${name}`), `${name} is not in the image (${copied.join(", ")})`).toBe(
        true,
      )
  })
})
