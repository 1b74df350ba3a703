import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import * as z from "zod"
import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import { loadConfig, SETTINGS } from "#lib/platform/config/config.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { parseWorkerArgs } from "#worker/args.ts"

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

/** The schema of the Compose specification from docker-compose 1.29.2 (Apache License 2.0). */
const composeSchema = (): z.ZodType => {
  // The formats are not part of JSON Schema.
  const json = JSON.parse(read("test/fixtures/compose-spec.json"), (key, value: unknown) =>
    key === "format" && typeof value === "string" ? undefined : value,
  )
  return z.fromJSONSchema({ ...json, $schema: "http://json-schema.org/draft-07/schema#" })
}

/** Replaces ${NAME:?…} by a value and ${NAME:-…} by its default. */
const substitute = (value: string): string =>
  value.replaceAll(/\$\{\w+:\?[^}]*\}/g, "a-secret-of-mine").replaceAll(/\$\{\w+:-([^}]*)\}/g, "$1")

describe("compose.yaml", () => {
  it("is valid by the Compose specification", () => {
    const schema = composeSchema()
    expect(schema.safeParse(compose()).error?.issues ?? []).toEqual([])
    const misspelled = compose()
    Object.assign(misspelled.services.web!, { helthcheck: {} })
    expect(schema.safeParse(misspelled).success).toBe(false)
    const wrong = compose()
    Object.assign(wrong.services.web!, { restart: 5 })
    expect(schema.safeParse(wrong).success).toBe(false)
  })

  it("covers every stage, restarts and checks every service, and has volumes for all data", () => {
    const { services, volumes } = compose()
    const workers = Object.values(services).flatMap(({ command }) =>
      command?.[0] === "worker" ? [parseWorkerArgs(command.slice(1)).stages] : [],
    )
    expect(workers.flat().sort()).toEqual([...STAGE_NAMES].sort())
    for (const [name, service] of Object.entries(services)) {
      const runsOnce = name === "bucket"
      expect(service.restart).toBe(runsOnce ? "on-failure" : "unless-stopped")
      if (!runsOnce) expect(service.healthcheck?.test.length).toBeGreaterThan(0)
      for (const volume of service.volumes ?? []) {
        // Docker creates missing folders that users may choose.
        if (volume.startsWith("${")) continue
        const [from] = volume.split(":") as [string]
        if (from.startsWith(".")) expect(existsSync(join(root, from))).toBe(true)
        else expect(Object.keys(volumes)).toContain(from)
      }
    }
  })

  it("checks the health of the web process with an allowed host name", () => {
    const { environment, healthcheck } = compose().services.web!
    const hosts = String(environment!.SERVICE_ALLOWED_HOSTS).replace(/\$\{\w+:-[^}]*\}/, "notes.example")
    const host = new URL(/https?:[^']+/.exec(healthcheck!.test.join(" "))![0]).hostname
    expect(loadConfig({ SERVICE_ALLOWED_HOSTS: hosts }).http.allowedHosts).toContain(host)
  })

  it("sets only settings that exist", () => {
    const own = Object.values(compose().services).filter((s) => s.image.startsWith("earmark:"))
    expect(own).toHaveLength(4)
    for (const { environment = {} } of own) {
      const given = Object.entries(environment).map(([name, value]) => [name, substitute(String(value))])
      const settings = Object.fromEntries(given.filter(([name]) => name!.startsWith("SERVICE_")))
      expect(Object.keys(settings).filter((name) => !SETTINGS.includes(name))).toEqual([])
      const config = loadConfig(settings)
      expect(config.data.url).toContain("@postgres:5432/earmark")
      expect(config.blobs.place).toMatchObject({ kind: "s3", bucket: "recordings" })
    }
  })
})

type Unit = { readonly name: string; readonly lines: readonly string[] }
const units = (): Unit[] =>
  readdirSync(join(root, "ops/systemd")).map((name) => ({ name, lines: read(`ops/systemd/${name}`).split("\n") }))
const settingOf = ({ lines }: Unit, key: string): string | undefined =>
  lines.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1)

/** Returns the findings of systemd-analyze for a unit, if systemd is installed. */
const verify = (files: readonly string[]): string => {
  const { status, stderr, error } = spawnSync("systemd-analyze", ["verify", ...files], { encoding: "utf8" })
  return error ? "" : `${status === 0 ? "" : status}${stderr}`
}

describe("the systemd units", () => {
  it("have valid sections and existing start commands", () => {
    for (const unit of units()) {
      const invalid = unit.lines.filter(
        (line) => line && !/^(#.*|\[(Unit|Service|Timer|Install)\]|[A-Z]\w+=.*)$/.test(line),
      )
      expect(invalid, unit.name).toEqual([])
      const command = settingOf(unit, "ExecStart")
      expect(command === undefined, unit.name).toBe(unit.name.endsWith(".timer"))
      if (settingOf(unit, "Type") === "exec") {
        expect(command).toMatch(/^\/usr\/bin\/earmark (serve --no-workers|worker --stages \$\{EARMARK_STAGES\})$/)
        expect(settingOf(unit, "Restart")).toBe("always")
      }
      // Without it the data would be in the home folder of the user, where a backup does not look.
      if (command) expect(settingOf(unit, "Environment"), unit.name).toBe("SERVICE_DATA_DIR=/var/lib/earmark")
      expect(unit.lines.join(" "), unit.name).not.toMatch(/\|\| true/)
    }
  })

  it("may write to the shared folder of the guide", () => {
    const folders = [...read("docs/operations.md").matchAll(/use `(\/[^`]+)` and create/g)].map((m) => m[1]!)
    expect(folders).toHaveLength(1)
    for (const unit of units()) {
      if (settingOf(unit, "Type") !== "exec") continue
      expect(settingOf(unit, "ProtectSystem"), unit.name).toBe("strict")
      // The dash makes the folder optional.
      const [, path] = /^-(\/\S+)$/.exec(settingOf(unit, "ReadWritePaths") ?? "")!
      expect(folders[0]!.startsWith(`${path}/`), unit.name).toBe(true)
      expect(settingOf(unit, "After"), unit.name).toContain("remote-fs.target")
    }
  })

  it("pass systemd-analyze if it is installed", () => {
    const dir = mkdtempSync(join(tmpdir(), "earmark-units-"))
    try {
      const files = units().map(({ name, lines }) => {
        // The program is not installed on the test machine.
        writeFileSync(join(dir, name), lines.join("\n").replaceAll("/usr/bin/earmark", "/bin/true"))
        return join(dir, name)
      })
      expect(verify(files)).toBe("")
    } finally {
      rmSync(dir, { recursive: true })
    }
  })
})

describe("the container image", () => {
  it("contains everything that a built tree needs at run time", () => {
    const copied = [...read("Dockerfile").matchAll(/COPY --from=build \/app\/(\S+)/g)].map((m) => m[1]!)
    const { files } = JSON.parse(read("package.json")) as { files: string[] }
    const notInImage = ["ops", "docs/*.md", "docs/guides", "docs/openapi.json"]
    for (const name of files.filter((f) => !f.startsWith("!") && !notInImage.includes(f)))
      expect(read("Dockerfile").includes(`/app/${name}`), `${name} is not in the image (${copied.join(", ")})`).toBe(
        true,
      )
  })
})
