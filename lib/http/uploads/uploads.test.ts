import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import http from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { raw, serve, tempConfig } from "#test/fixtures/web.ts"
import { AppError } from "../../domain/errors.ts"
import type { Submission } from "../../services/jobs/submit-job.ts"
import { openBlobFolder } from "../../storage/blobs/folder.ts"
import { safeExtension } from "../../storage/blobs/keys.ts"
import type { HttpServer } from "../server/http-server.ts"
import { sanitizeFileName } from "./file-name.ts"
import { createJobParser } from "./job-parser.ts"
import { receiveRecording } from "./uploads.ts"

const { config, remove } = tempConfig({ SERVICE_MAX_UPLOAD_MB: "3" })
const uploads = join(config.data.dir, "uploads")
const blobs = openBlobFolder(uploads)
const parseJob = createJobParser()
let front: HttpServer
let last: Submission | undefined
let settled: Promise<unknown> = Promise.resolve()

beforeAll(async () => {
  front = await serve(config, async (request) => {
    const receiving = receiveRecording({ config, blobs, parseJob }, request)
    settled = receiving.catch(() => undefined)
    try {
      const received = await receiving
      await received.keep()
      last = received.job
      return Response.json(last)
    } catch (error) {
      if (!AppError.is(error)) throw error
      return Response.json({ detail: error.message }, { status: error.status })
    }
  })
})
afterAll(async () => {
  await front.close({ deadlineMs: 0 })
  remove()
})

const files = () => {
  try {
    return readdirSync(uploads)
  } catch {
    return []
  }
}
const send = async (form: FormData) => {
  const response = await fetch(`${front.url}/jobs/audio`, { method: "POST", body: form })
  return { status: response.status, json: (await response.json()) as { detail?: string } }
}
const formOf = (bytes: Uint8Array<ArrayBuffer>, name: string, fields: Record<string, string> = {}): FormData => {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set("file", new Blob([bytes]), name)
  return form
}
const expectRejected = async (form: FormData, status: number, detail: RegExp) => {
  const before = files()
  const answer = await send(form)
  expect(answer.status, JSON.stringify(answer.json)).toBe(status)
  expect(answer.json.detail).toMatch(detail)
  expect(files()).toEqual(before)
}
const WAV_HEAD = Buffer.from("RIFF\0\0\0\0WAVE")
/** Returns bytes that begin like a WAV file. */
const bytesOf = (size: number, seed = 1) =>
  Uint8Array.from({ length: size }, (_, i) => WAV_HEAD[i] ?? (i * seed * 31) % 251)

