import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { packageRoot } from "#lib/platform/package-root.ts"
import { installBase, installGroups, installPacked, replaceFile } from "#test/fixtures/install.ts"
import { raw } from "#test/fixtures/web.ts"

/** Real installations of the build: base only, with optional packages, with a broken package, and the packed package. */
const INSTALL_MS = 300_000
const dir = realpathSync(mkdtempSync(join(tmpdir(), "earmark-install-")))
const network = join(dir, "network.log")
const running: ChildProcess[] = []

const serve = async (home: string, program: readonly string[], env: Record<string, string> = {}) => {
  const data = mkdtempSync(join(dir, "data-"))
  const [command, ...args] = program
  const child = spawn(command!, [...args, "serve"], {
    cwd: data,
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      PATH: `${join(process.execPath, "..")}:${process.env.PATH}`,
      HOME: home,
      SERVICE_PORT: "0",
      SERVICE_DATA_DIR: data,
      SERVICE_MODELS_OFFLINE: "true",
      SERVICE_LOG_LEVEL: "warn",
      NODE_OPTIONS: `--import=${join(packageRoot(), "test/fixtures/no-network.mjs")}`,
      NETWORK_LOG: network,
      ...env,
    } as unknown as NodeJS.ProcessEnv,
  })
  running.push(child)
  let stderr = ""
  child.stderr!.on("data", (d: Buffer) => {
    stderr += d
  })
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)))
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr!.on("data", () => {
      const found = /listening on (http:\/\/\S+)/.exec(stderr)?.[1]
      if (found) resolve(found)
    })
    ended.then((code) => reject(new Error(`The service exited with code ${code}: ${stderr}`)))
  })
  return {
    url,
    stderr: () => stderr,
    get: (path: string, headers: Record<string, string> = {}) => raw(url, path, { headers }),
    post: (path: string, body: unknown) =>
      raw(url, path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    ready: async () => {
      for (const until = Date.now() + 20_000; Date.now() < until; await new Promise((r) => setTimeout(r, 100)))
        if ((await raw(url, "/health/ready")).status === 200) return
      throw new Error(`The service is not ready: ${(await raw(url, "/health/ready")).text}\n${stderr}`)
    },
    stop: () => {
      child.kill("SIGTERM")
      return ended
    },
  }
}
type Running = Awaited<ReturnType<typeof serve>>

afterAll(() => {
  for (const child of running) if (child.exitCode === null) child.kill("SIGKILL")
  const connections = existsSync(network) ? readFileSync(network, "utf8") : ""
  rmSync(dir, { recursive: true, force: true })
  expect(connections, "connections to other machines").toBe("")
}, INSTALL_MS)

const STORE_PATHS = [
  "/jobs",
  "/jobs/x",
  "/jobs/x/result",
  "/jobs/x/events",
  "/clips",
  "/clips/x",
  "/clips/x/audio",
  "/clips/x/export?format=srt",
]
const MAP_PATHS = ["/viz", "/viz/data", "/viz/search?q=a", "/viz-assets/manifest.json"]

/** Expects the behaviour of an installation without a store. */
const expectNoStore = async (service: Running, reason: RegExp) => {
  expect((await service.get("/health")).json).toEqual({ status: "ok" })
  for (const path of STORE_PATHS) {
    const { status, json } = await service.get(path)
    expect([status, json?.detail], path).toEqual([503, expect.stringMatching(reason)])
    expect(json?.detail).toMatch(/npm install .*better-sqlite3@/)
  }
  for (const path of ["/jobs/audio", "/jobs/x/retry"])
    expect((await service.post(path, { source: "x.wav" })).status, path).toBe(503)
  for (const path of MAP_PATHS) expect((await service.get(path)).status, path).toBe(404)
  const ready = await service.get("/health/ready")
  const absent = { state: "absent" }
  expect([ready.status, ready.json]).toMatchObject([200, { checks: { store: absent, broker: absent, worker: absent } }])
  for (const path of ["/", "/docs"])
    expect(await service.get(path, { accept: "text/html" }), path).toMatchObject({ status: 200 })
  expect((await service.get("/openapi.json")).status).toBe(200)
  expect(service.stderr()).toContain("workers not started")
}

