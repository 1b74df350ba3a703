import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import type { RequestListener } from "node:http"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { openTarget, type Target } from "#test/fixtures/bad-inputs.ts"
import { badWav } from "#test/fixtures/bad-wav.ts"

/** Sends malicious files and files that are not recordings to the whole service. docs/speech.md lists the error messages. */
let t: Target
const LIMIT_MB = 3
/** Twelve hours would take four times as long without testing anything else. */
const HOURS = 3
/** The status of an upload whose first bytes are not those of a recording. */
const NOT_A_RECORDING = "415"
const UNDECODABLE = /^whisper: .*Couldn't decode/
const bytes = (text: string): Buffer<ArrayBuffer> => Buffer.from(text, "latin1")

const origin: RequestListener = (request, response) => {
  const html = request.url === "/page.mp3"
  response.writeHead(html ? 200 : 404, { "content-type": "audio/mpeg" })
  response.end(html ? "<!doctype html><html></html>" : "")
}
/** Creates a file with ffmpeg. */
const makeFile = (name: string, ...args: string[]): Buffer<ArrayBuffer> => {
  const path = join(t.dir, name)
  execFileSync("ffmpeg", ["-v", "error", "-nostdin", "-y", "-f", "lavfi", ...args, path])
  return readFileSync(path) as Buffer<ArrayBuffer>
}
const tone = (name: string): Buffer<ArrayBuffer> => makeFile(name, "-i", "sine=frequency=300:duration=8")
const listUploads = (): string[] => readdirSync(join(t.dir, "data/uploads"))

beforeAll(async () => {
  t = await openTarget(origin, { SERVICE_MAX_UPLOAD_MB: String(LIMIT_MB) })
})
afterEach(() => t.check())
afterAll(async () => {
  expect(listUploads().filter((file) => file.startsWith("."))).toEqual([])
  expect(readdirSync(join(t.dir, "data/tmp"))).toEqual([])
  await t.close()
})

describe("an origin that serves a page as MP3", () => {
  it("is not read further", async () =>
    expect(await t.submit(`${t.publicUrl}/page.mp3`)).toMatch(/^whisper: .*it is not a recording/))
})

describe("a playlist named as MP3", () => {
  const list = () => `#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXTINF:1,\nhttp://127.0.0.1:${t.canaryPort}/a.mp3\n`
  it("is rejected, and none of its entries is opened", async () =>
    expect(await t.upload("list.mp3", list())).toBe(NOT_A_RECORDING))
  it("is rejected behind an MP3 tag too, because the decoder opens no playlists", async () => {
    const outcome = await t.upload("tagged.mp3", `ID3\x03\0\0\0\0\0\0${list()}`)
    expect(outcome).toMatch(UNDECODABLE)
    expect(outcome).not.toContain("passwd")
  })
})

describe("an ffmpeg concat script", () => {
  it("is rejected as not audio", async () =>
    expect(await t.upload("script.mp3", "ffconcat version 1.0\nfile /etc/passwd\n")).toBe(NOT_A_RECORDING))
})

describe("empty and tiny files", () => {
  it("rejects an empty file immediately", async () => expect(await t.upload("empty.mp3", "")).toBe("422"))
  it("rejects a file of one byte", async () => expect(await t.upload("one.mp3", "x")).toBe(NOT_A_RECORDING))
  it("rejects what is not a recording before it stores it", async () => {
    const before = listUploads()
    expect(await t.upload("junk.mp3", Buffer.alloc(2 ** 20, 1))).toBe(NOT_A_RECORDING)
    expect(listUploads()).toEqual(before)
  })
  it("rejects a tag without audio", async () =>
    expect(await t.upload("tag.mp3", bytes("ID3\x04\0\0\0\0\0\0"))).toMatch(UNDECODABLE))
})

describe("a WAV file with a false header", () => {
  it.each([
    ["no channels", { channels: 0 }],
    ["no samples per second", { rate: 0 }],
  ])("is rejected if the header claims %s", async (_, header) =>
    expect(await t.upload("false.wav", badWav(header))).toMatch(UNDECODABLE),
  )
  it.each([
    ["four gigabytes", { size: 0xfffffff0 }],
    ["768 000 samples per second", { rate: 768_000 }],
  ])("is transcribed as silence if the header claims %s", async (_, header) =>
    expect(await t.upload("false.wav", badWav(header))).toBe("done"),
  )
})

describe("a video without audio", () => {
  it("is rejected for its missing audio track", async () => {
    const film = makeFile("film.mp4", "-i", "color=s=16x16:r=5", "-t", "1")
    expect(await t.upload("film.mp4", film)).toMatch(/^whisper: .*has no audio track. Choose a recording with sound/)
  })
})