describe("a form with a recording", () => {
  it("stores a recording unchanged under its hash", async () => {
    const bytes = bytesOf(2_500_000)
    const sha256 = createHash("sha256").update(bytes).digest("hex")
    const { status } = await send(formOf(bytes, "My Talk.WAV"))
    expect(status).toBe(200)
    expect(last?.upload).toEqual({ path: join(uploads, `${sha256}.wav`), name: "My Talk.WAV", sha256 })
    expect(readFileSync(last!.upload!.path).equals(bytes)).toBe(true)
    await send(formOf(bytes, "again.wav"))
    expect(files()).toEqual([`${sha256}.wav`])
  })
  it("accepts the fields and defaults of the JSON body, before or after the file", async () => {
    const form = formOf(bytesOf(20), "a.wav", { language: "", max_concurrency: "4", reasoning: "true", speakers: "" })
    form.set("title", " My title ")
    form.set("min_subdivide_duration_s", "1.5")
    form.set("source", "ignored")
    form.set("vocabulary", '[{"term":"Ada Lovelace"}]')
    form.set("transcription", '[{"word":"hello","start":0,"end":1}]')
    expect((await send(form)).status).toBe(200)
    expect(last?.request).toMatchObject({
      language: null,
      max_concurrency: 4,
      reasoning: true,
      title: "My title",
      vocabulary: [{ term: "Ada Lovelace", sounds_like: [] }],
      min_subdivide_duration_s: 1.5,
      boundary_block_seconds: 30,
    })
    expect(JSON.parse(last!.transcript!.json)).toEqual([{ word: "hello", start: 0, end: 1, speaker: "0" }])
    expect(last?.request.speakers).toBeUndefined()
    await send(formOf(bytesOf(20), "a.wav", { language: "null" }))
    expect(last?.request.language).toBeNull()
    await send(formOf(bytesOf(20), "a.wav"))
    expect(last?.request.language).toBe("en")
  })
  it("takes a transcript as text or as a file, beside a recording or with a source instead of one", async () => {
    const srt = "1\n00:00:01,000 --> 00:00:02,000\nHello there\n"
    const words = [
      { word: "Hello", start: 1, end: 1.5, speaker: "0" },
      { word: "there", start: 1.5, end: 2, speaker: "0" },
    ]
    const transcript = { json: JSON.stringify({ words, estimated_times: true }) }
    expect((await send(formOf(bytesOf(20), "a.wav", { transcription: srt }))).status).toBe(200)
    expect(last).toMatchObject({ request: { source: "upload" }, transcript, upload: { name: "a.wav" } })
    const form = new FormData()
    form.set("source", "name:crm-17")
    form.set("language", "de")
    form.set("transcription", new Blob([srt]), "talk.srt")
    expect((await send(form)).status).toBe(200)
    expect(last).toMatchObject({ request: { source: "name:crm-17" }, transcript, isLanguageGiven: true })
    expect(last?.upload).toBeUndefined()
  })
  for (const [field, value] of [
    ["max_concurrency", "0"],
    ["vocabulary", "Ada"],
    ["vocabulary", '[{"term":""}]'],
    ["max_concurrency", "four"],
    ["max_concurrency", "0x4"],
    ["max_concurrency", "4e0"],
    ["reasoning", "perhaps"],
    ["transcription", "[{"],
    ["provider", "other"],
  ] as const)
    it(`rejects ${field}=${value} and removes the file`, () =>
      expectRejected(formOf(bytesOf(100, 7), "a.wav", { [field]: value }), 422, new RegExp(`^${field}`)))
  it("rejects a file that is empty, missing, in another field, or not the only one", async () => {
    await expectRejected(formOf(new Uint8Array(), "a.wav"), 422, /^file.*empty/)
    const none = new FormData()
    none.set("title", "x")
    await expectRejected(none, 422, /^file.*missing/)
    const other = new FormData()
    other.set("recording", new Blob(["x"]), "a.wav")
    await expectRejected(other, 422, /^recording: a file is accepted/)
    const two = formOf(bytesOf(19, 3), "a.wav")
    two.append("file", new Blob(["y"]), "b.wav")
    await expectRejected(two, 422, /^file: one/)
  })
  it("rejects a file over the limit, names the setting, and removes the file", () =>
    expectRejected(formOf(bytesOf(3 * 2 ** 20 + 1), "a.wav"), 413, /SERVICE_MAX_UPLOAD_MB/))
  it("accepts a recording just under the limit in a form with a long transcript", async () => {
    const transcription = JSON.stringify([{ word: "hello", start: 0, end: 1 }]).padEnd(200_000)
    const { status, json } = await send(formOf(bytesOf(3 * 2 ** 20 - 10), "a.wav", { transcription }))
    expect([status, json.detail]).toEqual([200, undefined])
  })
  it("rejects fields that it does not know, and duplicate fields", async () => {
    for (const name of ["f0", "constructor", "toString", "__proto__"])
      await expectRejected(
        formOf(bytesOf(19), "a.wav", Object.fromEntries([[name, "x"]])),
        422,
        new RegExp(`^${name}: unknown`),
      )
    const twice = formOf(bytesOf(19), "a.wav", { title: "x" })
    twice.append("title", "y")
    await expectRejected(twice, 422, /^title: given twice/)
  })
})