/** Expects that a document is ingested and answers a question, in memory. */
const expectAnswersFromDocument = async (service: Running) => {
  const path = join(dir, "home/bees.txt")
  writeFileSync(path, "Honey bees dance to tell the others where the flowers are.")
  const ingested = await service.post("/ingest", { paths: [path] })
  expect([ingested.status, JSON.parse(ingested.text)]).toMatchObject([200, { ingested: 1, chunks: 1, failed: [] }])
  const asked = await service.post("/query", { question: "Why do bees dance?" })
  expect([asked.status, JSON.parse(asked.text)]).toMatchObject([
    200,
    { answer: expect.stringContaining("flowers"), sources: [{ chunk: { metadata: { source: path } } }] },
  ])
}

/** Expects that a job with given words completes and appears on the map. */
const expectJobCompletes = async (service: Running) => {
  await service.ready()
  const words = Array.from({ length: 60 }, (_, i) => ({ word: `bees${i % 7}`, start: i, end: i + 0.5, speaker: "0" }))
  const sent = await service.post("/jobs/audio", { source: join(dir, "home/talk.wav"), transcription: words })
  expect(sent.status, sent.text).toBe(202)
  const { job_id, session_id } = JSON.parse(sent.text) as { job_id: string; session_id: string }
  const status = async () => (JSON.parse((await service.get(`/jobs/${job_id}`)).text) as { status: string }).status
  await expect.poll(status, { timeout: 20_000, interval: 100 }).toBe("done")
  expect((await service.get("/viz/data")).text).toContain(session_id)
  for (const path of ["/viz", "/viz-assets/manifest.json"]) expect((await service.get(path)).status, path).toBe(200)
}

type OpenApi = { paths: Record<string, Record<string, unknown>> }
type Checks = Record<"speech" | "telemetry", { state: string; detail?: string }>

const checksOf = async (service: Running): Promise<Checks> =>
  (JSON.parse((await service.get("/health/ready")).text) as { checks: Checks }).checks

/** Sends an invalid request to every endpoint and expects a readable answer, whatever is installed. */
const expectReadableAnswers = async (service: Running) => {
  const { paths } = JSON.parse((await service.get("/openapi.json")).text) as OpenApi
  const endpoints = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.keys(verbs).map((verb) => [verb, path] as const),
  )
  expect(endpoints.length).toBeGreaterThan(25)
  for (const [verb, path] of endpoints) {
    const method = verb.toUpperCase()
    const body = ["POST", "PATCH"].includes(method) ? "{}" : undefined
    const { status, json, text } = await raw(service.url, path.replace(/\{\w+\}/g, "x"), {
      method,
      ...(body && { body, headers: { "content-type": "application/json" } }),
    })
    const request = `${method} ${path}: ${status} ${text.slice(0, 200)}`
    expect([200, 400, 404, 409, 412, 415, 422, 503], request).toContain(status)
    // A response to HEAD has no body.
    if (method === "HEAD") continue
    if (status >= 400 && path !== "/health/ready") expect(json?.detail?.length, request).toBeGreaterThan(3)
    if (status === 503 && path !== "/health/ready") expect(json?.detail, request).toMatch(/npm install \S+/)
  }
}