describe("hours of silence in a few kilobytes", () => {
  it("are transcribed to the end without words", { timeout: 180_000 }, async () => {
    const flac = ["-c:a", "flac", "-frame_size", "65535", "-compression_level", "0"]
    const silence = makeFile("silence.flac", "-i", "anullsrc=r=8000:cl=mono", "-t", String(HOURS * 3600), ...flac)
    expect(silence.length).toBeLessThan(LIMIT_MB * 2 ** 20)
    expect(await t.upload("silence.flac", silence)).toBe("done")
  })
})

describe("truncated files", () => {
  it("transcribes a truncated MP3 up to its end", async () => {
    const whole = tone("whole.mp3")
    expect(await t.upload("cut.mp3", whole.subarray(0, Math.floor(whole.length * 0.6) + 7))).toMatch(
      /^(done|whisper: .*is truncated)/,
    )
  })
  it("reports a truncated FLAC and M4A", async () => {
    const [flac, m4a] = [tone("whole.flac"), tone("whole.m4a")]
    expect(await t.upload("cut.flac", flac.subarray(0, flac.length / 2))).toMatch(
      /^whisper: .*is truncated. It ends after/,
    )
    expect(await t.upload("cut.m4a", m4a.subarray(0, m4a.length / 2))).toMatch(UNDECODABLE)
  })
  it("rejects random bytes", async () => {
    const noise = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919 + 13) % 251))
    expect(await t.upload("noise.mp3", noise)).toBe(NOT_A_RECORDING)
  })
})

describe("polyglot files", () => {
  it("rejects a page that contains an MP3, a program's name, and the EICAR test file", async () => {
    expect(await t.upload("page.mp3", "<html><script>alert(1)</script>ID3")).toBe(NOT_A_RECORDING)
    const eicar = "X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"
    expect(await t.upload("song.mp3.exe", eicar)).toBe(NOT_A_RECORDING)
  })
  it("accepts an MP3 that contains a page, stores it under a generated name, and serves it as audio", async () => {
    const both = Buffer.concat([tone("tone.mp3"), bytes("<html><script>alert(1)</script></html>")])
    const form = new FormData()
    form.set("file", new File([both], "song.html"))
    const answer = await t.call("POST", "/jobs/audio", form)
    expect(await t.outcome(answer)).toMatch(/^(done|l1: )/)
    const { session_id } = JSON.parse(answer.text) as { session_id: string }
    const { headers } = await t.call("GET", `/clips/${session_id}/audio`)
    expect([headers.get("content-type"), headers.get("x-content-type-options")]).toEqual(["audio/mpeg", "nosniff"])
  })
})

describe("file names", () => {
  it.each([
    "../../etc/cron.d/x.mp3",
    "..\\..\\x.mp3",
    "a/b.mp3",
    `${"x".repeat(300)}.mp3`,
    "CON",
    "🎧.mp3",
    "\u202Egpj.mp3",
  ])("%j is replaced by a generated name", async (name) => {
    expect(await t.upload(name, bytes(`ID3\x04\0\0\0\0\0\0${name.length}`))).toMatch(UNDECODABLE)
    for (const file of listUploads()) expect(file).toMatch(/^[0-9a-f]{64}(\.[a-z0-9]{1,8})?$/)
    expect(existsSync(join(t.dir, "etc"))).toBe(false)
  })
})

describe("file names with control characters", () => {
  it.each(["a\0b.mp3", "a\u0001b.mp3"])("rejects %j immediately and stores nothing", async (name) => {
    const before = listUploads()
    expect(await t.upload(name, "no sound")).toBe("400")
    expect(listUploads()).toEqual(before)
  })
})

describe("an upload of one byte over the limit", () => {
  const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'
  const send = (size: number) => {
    const head = bytes("RIFF\0\0\0\0WAVE")
    const chunks = [bytes(part), head, Buffer.alloc(size - head.length), bytes("\r\n--b--\r\n")]
    const body = new ReadableStream({
      pull: (controller) => {
        const chunk = chunks.shift()
        if (chunk) controller.enqueue(chunk)
        else controller.close()
      },
    })
    return t.call("POST", "/jobs/audio", body, { "content-type": "multipart/form-data; boundary=b" })
  }
  it("is answered with 413 also without a declared length, and leaves no file, while exactly the limit is accepted", async () => {
    const before = listUploads()
    const rejected = await send(LIMIT_MB * 2 ** 20 + 1)
    expect([rejected.status, JSON.parse(rejected.text).detail]).toEqual([
      413,
      expect.stringMatching(/SERVICE_MAX_UPLOAD_MB/),
    ])
    expect(listUploads()).toEqual(before)
    expect(await t.outcome(await send(LIMIT_MB * 2 ** 20))).toMatch(UNDECODABLE)
  })
})
