import {
  chmodSync,
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
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { SourceRef } from "#lib/domain/jobs/source.ts"
import { identify } from "#lib/sources/identity.ts"
import { createOpenSource } from "#lib/sources/open.ts"
import { openInstallation } from "#test/fixtures/installation.ts"
import { putModels, TONE_MODEL } from "#test/fixtures/speech-models.ts"
import { spoken, writeWav } from "#test/fixtures/tones.ts"

const ID = "dQw4w9WgXcQ"
const OTHER = "abcdefghij_"
const SESSION = "fa678091-b771-53c5-bb5c-b97259498be6"
const signal = () => new AbortController().signal

let dir: string
let calls: string
const path = process.env.PATH

/** Installs a yt-dlp on PATH that logs its calls and runs a shell script. */
const installYtDlp = (script: string, version = "2026.11.01"): void => {
  const file = join(dir, "bin", "yt-dlp")
  const lines = [
    "#!/bin/sh",
    `for a in "$@"; do printf '%s\\n' "$a" >> ${calls}; done; printf -- '----\\n' >> ${calls}`,
    `[ "$1" = --version ] && { echo ${version}; exit 0; }`,
    'out=; while [ $# -gt 1 ]; do [ "$1" = -o ] && out=$(dirname "$2"); shift; done',
    script,
  ]
  writeFileSync(file, `${lines.join("\n")}\n`)
  chmodSync(file, 0o755)
}
/** Returns a script that downloads a video. */
const downloadScript = (id: string): string =>
  `cp ${join(dir, "talk.wav")} "$out/audio.wav"; echo '${JSON.stringify({ id, title: "A talk", channel: "Some channel", upload_date: "20240229" })}'`

const listCalls = (): string[][] =>
  existsSync(calls)
    ? readFileSync(calls, "utf8")
        .split("----\n")
        .slice(0, -1)
        .map((call) => call.split("\n").slice(0, -1))
        .filter(([first]) => first !== "--version")
    : []

beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), "earmark-youtube-")))
  calls = join(dir, "calls")
  mkdirSync(join(dir, "bin"))
  writeWav(
    join(dir, "talk.wav"),
    spoken([
      { word: "alpha", at: 1 },
      { word: "bravo", at: 3 },
    ]),
    6,
  )
  process.env.PATH = `${join(dir, "bin")}:${path}`
})
afterAll(() => {
  process.env.PATH = path
  rmSync(dir, { recursive: true })
})
beforeEach(() => rmSync(calls, { force: true }))

const uploads = () => join(dir, "uploads")
const open = (ref: SourceRef, deadlineMs = 20_000) =>
  createOpenSource({
    roots: [dir],
    blobs: () => Promise.reject(new Error("no upload")),
    tempDir: uploads(),
    fetch: {
      ports: [80, 443],
      allowed: [],
      maxBytes: 10_000_000,
      deadlineMs,
      resolve: async () => [{ address: "10.0.0.1", family: 4 }],
    },
  })(ref, signal())
const identifySource = (source: string) => identify(source, { roots: [dir], cwd: dir })

const ADDRESS_FORMS = [
  `https://www.youtube.com/watch?v=${ID}`,
  `http://youtube.com/watch?v=${ID}`,
  `https://m.youtube.com/watch?v=${ID}&t=42s`,
  `https://music.youtube.com/watch?v=${ID}&list=RDAMVM`,
  `https://www.youtube.com/watch?list=PL0123456789&index=3&v=${ID}`,
  `https://www.youtube.com/watch?feature=share&amp;v=${ID}`,
  `https://youtu.be/${ID}`,
  `https://youtu.be/${ID}?si=abc`,
  `http://www.youtu.be/${ID}`,
  `https://www.youtube.com/embed/${ID}`,
  `https://www.youtube-nocookie.com/embed/${ID}?rel=0`,
  `https://www.youtube.com/shorts/${ID}`,
  `https://www.youtube.com/live/${ID}?feature=share`,
  `https://www.youtube.com/v/${ID}`,
  `https://www.youtube.com/e/${ID}`,
  `https://www.youtube.com/attribution_link?u=%2Fwatch%3Fv%3D${ID}%26feature%3Dshare`,
  `HTTPS://WWW.YOUTUBE.COM/watch?v=${ID}#t=30`,
  `https://www.youtube.com:443/watch?v=${ID}`,
  `youtube.com/watch?v=${ID}`,
  `youtu.be/${ID}`,
]

const LOOK_ALIKES = [
  `https://youtube.com.evil.test/watch?v=${ID}`,
  `https://evil.test/https://www.youtube.com/watch?v=${ID}`,
  `https://youtube.com@evil.test/watch?v=${ID}`,
  `https://notyoutube.com/watch?v=${ID}`,
  `https://youtu.be.evil.test/${ID}`,
  `https://www.youtube.com:8443/watch?v=${ID}`,
  "https://www.youtube.com/watch?v=../../x",
  "https://www.youtube.com/watch?v=--exec=touch",
  "https://www.youtube.com/playlist?list=PL0123456789",
  "https://www.youtube.com/@somebody",
  `https://www.y0utube.com/watch?v=${ID}`,
  `--exec=touch ${ID}`,
]