describe("the parts of a form", () => {
  const CHUNKS = 100
  /** Sends the start of a part and then up to 100 chunks of 64 kB. Counts the chunks that are read. */
  const readPart = async (partHeader: string, firstBytes = "") => {
    const read = { chunks: 0 }
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from(`--b\r\n${partHeader}\r\n\r\n${firstBytes}`)),
      pull: (controller) => {
        if (++read.chunks > CHUNKS) controller.close()
        else controller.enqueue(Buffer.alloc(64 * 1024, 1))
      },
    })
    const headers = { "content-type": "multipart/form-data; boundary=b" }
    const request = new Request("http://localhost", { method: "POST", body, headers, duplex: "half" } as RequestInit)
    const { http } = config
    const limited = { ...config, http: { ...http, maxJsonBytes: 2 ** 20 } }
    const error = await receiveRecording({ config: limited, blobs, parseJob }, request).catch(
      (thrown: unknown) => thrown,
    )
    if (!AppError.is(error)) throw error
    return { status: error.status, detail: error.message, chunks: read.chunks }
  }
  const field = (name: string) => `Content-Disposition: form-data; name="${name}"`
  it("stops reading at a field that it does not know", async () => {
    const { status, detail, chunks } = await readPart(field("junk"))
    expect([status, detail]).toEqual([422, expect.stringMatching(/^junk: unknown field\. .*title.*file$/)])
    expect(chunks).toBeLessThan(5)
  })
  it("stops reading at 64 kB of a field, and at the limit of a JSON body for the transcript", async () => {
    const title = await readPart(field("title"))
    expect([title.status, title.detail]).toEqual([413, "title: larger than 64 kB, the limit of this field"])
    expect(title.chunks).toBeLessThan(6)
    const transcription = await readPart(field("transcription"))
    expect([transcription.status, transcription.detail]).toEqual([413, expect.stringMatching(/^transcription: .*1 MB/)])
    expect(transcription.chunks).toBeLessThan(22)
  })
  it("stops at 100 parts, also if they have no headers", async () => {
    const { status, detail } = await readPart("\r\n\r\nx\r\n--b\r\n".repeat(101))
    expect([status, detail]).toEqual([422, "the form: more than 100 parts"])
  })
  it("limits all fields together", async () => {
    const { status, detail } = await readPart(
      `${field("title")}\r\n\r\n${"x".repeat(60_000)}\r\n--b\r\n${field("transcription")}`,
      "x".repeat(2 ** 20 - 70_000),
    )
    expect([status, detail]).toEqual([413, "The fields of the form are larger than 1 MB together."])
  })
  it("stops reading a file whose first bytes are not those of a recording, and stores nothing", async () => {
    const before = files()
    const { status, detail, chunks } = await readPart(`${field("file")}; filename="junk.mp3"`)
    expect([status, detail]).toEqual([415, expect.stringMatching(/junk\.mp3: not a recording/)])
    expect(chunks).toBeLessThan(5)
    expect(files()).toEqual(before)
  })
})

describe("an invalid form", () => {
  const post = (type: string, body: string) =>
    raw(front.url, "/jobs/audio", { method: "POST", headers: { "content-type": type }, body })
  const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF\0\0\0\0WAVE'
  it("responds with 400 and removes the file", async () => {
    const before = files()
    for (const [type, body] of [
      ["multipart/form-data", "x"],
      ["multipart/form-data; boundary=", "x"],
      ["multipart/form-data; boundary=b", `${head}cut off`],
      ["multipart/form-data; boundary=b", "no boundary in here"],
      ["multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n"],
      ["multipart/form-data; boundary=b", `${head.replace("a.wav", "a\u0001.wav")}\r\n--b--\r\n`],
    ] as const)
      expect((await post(type, body)).status, `${type} ${body}`).toBe(400)
    expect(files()).toEqual(before)
  })
  it("removes the file if the client disconnects during the upload", async () => {
    const before = files()
    const { hostname, port } = new URL(front.url)
    const request = http.request({
      hostname,
      port,
      path: "/jobs/audio",
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=b" },
    })
    request.on("error", () => undefined)
    request.write(head)
    request.write(Buffer.alloc(200_000))
    while (files().length === before.length) await new Promise((r) => setTimeout(r, 10))
    request.destroy()
    await settled
    expect(files()).toEqual(before)
  })
})

describe("file names", () => {
  for (const [given, shown] of [
    ["../../etc/cron.d/x", "x"],
    ["..\\..\\boot.ini", "boot.ini"],
    ["a\0b.wav", "ab.wav"],
    ["evil\u202Evaw.exe", "evilvaw.exe"],
    ["..", "recording"],
    ["", "recording"],
    [undefined, "recording"],
    ["Grüße 🎙.mp3", "Grüße 🎙.mp3"],
  ] as const)
    it(`displays the file name ${JSON.stringify(given)} as ${shown}`, () => expect(sanitizeFileName(given)).toBe(shown))
  it("shortens file names to 200 bytes, and keeps whole characters and the extension", () => {
    expect(sanitizeFileName("x".repeat(900))).toHaveLength(200)
    expect(sanitizeFileName(`${"漢".repeat(190)}.txt`)).toBe(`${"漢".repeat(65)}.txt`)
    expect(sanitizeFileName(`${"🎙".repeat(190)}`)).toBe("🎙".repeat(50))
  })
  it("keeps only harmless extensions", () => {
    expect([".WAV", "a.tar.gz", "a.mp3 ", "a.so/../x", "a", "a.verylongending"].map(safeExtension)).toEqual([
      ".wav",
      ".gz",
      "",
      "",
      "",
      "",
    ])
  })
  it("decodes quotes in a file name and keeps percent signs", async () => {
    await send(formOf(bytesOf(21), 'a "b" 100%2.mp3'))
    expect(last?.upload?.name).toBe('a "b" 100%2.mp3')
  })
  it("does not use the file name as a path", async () => {
    await send(formOf(bytesOf(21), "../../../escape.sh;rm"))
    expect(last?.upload?.path).toMatch(/uploads\/[0-9a-f]{64}$/)
  })
})
