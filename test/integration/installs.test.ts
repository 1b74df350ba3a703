import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { packageRoot } from "#lib/package-root.ts"
import { addOptional, installBase, installPacked } from "#test/fixtures/install.ts"
import { raw } from "#test/fixtures/web.ts"

/** Real installs of what was built: the base alone, the optional packages added, one of them broken, the packed package. */
const INSTALL_MS = 120_000
const dir = realpathSync(mkdtempSync(join(tmpdir(), "earmark-install-")))
const network = join(dir, "network.log")
const running: ChildProcess[] = []

const serve = async (home: string, program: readonly string[]) => {
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
    ended.then((code) => reject(new Error(`it ended with ${code}: ${stderr}`)))
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
      throw new Error(`not ready: ${(await raw(url, "/health/ready")).text}\n${stderr}`)
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
  const asked = existsSync(network) ? readFileSync(network, "utf8") : ""
  rmSync(dir, { recursive: true, force: true })
  expect(asked, "what was asked of other machines").toBe("")
})

const KEPT = [
  "/jobs",
  "/jobs/x",
  "/jobs/x/result",
  "/jobs/x/events",
  "/clips",
  "/clips/x",
  "/clips/x/audio",
  "/clips/x/export?format=srt",
]
const MAP = ["/viz", "/viz/data", "/viz/search?q=a", "/viz-assets/manifest.json"]

/** What an install without a store promises. */
const answersWithoutStore = async (service: Running, why: RegExp) => {
  expect((await service.get("/health")).json).toEqual({ status: "ok" })
  for (const path of KEPT) {
    const { status, json } = await service.get(path)
    expect([status, json?.detail], path).toEqual([503, expect.stringMatching(why)])
    expect(json?.detail).toMatch(/npm install .*better-sqlite3@/)
  }
  for (const path of ["/jobs/audio", "/jobs/x/retry"])
    expect((await service.post(path, { source: "x.wav" })).status, path).toBe(503)
  for (const path of MAP) expect((await service.get(path)).status, path).toBe(404)
  const ready = await service.get("/health/ready")
  const absent = { state: "absent" }
  expect([ready.status, ready.json]).toMatchObject([200, { checks: { store: absent, broker: absent, worker: absent } }])
  for (const path of ["/", "/docs"])
    expect(await service.get(path, { accept: "text/html" }), path).toMatchObject({ status: 200 })
  expect((await service.get("/openapi.json")).status).toBe(200)
  expect(service.stderr()).toContain("no workers are started")
}

/** A job from its words to the map. */
const worksWhole = async (service: Running) => {
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

describe("a built tree", () => {
  const tree = join(dir, "tree")
  const start = () => serve(join(dir, "home"), [process.execPath, join(tree, "dist/cli.js")])
  beforeAll(() => {
    mkdirSync(join(dir, "home"))
    mkdirSync(tree)
    installBase(tree)
  }, INSTALL_MS)

  it("with the base alone serves what needs no store, and says what is missing", async () => {
    const service = await start()
    await answersWithoutStore(service, /not installed/)
    expect(await service.stop()).toBe(0)
  })
  it("with the optional packages added does everything", async () => {
    addOptional(join(tree, "node_modules"))
    const service = await start()
    await worksWhole(service)
    expect(await service.stop()).toBe(0)
  })
  it("with a native part that does not load calls it broken, not missing", async () => {
    writeFileSync(join(tree, "node_modules/better-sqlite3/build/Release/better_sqlite3.node"), "not a library")
    const service = await start()
    await answersWithoutStore(service, /better-sqlite3 is installed but does not load/)
    expect(await service.stop()).toBe(0)
  })
})

describe("the packed package", () => {
  it(
    "installed into an empty folder gives a command that serves",
    async () => {
      const home = join(dir, "packed")
      mkdirSync(home)
      installPacked(home)
      addOptional(join(home, "node_modules"))
      const service = await serve(join(dir, "home"), [join(home, "node_modules/.bin/earmark")])
      await worksWhole(service)
      expect(await service.stop()).toBe(0)
    },
    INSTALL_MS,
  )
})