describe("YouTube through yt-dlp", () => {
  it("treats 20 forms of one address as one recording, and passes one form to yt-dlp", async () => {
    installYtDlp(downloadScript(ID))
    expect(new Set(ADDRESS_FORMS).size).toBe(20)
    for (const form of ADDRESS_FORMS) {
      const { sessionId, ref } = identifySource(form)
      expect([form, sessionId]).toEqual([form, SESSION])
      const opened = await open(ref)
      expect(opened.sessionId).toBe(SESSION)
      await opened.remove?.()
    }
    expect(listCalls()).toHaveLength(20)
    for (const args of listCalls()) {
      expect(args.slice(-2)).toEqual(["--", `https://www.youtube.com/watch?v=${ID}`])
      expect(args).toEqual(
        expect.arrayContaining(["--ignore-config", "--no-playlist", "--no-exec", "--js-runtimes", "--max-filesize"]),
      )
    }
    expect(readdirSync(uploads())).toEqual([])
  })

  it("never passes 12 similar-looking addresses to yt-dlp", async () => {
    installYtDlp(downloadScript(ID))
    expect(LOOK_ALIKES).toHaveLength(12)
    for (const source of LOOK_ALIKES)
      await expect((async () => open(identifySource(source).ref))()).rejects.toMatchObject({
        message: expect.any(String),
      })
    expect(existsSync(calls)).toBe(false)
  })

  it("keeps title, channel and date of the video", async () => {
    installYtDlp(downloadScript(ID))
    const { about, remove } = await open(identifySource(ADDRESS_FORMS[0]!).ref)
    expect(about).toEqual({ title: "A talk", channel: "Some channel", published_at: "2024-02-29T00:00:00.000Z" })
    await remove?.()
  })

  it.each([
    ["echo 'ERROR: [youtube] dQw: Video unavailable' >&2; exit 1", /Couldn't download .*: dQw: Video unavailable/],
    ["exit 0", /it is live, longer than 12 hours, or larger/],
    ["kill -9 $$", /signal SIGKILL/],
    ['echo > "$out/audio.wav"; echo WARNING; echo nothing', /no readable report.*WARNING nothing.*pull yt-dlp/],
    ['echo > "$out/audio.wav"; echo \'{"id":"../../x"}\'', /no readable report/],
  ])("fails with a message for `%s`, and leaves no file", async (script, message) => {
    installYtDlp(script)
    const failure = await open(identifySource(ADDRESS_FORMS[0]!).ref).catch((error: unknown) => error)
    expect(failure).toMatchObject({ retry: "never", message: expect.stringMatching(message) })
    expect(readdirSync(uploads())).toEqual([])
  })

  it("finds the JSON after other output lines, and ignores an invalid date", async () => {
    installYtDlp(`echo WARNING; ${downloadScript(ID).replace("20240229", "20249999")}`)
    const { about, remove } = await open(identifySource(ADDRESS_FORMS[0]!).ref)
    expect(about).toEqual({ title: "A talk", channel: "Some channel", published_at: null })
    await remove?.()
  })

  it("names an outdated or missing program, and how to install a new one", async () => {
    installYtDlp(downloadScript(ID), "2023.03.04")
    await expect(open(identifySource(ADDRESS_FORMS[0]!).ref)).rejects.toThrow(
      /has version 2023.03.04.*earmark models pull yt-dlp/,
    )
    expect(listCalls()).toEqual([])
    rmSync(join(dir, "bin", "yt-dlp"))
    await expect(open(identifySource(ADDRESS_FORMS[0]!).ref)).rejects.toMatchObject({
      code: "capability_missing",
      message: expect.stringMatching(/earmark models pull yt-dlp/),
    })
  })

  it("stops yt-dlp after its timeout", async () => {
    installYtDlp("sleep 60")
    await expect(open(identifySource(ADDRESS_FORMS[0]!).ref, 700)).rejects.toThrow(
      /took longer than 1 s.*SERVICE_FETCH_TIMEOUT_S/,
    )
    expect(readdirSync(uploads())).toEqual([])
  })

  it("completes a job named after the video, and follows an address that leads to another video", async () => {
    installYtDlp(downloadScript(OTHER))
    const installation = await openInstallation({
      SERVICE_SPEECH_ENGINE: "sherpa",
      SERVICE_SPEECH_MODEL: TONE_MODEL,
      SERVICE_PROVIDER: "builtin",
    })
    putModels(join(installation.dir, "models"))
    await installation.worker()
    const id = await installation.submit({ source: ADDRESS_FORMS[0]! })
    const done = await installation.until(id, (job) => ["done", "error"].includes(job.status), 60_000)
    const resolved = identifySource(`https://youtu.be/${OTHER}`).sessionId
    expect([done.status, done.error]).toEqual(["done", undefined])
    expect(done).toMatchObject({ session_id: SESSION, result_session_id: resolved, title: "A talk" })
    expect(await installation.store.clips.get(resolved)).toMatchObject({
      title: "A talk",
      channel: "Some channel",
      published_at: "2024-02-29T00:00:00.000Z",
      source_url: `https://www.youtube.com/watch?v=${OTHER}`,
      file_path: null,
      speech_engine: "sherpa",
      diarized: true,
    })
    expect(await installation.store.clips.get(SESSION)).toBeNull()
    await installation.close()
  })
})
