import { execFileSync } from "node:child_process"
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import type { RequestListener } from "node:http"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { packageRoot } from "#lib/platform/package-root.ts"
import { openTarget, type Target } from "#test/fixtures/bad-inputs.ts"
import { badWav } from "#test/fixtures/bad-wav.ts"

/**
 * Submits malicious sources. See recordings.test.ts for malicious recordings, and guarded-fetch.test.ts for names that
 * resolve to private addresses.
 */
let t: Target

const origin: RequestListener = (request, response) => {
  const redirect = (location: string) => void response.writeHead(302, { location }).end()
  response.on("error", () => undefined)
  switch (request.url) {
    case "/canary":
      return redirect(`http://127.0.0.1:${t.canaryPort}/`)
    case "/file":
      return redirect("file:///etc/passwd")
    case "/loop":
      return redirect("/loop")
    case "/endless": {
      const more = () => {
        while (response.write(badWav()));
      }
      response.on("drain", more)
      return more()
    }
    case "/slow": {
      const timer = setInterval(() => response.write("R"), 100)
      return void response.on("close", () => clearInterval(timer))
    }
    case "/packed":
      return void response.writeHead(200, { "content-encoding": "gzip" }).end(badWav())
    case "/good.wav":
      return void response.end(badWav())
    default:
      return void response.writeHead(404).end()
  }
}

beforeAll(async () => {
  t = await openTarget(origin)
})
afterEach(() => t.check())
afterAll(async () => {
  expect(readdirSync(join(t.dir, "data/tmp"))).toEqual([])
  await t.close()
})

describe("internal addresses", () => {
  for (const host of [
    "127.0.0.1",
    "localhost",
    "LOCALHOST.",
    "[::1]",
    "0.0.0.0",
    "0",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "169.254.169.254",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[64:ff9b::7f00:1]",
    "[fe80::1]",
    "[fd00::1]",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "198.18.0.1",
    "ⓛocalhost",
    "１２７．０．０．１",
  ])
    it(`${host} is rejected`, async () =>
      expect(await t.submit(`http://${host}:${t.canaryPort}/latest/meta-data/`)).toBe("403"))
  it("are recognized by the host of the WHATWG URL parser", async () => {
    expect(await t.submit(`http://127.0.0.1:${t.canaryPort}\\@example.com/`)).toBe("403")
    expect(await t.submit(`http://example.com@127.0.0.1:${t.canaryPort}/`)).toBe("422")
  })
})

describe("invalid and unsupported addresses", () => {
  for (const source of [
    "file:///etc/passwd",
    "ftp://example.com/a",
    "gopher://example.com/",
    "data:audio/wav;base64,AA",
    "javascript:alert(1)",
    "blob:http://example.com/x",
    "jar:http://example.com!/x",
    "http://user:pass@example.com/",
    "http://example.com:22/",
    "http://example.com:25/",
    "http://example.com:6379/",
    `http://example.com/${"x".repeat(100_000)}`,
    "http://example.com/a\r\nHost: evil",
    "http://example.com/a\0b",
    "http://example.com/a b\tc",
    "https://www.youtube.com/watch?v=../../x",
    "https://www.youtube.com/playlist?list=PL0123456789",
    "",
    "   ",
  ])
    it(`${JSON.stringify(source.slice(0, 50))} is rejected`, async () => expect(await t.submit(source)).toBe("422"))
  it("treats a program option as a path", async () => {
    const created = join(t.dir, "created")
    for (const source of ["-oProxyCommand", `--exec=touch ${created}`]) expect(await t.submit(source)).toBe("403")
    expect(existsSync(created)).toBe(false)
  })
  it("fetches a host that only starts like YouTube's as an ordinary address", async () => {
    const answer = await t.send({ source: "https://youtube.com.evil.test/watch?v=dQw4w9WgXcQ" })
    expect(answer.status).toBe(202)
    await t.call("DELETE", `/jobs/${JSON.parse(answer.text).job_id}`)
  })
})

describe("misbehaving origins", () => {
  for (const [path, message] of [
    ["/canary", /not a public address/],
    ["/file", /'file:' URLs are not supported/],
    ["/loop", /redirects more than 5 times/],
    ["/endless", /larger than 3 MB/],
    ["/slow", /took longer than 3 s/],
    ["/packed", /compressed data/],
    ["/nothing", /returned HTTP 404/],
  ] as const)
    it(`${path} fails the job with a message`, async () => expect(await t.submit(t.publicUrl + path)).toMatch(message))
  it("transcribes a valid recording and identifies it by its address", async () => {
    const answer = await t.send({ source: `${t.publicUrl}/good.wav`, title: "Silence" })
    const { session_id, job_id } = JSON.parse(answer.text)
    await t.outcome(answer)
    const { stages } = JSON.parse((await t.call("GET", `/jobs/${job_id}`)).text)
    expect(stages.whisper).toBe("done")
    const clip = JSON.parse((await t.call("GET", `/clips/${session_id}`)).text)
    expect(clip).toMatchObject({ source_url: `${t.publicUrl}/good.wav`, file_path: null, duration_s: 1 })
    expect((await t.call("GET", `/clips/${session_id}/audio`)).status).toBe(404)
  })
})

describe("recording paths", () => {
  const sample = join(packageRoot(), "public/samples/three-subjects.flac")
  for (const path of [
    "/etc/passwd",
    "/proc/self/environ",
    "~/.ssh/id_rsa",
    "/dev/zero",
    "../../../etc/passwd",
    "/root/../etc/shadow",
  ])
    it(`${path} is rejected`, async () => expect(await t.submit(path)).toBe("403"))
  it("rejects dot segments, and a sibling whose name starts with the name of the root", async () => {
    expect(await t.submit(join(t.root, "x").replace(/x$/, "../../etc/passwd"))).toBe("403")
    mkdirSync(`${t.root}-evil`)
    writeFileSync(`${t.root}-evil/a.flac`, readFileSync(sample))
    expect(await t.submit(`${t.root}-evil/a.flac`)).toBe("403")
    expect(await t.submit(`${t.root}/%2e%2e%2fetc/passwd`)).toMatch(/no such file/)
    expect(await t.submit(`${t.root}/..\0/x`)).toBe("422")
  })
  it("rejects links out of the root, of the file or of its folder", async () => {
    symlinkSync("/etc/passwd", join(t.root, "link.wav"))
    symlinkSync(`${t.root}-evil`, join(t.root, "linked-folder"))
    for (const name of ["link.wav", "linked-folder/a.flac"])
      expect(await t.submit(join(t.root, name))).toMatch(/is a link to a path outside/)
  })
  it("rejects paths that are not regular files, without waiting", async () => {
    execFileSync("mkfifo", [join(t.root, "fifo.wav")])
    writeFileSync(join(t.root, "text.wav"), "text")
    linkSync(join(t.root, "text.wav"), join(t.root, "hard.wav"))
    expect(await t.submit(join(t.root, "fifo.wav"))).toMatch(/not a regular file/)
    expect(await t.submit(t.root)).toMatch(/is a folder/)
    expect(await t.submit(join(t.root, "hard.wav"))).toMatch(/not a recording/)
  })
})
