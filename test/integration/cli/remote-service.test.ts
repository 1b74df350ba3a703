import { spawn } from "node:child_process"
import { mkdirSync, realpathSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type {
  ClipList,
  CreatedToken,
  CreatedWebhook,
  IngestResponse,
  ModelList,
  TokenList,
  TopicRunList,
  TopicTree,
  WebhookList,
} from "#lib/api/client/index.ts"
import { uuid5 } from "#lib/domain/ids.ts"
import { setHttpDeps } from "#lib/http/container.ts"
import type { HttpServer } from "#lib/http/server/http-server.ts"
import { createJobParser } from "#lib/http/uploads/job-parser.ts"
import { openVizCompute } from "#lib/map/worker/compute-thread.ts"
import { loadConfig } from "#lib/platform/config/config.ts"
import { runCli } from "#test/fixtures/cli.ts"
import { type Installation, openInstallation } from "#test/fixtures/installation.ts"
import { openModelHost } from "#test/fixtures/model-host.ts"
import { programOf } from "#test/fixtures/programs.ts"
import { answerBy, loadRoutes } from "#test/fixtures/routes.ts"
import { putModels } from "#test/fixtures/speech-models.ts"
import { speechWords } from "#test/fixtures/speech-words.ts"
import { serve, silent } from "#test/fixtures/web.ts"

const TOKEN = "a-token-of-24-characters"
/** A service with a worker, on a store of its own. */
let service: Installation
let server: HttpServer
let models: Awaited<ReturnType<typeof openModelHost>>
let folder: string

beforeAll(async () => {
  models = await openModelHost()
  service = await openInstallation({
    SERVICE_PROVIDER: "builtin",
    SERVICE_API_TOKEN: TOKEN,
    SERVICE_PORT: "0",
    SERVICE_MODELS_MIRROR: models.url,
    SERVICE_MODELS_OFFLINE: "false",
  })
  // Every speech model needs this one.
  putModels(join(service.dir, "models"), ["silero-vad"])
  folder = join(service.dir, "talks")
  mkdirSync(folder)
  const cue = (words: string) => `1\n00:00:01,000 --> 00:00:20,000\n${words}\n`
  writeFileSync(join(folder, "bees.srt"), cue("Bees dance to show where the flowers are."))
  writeFileSync(join(folder, "notes.mp3"), "no sound")
  await service.worker()
  const viz = openVizCompute({ workerFile: join(service.dir, "absent.js"), log: silent })
  setHttpDeps({
    parseJob: createJobParser(),
    ...service.node,
    viz,
    root: service.dir,
    stopping: new AbortController().signal,
  })
  const config = loadConfig({ SERVICE_PORT: "0", SERVICE_API_TOKEN: TOKEN, SERVICE_DATA_DIR: service.dir })
  server = await serve(config, answerBy(await loadRoutes()))
}, 60_000)
afterAll(async () => {
  await server.close({ deadlineMs: 0 })
  await service.close()
  await models.close()
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
    expect(await json("people", "name", "name:bees", "0", "Ada")).toMatchObject({
      speakers: [{ speaker: "0", name: "Ada" }],
    })
    expect(await json("people", "search", "ada", "bees")).toMatchObject({ words: [{ clip_id: id }] })
    expect(await json("clips", "delete", id)).toEqual({ deleted: [id] })
  })

  it("finds topics again, lists runs and compares them", async () => {
    const words = join(folder, "words.json")
    writeFileSync(words, JSON.stringify(speechWords()))
    const tree = await json<TopicTree>("generate-topics", "name:talk", "--transcription", words)
    const before = join(folder, "before.json")
    writeFileSync(before, JSON.stringify(tree))
    const rerun = await json<TopicTree>("topics", "rerun", "name:talk", "--min-subdivide-duration-s", "10000")
    expect(rerun.topics[0]!.children).not.toEqual([])
    expect(rerun.topics[0]!.children.flatMap(({ children }) => children)).toEqual([])
    const { runs } = await json<TopicRunList>("topics", "runs", "name:talk")
    expect(runs.map(({ settings }) => settings?.min_subdivide_duration_s)).toEqual([10_000, 120])
    const moved = { topics: { moved: [], agreement: { f1: 1 } } }
    expect(await json("topics", "diff", runs[1]!.id, runs[0]!.id)).toMatchObject(moved)
    expect(await json("topics", "diff", before, "name:talk", "--tolerance", "30")).toMatchObject(moved)
    const unknown = await remote("topics", "diff", "nothing", "name:talk")
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringContaining("'nothing' is not a topic run, clip or file"),
    ])
  })

  it("uploads the documents of a folder", async () => {
    const notes = join(service.dir, "notes")
    mkdirSync(notes)
    writeFileSync(join(notes, "boat.md"), "The mast of the boat is of spruce.")
    writeFileSync(join(notes, "broken.pdf"), "no PDF")
    writeFileSync(join(notes, "photo.jpg"), "not read")
    const first = await json<IngestResponse>("ingest", notes)
    expect(first).toMatchObject({ ingested: 1, unchanged: 0, skipped: 1, pruned: 0 })
    expect(first.failed).toEqual([
      { path: join(realpathSync(notes), "broken.pdf"), detail: expect.stringContaining("broken.pdf") },
    ])
    expect(await json("ingest", join(notes, "boat.md"))).toMatchObject({ ingested: 0, chunks: 0, unchanged: 1 })
    expect(await json("query", "What is the mast of?", "--scope", "documents")).toMatchObject({
      answer: expect.stringContaining("spruce"),
    })
    const absent = await remote("ingest", join(notes, "absent.md"))
    expect([absent.code, absent.err]).toEqual([1, expect.stringContaining("absent.md")])
    const prune = await remote("ingest", notes, "--prune")
    expect([prune.code, prune.err]).toEqual([2, expect.stringContaining("--prune does not go with --url")])
  })

  it("lists, downloads and removes the models of the service", async () => {
    const stateOf = async (name: string) =>
      (await json<ModelList>("models")).models.find((model) => model.name === name)?.state
    expect(await stateOf("whisper-tiny")).toBe("absent")
    const pulled = await remote("models", "pull", "tiny")
    expect([pulled.code, pulled.err]).toEqual([0, expect.stringMatching(/whisper-tiny .*in/)])
    expect(JSON.parse(pulled.out)).toEqual({ pulled: [{ name: "whisper-tiny" }, { name: "silero-vad" }] })
    expect(await stateOf("whisper-tiny")).toBe("present")
    expect(await json("models", "remove", "whisper-tiny")).toEqual({ removed: "whisper-tiny" })
    expect(await stateOf("whisper-tiny")).toBe("absent")
    const unknown = await remote("models", "pull", "nothing")
    expect([unknown.code, unknown.err]).toEqual([
      1,
      expect.stringMatching(/^earmark: There is no model 'nothing' in the catalog/),
    ])
  })

  it("manages the API tokens and webhooks of the service", async () => {
    const { id } = await json<CreatedToken>("tokens", "create", "nightly")
    const { tokens } = await json<TokenList>("tokens")
    expect(tokens).toMatchObject([{ id, scopes: ["read"] }])
    expect(await json("tokens", "revoke", id)).toEqual({ revoked: id })

    const webhook = await json<CreatedWebhook>("webhooks", "create", "https://example.org/hook", "--events", "job.done")
    expect(await json("webhooks", "disable", webhook.id)).toMatchObject({ enabled: false })
    expect(await json<WebhookList>("webhooks")).toMatchObject({ webhooks: [{ id: webhook.id, events: ["job.done"] }] })
    expect(await json("webhooks", "delete", webhook.id)).toEqual({ deleted: webhook.id })
    const wrong = await remote("webhooks", "create", "ftp://example.org")
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringMatching(/^earmark: URL /)])
  })

  it("refuses commands on the store of this machine", async () => {
    for (const { code, err } of await Promise.all([remote("engines"), remote("store", "check")]))
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(
          /works on this machine only\. Run it on the machine of the service, or unset EARMARK_URL/,
        ),
      ])
  })

  it("refuses --url for what starts or checks something on this machine, and ignores EARMARK_URL", async () => {
    const [refused, ignored] = await Promise.all([remote("doctor", "--url", server.url), remote("completion", "bash")])
    const reason = "`earmark doctor` works on this machine only. Run it on the machine of the service."
    expect([refused.code, refused.err]).toEqual([2, `earmark: ${reason}\n`])
    expect([ignored.code, ignored.out]).toEqual([0, expect.stringContaining("generate-topics")])
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
    expect(await failure("export", "--all")).toEqual([
      2,
      `earmark: --all: reads the local library. Download ${server.url}/export to export a remote one.\n`,
    ])
    expect(await failure("transcribe", "name:a", "--no-persist")).toEqual([
      2,
      "earmark: --no-persist does not go with --url: a service stores what it processes.\n",
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
