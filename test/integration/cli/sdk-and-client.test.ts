import { execFile, execFileSync } from "node:child_process"
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { packageRoot } from "#lib/platform/package-root.ts"
import { installPacked } from "#test/fixtures/install.ts"
import { startService } from "../../e2e/helpers.ts"

const run = promisify(execFile)
const root = packageRoot()
const dir = mkdtempSync(join(tmpdir(), "earmark-guide-"))
let service: Awaited<ReturnType<typeof startService>>

beforeAll(async () => {
  service = await startService()
})
afterEach(({ task }) => {
  if (task.result?.state === "fail") console.error(service.output())
})
afterAll(async () => {
  await service?.stop()
  rmSync(dir, { recursive: true, force: true })
})

const examplesOf = (guide: string): string[] =>
  [...readFileSync(join(root, guide), "utf8").matchAll(/```js\n([\s\S]*?)```/g)].map((found) => found[1]!)

/** Runs a module in `cwd`, with the built service as `EARMARK_URL`. Returns its output. */
const runModule = async (script: string, cwd: string): Promise<string> => {
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", script], {
    cwd,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: process.env.NODE_ENV,
      HOME: dir,
      SERVICE_DATA_DIR: join(dir, "data"),
      SERVICE_MODELS_OFFLINE: "true",
      EARMARK_URL: service.url,
    },
  })
  return stdout
}

describe("docs/sdk.md", () => {
  // A package can import its own exports by its name.
  const [inProcess, overHttp] = examplesOf("docs/sdk.md")
  it("has a working in-process example", async () => {
    const output = await runModule(inProcess!, root)
    expect(output).toMatch(/Its mast is of spruce\. \[1\].*source: 1, start_s: 4 /s)
    expect(output).toMatch(/^forbidden '\/etc\/hostname' is outside/m)
  })
  it("has a working HTTP example", async () => {
    const output = await runModule(overHttp!, root)
    expect(output).toMatch(/^done done$/m)
    expect(output).toContain("The boat 1\nWe tarred the hull of the boat in May")
    expect(output).toContain("404 unknown clip 'nobody'")
  })
})

/** A program of a user of the client package, who has no types of Node.js. */
const CONSUMER = `
import { type Clip, createClient, EarmarkError, type JobRecord, type TopicTree } from "earmark-client"

export const main = async (baseUrl: string): Promise<string[]> => {
  const client = createClient({ baseUrl, timeoutMs: 60_000 })
  const words = "The bees dance in the hive. The flowers are south of the river.".split(" ")
  const transcription = words.map((word, i) => ({ word, start: i, end: i + 1, speaker: "0" }))
  const states: JobRecord["status"][] = []
  const clip: Clip = await client.transcribe("name:bees", {
    transcription,
    onProgress: ({ status }) => states.push(status),
  })
  const { job_id } = await client.rerunTopics(clip.id, { provider: "builtin" })
  const { status } = await client.wait(job_id)
  const { tree }: { tree: TopicTree } = await client.topics(clip.id)
  const ids: string[] = []
  for await (const { id } of client.allClips({ limit: 1 })) ids.push(id)
  const failure = await client.clip("nobody").catch((error: unknown) => error)
  const code = failure instanceof EarmarkError ? failure.code : undefined
  // @ts-expect-error A clip has no such field.
  clip.colour
  const { clips } = await client.clips({}, { fields: ["title"] })
  for (const { title } of clips) title.trim()
  const { data } = (await client.vizData({ fields: ["points"] }))!
  data.points.length
  // @ts-expect-error Only the title is selected.
  ;(await client.clip(clip.id, { fields: ["title"] })).words
  // @ts-expect-error The option needs a number.
  client.submit({ source: "name:a", speakers: "two" }).catch(() => undefined)
  return [String(states.at(-1)), status, String(tree.topics.length), String(ids.includes(clip.id)), String(code)]
}
`

describe("the client package", () => {
  const home = join(dir, "consumer")
  /** Returns the errors of a strict type check. */
  const typeErrors = async (file: string, ...args: string[]): Promise<string[]> => {
    const tsc = join(root, "node_modules/typescript-native/bin/tsc")
    const end = await run(process.execPath, [tsc, "--noEmit", "--strict", ...args, file], { cwd: home }).catch(
      (error: { stdout: string }) => error,
    )
    return end.stdout.split("\n").filter((line) => line !== "")
  }
  let installed: string

  beforeAll(() => {
    mkdirSync(home)
    writeFileSync(join(home, "package.json"), '{ "type": "module" }')
    writeFileSync(join(home, "main.ts"), CONSUMER)
    installed = installPacked(home, join(root, "client"))
  })

  it("installs nothing else, and weighs less than 400 kB", () => {
    expect(readdirSync(join(home, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["earmark-client"])
    const files = readdirSync(installed, { recursive: true }) as string[]
    const bytes = files.reduce((sum, file) => sum + statSync(join(installed, file)).size, 0)
    expect(bytes).toBeLessThan(400_000)
  })

  it.each(["bundler", "nodenext"])("has types that compile strictly without other types (%s)", async (resolution) => {
    const module = resolution === "bundler" ? "esnext" : resolution
    const flags = ["--module", module, "--moduleResolution", resolution, "--skipLibCheck", "false", "--types", ""]
    expect(await typeErrors("main.ts", ...flags)).toEqual([])
  })

  it("has the types of the sources", async () => {
    const declarations = readFileSync(join(installed, "dist/index.d.ts"), "utf8")
    const names = [...declarations.matchAll(/^export (?:type|interface|declare class) (\w+)/gm)].map(
      (found) => found[1]!,
    )
    expect(names.length).toBeGreaterThan(60)
    const lines = [
      `import type * as sources from "${join(root, "lib/api/client/index.ts")}"`,
      'import type * as own from "earmark-client"',
      "type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false",
      ...names.map((name) => `export const same${name}: Same<sources.${name}, own.${name}> = true`),
    ]
    writeFileSync(join(home, "same.ts"), lines.join("\n"))
    const flags = ["--module", "esnext", "--moduleResolution", "bundler", "--allowImportingTsExtensions"]
    // The sources are written for more flags than these.
    expect((await typeErrors("same.ts", ...flags)).filter((line) => line.startsWith("same.ts"))).toEqual([])
  })

  it("transcribes, waits and reads topics", async () => {
    const { outputText } = (await import("typescript")).default.transpileModule(CONSUMER, {
      compilerOptions: { module: 99, target: 9 },
    })
    writeFileSync(join(home, "main.js"), outputText)
    const script = 'console.log(...(await (await import("./main.js")).main(process.env.EARMARK_URL)))'
    expect(await runModule(script, home)).toBe("done done 1 true not_found\n")
  })

  it("has a working example in its README", async () => {
    execFileSync("flite", ["-t", "The bees dance in the hive.", join(home, "talk.mp3")])
    expect(await runModule(examplesOf("client/README.md")[0]!, home)).toMatch(/^0 \S/)
  })

  it("validates responses if zod is installed", async () => {
    const script = `
      const { createClient } = await import("earmark-client/validating")
      const fetch = async () => Response.json({ status: 7 })
      await createClient({ fetch }).health().catch((error) => console.log(error.message))`
    await expect(runModule(script, home)).rejects.toThrow("Cannot find package 'zod'")
    symlinkSync(join(root, "node_modules/zod"), join(home, "node_modules/zod"))
    expect(await runModule(script, home)).toMatch(/^The response has an unexpected format at 'status'/)
  })
})