describe("a built tree", { timeout: INSTALL_MS }, () => {
  const tree = join(dir, "tree")
  const start = (env: Record<string, string> = {}) =>
    serve(join(dir, "home"), [process.execPath, join(tree, "dist/cli.js")], env)
  const otel = { SERVICE_OTEL_ENABLED: "true", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" }
  const doctor = (): { name: string; state: string; detail: string; fix?: string }[] => {
    const { stdout } = spawnSync(process.execPath, [join(tree, "dist/cli.js"), "doctor"], {
      encoding: "utf8",
      env: {
        PATH: process.env.PATH,
        HOME: join(dir, "home"),
        SERVICE_DATA_DIR: join(dir, "none"),
      } as unknown as NodeJS.ProcessEnv,
    })
    return JSON.parse(stdout).findings
  }
  beforeAll(() => {
    mkdirSync(join(dir, "home"))
    mkdirSync(tree)
    installBase(tree)
  }, INSTALL_MS)

  it("with only the base serves what needs no store, and reports what is missing", async () => {
    const service = await start(otel)
    await expectNoStore(service, /not installed/)
    await expectReadableAnswers(service)
    await expectAnswersFromDocument(service)
    expect(service.stderr()).toMatch(/SERVICE_OTEL_ENABLED is set and has no effect.*npm install @opentelemetry\/api@/)
    expect((await checksOf(service)).telemetry).toMatchObject({ state: "absent" })
    expect(await service.stop()).toBe(0)
  })
  it("with telemetry and audio has no store, and reports a native part that does not load", async () => {
    installGroups(tree, ["telemetry", "audio"])
    expect(doctor().find((f) => f.name === "group audio")).toMatchObject({ state: "ok" })
    const native = readdirSync(join(tree, "node_modules")).find((name) => /^sherpa-onnx-(linux|darwin|win)/.test(name))!
    replaceFile(join(tree, "node_modules", native, "sherpa-onnx.node"), "not a library")
    const service = await start(otel)
    expect(service.stderr()).not.toContain("has no effect")
    await expectNoStore(service, /not installed/)
    expect((await checksOf(service)).telemetry).toMatchObject({ picked: "otlp" })
    await expect
      .poll(() => checksOf(service), { timeout: 20_000 })
      .toMatchObject({ speech: { detail: expect.stringContaining("sherpa-onnx-node is installed but does not load") } })
    expect(doctor().find((f) => f.name === "group audio")).toMatchObject({ state: "warn", fix: expect.any(String) })
    expect(await service.stop()).toBe(0)
  })
  it("with the store keeps clips and serves the map, and accepts no job without the queue, whatever else is broken", async () => {
    installGroups(tree, ["rag", "telemetry"])
    const part = join(tree, "node_modules/@opentelemetry/instrumentation-undici/build/src/index.js")
    replaceFile(part, "throw new Error('cut off')")
    const service = await start(otel)
    expect(service.stderr()).toMatch(/has no effect.* is installed but does not load \(.*cut off/)
    expect((await checksOf(service)).telemetry).toMatchObject({ detail: expect.stringContaining("does not load") })
    expect(doctor().find((f) => f.name === "group telemetry")).toMatchObject({
      state: "warn",
      detail: expect.stringContaining("instrumentation-undici is installed but does not load (cut off)"),
    })
    for (const path of ["/jobs", "/clips", ...MAP_PATHS]) expect((await service.get(path)).status, path).toBe(200)
    const rejected = await service.post("/jobs/audio", { source: "x.wav" })
    expect([rejected.status, rejected.json?.detail]).toEqual([503, expect.stringMatching(/npm install amqplib@/)])
    expect((await service.get("/jobs/nope")).json).toMatchObject({ detail: "unknown job 'nope'" })
    await expectReadableAnswers(service)
    expect(await service.stop()).toBe(0)
  })
  it("with store and queue completes a job", async () => {
    installGroups(tree, ["rag", "broker"])
    const service = await start()
    await expectJobCompletes(service)
    await expectReadableAnswers(service)
    expect(await service.stop()).toBe(0)
  })
  it("with a native part that does not load reports it as broken, not missing", async () => {
    replaceFile(join(tree, "node_modules/better-sqlite3/build/Release/better_sqlite3.node"), "not a library")
    const service = await start()
    await expectNoStore(service, /better-sqlite3 is installed but does not load/)
    expect(await service.stop()).toBe(0)
  })
})

describe("the packed package", () => {
  const home = join(dir, "packed")
  let installed: string
  beforeAll(() => {
    mkdirSync(home)
    installed = installPacked(home)
  }, INSTALL_MS)

  it("holds the OpenAPI document, the guides and no source maps", () => {
    const files = (readdirSync(installed, { recursive: true }) as string[]).filter(
      (file) => !/^node_modules\//.test(file),
    )
    expect(files).toEqual(
      expect.arrayContaining(["docs/openapi.json", "docs/http.md", "CHANGELOG.md", "dist/client.js"]),
    )
    expect(files.filter((file) => file.endsWith(".map"))).toEqual([])
  })
  it(
    "installed into an empty folder gives a command that serves",
    async () => {
      const service = await serve(join(dir, "home"), [join(home, "node_modules/.bin/earmark")])
      await expectJobCompletes(service)
      expect(await service.stop()).toBe(0)
    },
    INSTALL_MS,
  )
})
