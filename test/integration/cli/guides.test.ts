import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { packageRoot } from "#lib/platform/package-root.ts"
import { findFreePort } from "#test/fixtures/free-ports.ts"
import { readGuide, runGuide } from "#test/fixtures/guide.ts"
import { openSpeechServer } from "#test/fixtures/speech-server.ts"
import { startService } from "../../e2e/helpers.ts"

/** Runs the commands of docs/guides on one service, whose speech server knows what the bundled recording says. */
const SAMPLES = join(packageRoot(), "public/samples")
const RECORDING = join(SAMPLES, "three-subjects.flac")
const dir = mkdtempSync(join(tmpdir(), "earmark-guides-"))
let speech: Awaited<ReturnType<typeof openSpeechServer>>
let service: Awaited<ReturnType<typeof startService>>
let settings: Record<string, string>

/** The answer of a perfect speech server, with evenly spaced words. */
const transcript = (): object => {
  const { text, duration_s } = JSON.parse(readFileSync(join(SAMPLES, "three-subjects.json"), "utf8")) as {
    text: string
    duration_s: number
  }
  const words = text.split(/\s+/)
  const step = duration_s / words.length
  return { text, words: words.map((word, i) => ({ word, start: i * step, end: (i + 0.9) * step })) }
}

beforeAll(async () => {
  speech = await openSpeechServer()
  speech.onTranscribe(() => ({ body: transcript() }))
  settings = {
    SERVICE_DATA_DIR: join(dir, "data"),
    SERVICE_INGEST_ROOTS: dir,
    SERVICE_PROVIDER: "builtin",
    SERVICE_SPEECH_URL: speech.url,
    SERVICE_SPEECH_ENGINE: "openai",
    SERVICE_WEBHOOK_ALLOW: "127.0.0.1",
  }
  service = await startService(settings)
}, 60_000)
afterAll(async () => {
  await service?.stop()
  await speech?.close()
  rmSync(dir, { recursive: true, force: true })
})

/** Creates the folder of a guide, in which programs find the packages that the guide installs. */
const createFolder = (guide: string): string => {
  const folder = join(dir, guide)
  mkdirSync(join(folder, "node_modules/@modelcontextprotocol"), { recursive: true })
  symlinkSync(join(packageRoot(), "client"), join(folder, "node_modules/earmark-client"))
  for (const name of ["standardwebhooks", "@modelcontextprotocol/client"])
    symlinkSync(join(packageRoot(), "node_modules", name), join(folder, "node_modules", name))
  return folder
}
const addProgram = (folder: string, name: string, script: string): void => {
  mkdirSync(join(folder, ".programs"), { recursive: true })
  writeFileSync(join(folder, ".programs", name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, ".programs", name), 0o755)
}
const run = (guide: string, folder: string, replace: Record<string, string> = {}): Promise<string> =>
  runGuide(readGuide(`${guide}.md`), {
    folder,
    env: settings,
    replace: { "http://127.0.0.1:8000": service.url, ...replace },
  })

describe("docs/guides", { timeout: 120_000 }, () => {
  it("transcribe a folder", async () => {
    const folder = createFolder("transcribe-a-folder")
    mkdirSync(join(folder, "talks"))
    for (const name of ["monday.flac", "tuesday.flac"]) copyFileSync(RECORDING, join(folder, "talks", name))
    const output = await run("transcribe-a-folder", folder)
    const read = (file: string) => readFileSync(join(folder, file), "utf8")
    for (const file of ["talks/monday.srt", "talks/tuesday.srt"]) expect(read(file)).toMatch(/-->.*\nLast spring you/)
    expect(JSON.parse(read("transcripts.json"))).toMatchObject([
      { source: "talks/monday.flac", words: expect.any(Array) },
      { source: "talks/tuesday.flac" },
    ])
    expect(JSON.parse(read("topics.json"))).toHaveLength(2)
    expect(output).toContain("Last spring you started to repair an old boat.")
  })

  it("get chapters for YouTube", async () => {
    const folder = createFolder("youtube-chapters")
    copyFileSync(RECORDING, join(folder, "talk.flac"))
    writeFileSync(join(folder, "captions.srt"), "1\n00:00:00,000 --> 00:00:09,000\nBees dance to show the way.\n")
    const video = JSON.stringify({ id: "dQw4w9WgXcQ", title: "A talk" })
    addProgram(
      folder,
      "yt-dlp",
      `[ "$1" = --version ] && { echo 2026.11.01; exit 0; }
while [ $# -gt 1 ]; do [ "$1" = -o ] && out=$(dirname "$2"); shift; done
cp ${RECORDING} "$out/audio.flac"; echo '${video}'`,
    )
    const output = await run("youtube-chapters", folder)
    const shown = readGuide("youtube-chapters.md").find(({ language }) => language === "text")!.text
    expect(readFileSync(join(folder, "description.txt"), "utf8").trim()).toBe(shown.trim())
    // The same recording as a video.
    expect(output).toContain(shown)
    expect(output).toContain("0:00 Our old boat")
  })

  it("ask from a script", async () => {
    const folder = createFolder("ask-from-a-script")
    writeFileSync(join(folder, "notes.md"), "# Harbor\n\nWe meet in the harbor at nine on the first of May.\n")
    const output = await run("ask-from-a-script", folder)
    expect(output.match(/at nine on the first of May/g)!.length).toBeGreaterThanOrEqual(4)
    expect(output).toMatch(/^\[1\] .*notes\.md/m)
  })

  it("react to finished jobs", async () => {
    const folder = createFolder("react-to-finished-jobs")
    copyFileSync(RECORDING, join(folder, "talk.flac"))
    const output = await run("react-to-finished-jobs", folder, { "3000": String(await findFreePort()) })
    const { session_id } = JSON.parse(/\{"job_id".*\}/.exec(output)![0])
    expect(readFileSync(join(folder, `${session_id}.srt`), "utf8")).toContain("Last spring you")
  })

  it("use it from Claude or another MCP client", async () => {
    const folder = createFolder("mcp-client")
    addProgram(folder, "claude", 'echo "$@" > claude.txt')
    const output = await run("mcp-client", folder)
    expect(output).toMatch(/boat/)
    const { mcpServers } = JSON.parse(readFileSync(join(folder, "mcp.json"), "utf8"))
    const { command, args } = mcpServers.earmark
    expect(readFileSync(join(folder, "claude.txt"), "utf8")).toBe(
      `mcp add earmark -- ${[command, ...args].join(" ")}\n`,
    )
    const env = { ...settings, HOME: folder, PATH: `${join(folder, ".programs")}:${process.env.PATH}` }
    const client = new Client({ name: "test", version: "1" })
    await client.connect(new StdioClientTransport({ command, args, env, cwd: folder }))
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain("search_recordings")
    await client.close()
  })
})
