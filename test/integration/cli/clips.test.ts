import { spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { ClipList } from "#lib/domain/clips.ts"
import { uuid5 } from "#lib/domain/ids.ts"
import { setHttpDeps } from "#lib/http/container.ts"
import type { HttpServer } from "#lib/http/server/http-server.ts"
import { openVizCompute } from "#lib/map/worker/compute-thread.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { runCli } from "#test/fixtures/cli.ts"
import { type Installation, openInstallation } from "#test/fixtures/installation.ts"
import { programOf } from "#test/fixtures/programs.ts"
import { answerBy, loadRoutes } from "#test/fixtures/routes.ts"
import { serve, silent } from "#test/fixtures/web.ts"

const TOKEN = "a-token-of-24-characters"
/** A service with a worker, on a store of its own. */
let service: Installation
let server: HttpServer
let folder: string

beforeAll(async () => {
  service = await openInstallation({ SERVICE_PROVIDER: "builtin", SERVICE_API_TOKEN: TOKEN, SERVICE_PORT: "0" })
  folder = join(service.dir, "talks")
  mkdirSync(folder)
  const cue = (words: string) => `1\n00:00:01,000 --> 00:00:20,000\n${words}\n`
  writeFileSync(join(folder, "bees.srt"), cue("Bees dance to show where the flowers are."))
  writeFileSync(join(folder, "notes.mp3"), "no sound")
  await service.worker()
  const viz = openVizCompute({ workerFile: join(service.dir, "absent.js"), log: silent })
  setHttpDeps({ ...service.node, viz, root: service.dir, stopping: new AbortController().signal })
  const config = loadConfig({ SERVICE_PORT: "0", SERVICE_API_TOKEN: TOKEN, SERVICE_DATA_DIR: service.dir })
  server = await serve(config, answerBy(await loadRoutes()))
}, 60_000)
afterAll(async () => {
  await server.close({ deadlineMs: 0 })
  await service.close()
})

/** Runs a command on the service, from a machine with a store of its own. */
const remote = (...args: string[]) =>
  runCli({ EARMARK_URL: server.url, EARMARK_TOKEN: TOKEN, SERVICE_DATA_DIR: join(service.dir, "other") }, args)

const json = async <T>(...args: string[]): Promise<T> => {
  const { code, out, err } = await remote(...args)
  expect([code, err]).toEqual([0, expect.any(String)])
  return JSON.parse(out) as T
}

describe("the command line with a remote service", { timeout: 300_000 }, () => {
  it("makes a clip, prints its ID, and lists, shows, finds, renames, exports and deletes it", async () => {
    const id = uuid5("name:bees")
    const made = await remote("generate-topics", "name:bees", "--transcription", join(folder, "bees.srt"))
    expect([made.code, made.err]).toEqual([0, expect.stringContaining(`clip ${id}\n`)])
    expect(JSON.parse(made.out)).toMatchObject({ session_id: id, topics: [{ start_s: 0 }] })

    expect((await json<ClipList>("clips")).clips.map((clip) => clip.id)).toEqual([id])
    expect(await json("clips", "rename", "name:bees", "The dance")).toEqual({ id, title: "The dance" })
    expect(await json("clips", "show", "name:bees")).toMatchObject({ id, title: "The dance" })
    expect(await json("search", "flowers")).toMatchObject({ words: [{ clip_id: id }] })
    expect((await remote("export", id, "--format", "txt")).out).toContain("Bees dance")
    expect(await json("query", "What do the bees show?")).toMatchObject({
      sources: [{ chunk: { metadata: { source: id } } }],
    })
    expect(await json("clips", "delete", id)).toEqual({ deleted: [id] })
  })

  it("says in a sentence what is wrong, with exit code 2 for wrong input", async () => {
    const failure = async (...args: string[]) => {
      const { code, err } = await remote(...args)
      return [code, err]
    }
    expect(await failure("clips", "show", "nobody")).toEqual([1, "earmark: unknown clip 'nobody'\n"])
    expect(await failure("clips", "rename", "nobody", " ")).toEqual([2, "earmark: the title must not be empty\n"])
    expect(await failure("query", "Why?", "--top-k", "many")).toEqual([2, "earmark: --top-k must be a number\n"])
    expect(await failure("transcribe", join(folder, "absent.mp3"))).toEqual([
      1,
      expect.stringMatching(/^earmark: no such file: .*absent\.mp3\. With --url, files are read from this machine/),
    ])
    expect((await failure("clips", "--token", "wrong-token-of-24-letters"))[1]).toContain("This token is not known")
  })

  it("goes on after a source that fails, and reads patterns", async () => {
    const { code, out, err } = await remote("transcribe", join(folder, "*.mp3"), join(folder, "absent.wav"))
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject([
      { source: expect.stringContaining("notes.mp3"), error: expect.any(String) },
      { source: expect.stringContaining("absent.wav"), error: expect.stringContaining("no such file") },
    ])
    expect(err).toContain("[1/2] ")
    const none = await remote("transcribe", join(folder, "*.flac"))
    expect([none.code, none.err]).toEqual([2, expect.stringContaining("No file matches")])
  })
})

it("reads a transcript and a question from standard input", async () => {
  const run = async (input: string, ...args: string[]) => {
    const child = spawn(process.execPath, [...programOf("cli"), ...args], {
      env: {
        ...process.env,
        SERVICE_DATA_DIR: join(service.dir, "own"),
        SERVICE_PROVIDER: "builtin",
      } as NodeJS.ProcessEnv,
    })
    child.stdin.end(input)
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
    return { out, err }
  }
  const subtitles = "1\n00:00:01,000 --> 00:00:20,000\nThe mast is of spruce.\n"
  const made = await run(subtitles, "generate-topics", "name:mast", "--transcription", "-")
  expect(made.err).toContain(`clip ${uuid5("name:mast")}`)
  expect((await run("What is the mast of?", "query", "-")).out).toContain("spruce")
  expect((await run("no sound", "transcribe", "-")).err).toMatch(/^earmark: .*recording/)
})
