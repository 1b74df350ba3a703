import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { readTranscript } from "#lib/domain/transcript/given/read-transcript.ts"
import { createOpenAi } from "#lib/engines/speech/openai/engine.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { offlineRegistry } from "#test/fixtures/speech-models.ts"
import { openSpeechServer, type Reply } from "#test/fixtures/speech-server.ts"
import { spoken, writeWav } from "#test/fixtures/tones.ts"
import { request, until } from "./helpers.ts"

let dir: string
let short: string
let server: Awaited<ReturnType<typeof openSpeechServer>>

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "earmark-server-"))
  short = join(dir, "short.wav")
  writeWav(short, spoken([{ word: "alpha", at: 1 }]), 8)
})
afterAll(() => rmSync(dir, { recursive: true }))
beforeEach(async () => {
  server = await openSpeechServer()
})
afterEach(() => server.close())

const engine = (apiKey?: string, url = server.url) =>
  createOpenAi({
    log: createLogger("silent", "test"),
    model: undefined,
    registry: offlineRegistry(dir),
    device: "auto",
    url,
    apiKey,
    timeoutMs: 1_200_000,
    maxDuration_s: 86_400,
    enabled: true,
  })
const words = [
  { word: "hello", start: 0.5, end: 0.9 },
  { word: "world", start: 1, end: 1.4 },
]
const plain: Reply = { body: { text: "Hello, world.", language: "english", duration: 8, words } }

describe("an OpenAI-compatible speech server", () => {
  it("receives the audio as a streamed form, and returns words with punctuation", async () => {
    server.onTranscribe(() => plain)
    const result = await engine("secret-key").transcribe(
      request(short, { model: "large", terms: ["Grace Hopper", "x".repeat(700), "Kubernetes"] }),
    )
    expect(readTranscript(result.words).words).toEqual(result.words)
    expect(result.words).toEqual([
      { word: "Hello,", start: 0.5, end: 0.9, speaker: "0" },
      { word: "world.", start: 1, end: 1.4, speaker: "0" },
    ])
    expect(result).toMatchObject({
      engine: "openai",
      model: "large",
      language: "en",
      duration_s: 8,
      estimatedTimes: false,
    })
    const [form] = server.sent
    expect(form?.fields).toEqual([
      ["model", "large"],
      ["response_format", "verbose_json"],
      ["timestamp_granularities[]", "word"],
      ["timestamp_granularities[]", "segment"],
      ["language", "en"],
      ["prompt", "Grace Hopper, Kubernetes."],
    ])
    expect(form?.headers).toMatchObject({ authorization: "Bearer secret-key", "content-length": expect.any(String) })
    expect(form?.file.subarray(0, 4).toString()).toBe("RIFF")
    expect(form?.file.length).toBe(44 + 8 * 32_000)
  })

  it("detects the language if the request names none", async () => {
    server.onTranscribe(() => ({
      body: { text: "Hallo", language: "de", words: [{ word: "Hallo", start: 0, end: 1 }] },
    }))
    const result = await engine().transcribe(request(short, { language: null }))
    expect(result.language).toBe("de")
    expect(server.sent[0]?.fields.some(([name]) => name === "language")).toBe(false)
  })

  it("takes words from segments, and estimates their times and notes it if there are none", async () => {
    const segment = { start: 2, end: 4, text: " Hello, world." }
    server.onTranscribe((_, n) => ({
      body: { text: segment.text, segments: [n === 1 ? { ...segment, words } : segment] },
    }))
    const timed = await engine().transcribe(request(short))
    expect([timed.words.map((w) => w.word), timed.estimatedTimes]).toEqual([["Hello,", "world."], false])
    const estimated = await engine().transcribe(request(short))
    expect(estimated.estimatedTimes).toBe(true)
    expect(estimated.words[0]).toMatchObject({ word: "Hello,", start: 2 })
    expect(estimated.words.at(-1)).toMatchObject({ word: "world.", end: 4 })
  })

  it("sends a long recording in parts of up to ten minutes and offsets their words", async () => {
    const long = join(dir, "long.wav")
    const minutes = Array.from({ length: 21 }, (_, i) => ({ word: "alpha" as const, at: i * 60 + 5 }))
    writeWav(long, spoken(minutes), 1300)
    server.onTranscribe(() => plain)
    const done: number[] = []
    const result = await engine().transcribe(
      request(long, { progress: (p) => p.phase === "speech" && done.push(p.done) }),
    )
    expect(server.sent.filter(({ path }) => path.endsWith("transcriptions"))).toHaveLength(3)
    for (const { file } of server.sent.slice(0, 3)) expect(file.length).toBeLessThan(590 * 32_000 + 45)
    expect(result.words).toHaveLength(6)
    expect(readTranscript(result.words).words).toEqual(result.words)
    expect(result.words[2]!.start).toBeGreaterThan(300)
    expect(result.words[4]!.start).toBeGreaterThan(600)
    expect(done).toEqual([...done].sort((a, b) => a - b))
    expect(done.at(-1)).toBeCloseTo(1300, 0)
  })

  it("assigns speakers if the server supports diarization, and notes it if not", async () => {
    server.onTranscribe(() => plain)
    server.onDiarize(() => ({
      body: {
        segments: [
          { start: 0, end: 0.95, speaker: "SPEAKER_07" },
          { start: 0.95, end: 2, speaker: "SPEAKER_02" },
        ],
      },
    }))
    const result = await engine().transcribe(request(short, { speakers: 2 }))
    expect(result.words.map((w) => w.speaker)).toEqual(["0", "1"])
    expect(result).toMatchObject({ diarized: true, notes: [] })
    expect(server.sent[1]?.fields).toContainEqual(["num_speakers", "2"])
    server.onDiarize(() => ({ status: 404 }))
    const alone = await engine().transcribe(request(short))
    expect(alone).toMatchObject({
      diarized: false,
      notes: [expect.stringMatching(/No speaker labels.*has no \/v1\/audio\/diarization/)],
    })
  })

  it("waits for the Retry-After of a busy server, with a bounded number of retries", async () => {
    const at: number[] = []
    server.onTranscribe((_, n) => {
      at.push(performance.now())
      return n === 1 ? { status: 429, headers: { "retry-after": "1" } } : plain
    })
    await engine().transcribe(request(short, { speakers: 1 }))
    expect(at).toHaveLength(2)
    expect(at[1]! - at[0]!).toBeGreaterThan(950)

    server.onTranscribe(() => ({
      status: 503,
      headers: { "retry-after": "0" },
      body: { error: { message: "loading" } },
    }))
    server.sent.length = 0
    await expect(engine().transcribe(request(short))).rejects.toMatchObject({
      retry: "retry",
      message: expect.stringMatching(/503.*loading/),
    })
    expect(server.sent).toHaveLength(4)
  })

  it("defers a long wait to the queue without using an attempt", async () => {
    server.onTranscribe(() => ({ status: 429, headers: { "retry-after": "120" } }))
    await expect(engine().transcribe(request(short))).rejects.toMatchObject({
      retry: "later",
      retryInMs: 120_000,
      message: expect.stringMatching(/busy until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/),
    })
    expect(server.sent).toHaveLength(1)
  })

  it.each([
    [{ status: 401 }, /SERVICE_SPEECH_API_KEY/],
    [{ status: 404, body: { detail: "model 'x' is not installed" } }, /model 'x' is not installed.*SERVICE_SPEECH_URL/],
    [{ status: 413, body: { error: "Maximum 25 MB" } }, /too large.*Maximum 25 MB/],
    [{ status: 422, body: { error: { message: "bad language" } } }, /rejected the request \(HTTP 422\): bad language/],
    [{ body: "<html>" }, /did not return verbose_json/],
    [{ body: {} }, /did not return verbose_json/],
    [{ body: { error: { message: "out of memory" } } }, /did not return verbose_json: out of memory/],
  ])("explains the response %j", async (reply, sentence) => {
    server.onTranscribe(() => reply)
    await expect(engine().transcribe(request(short))).rejects.toThrow(sentence)
    expect(server.sent).toHaveLength(1)
  })

  it("is disconnected immediately when the job is cancelled", async () => {
    server.onTranscribe(() => "hang")
    const abort = new AbortController()
    const running = engine().transcribe(request(short, { signal: abort.signal }))
    running.catch(() => {})
    await until(() => server.sent.length === 1)
    const reason = new Error("cancelled by the caller")
    abort.abort(reason)
    await expect(running).rejects.toBe(reason)
    await until(() => server.abortedConnections() === 1)
  })

  it("names the address that does not answer, in the job and in the probe", async () => {
    expect(await engine().probe()).toMatchObject({ available: true })
    await server.close()
    expect(await engine().probe()).toMatchObject({
      available: false,
      detail: expect.stringMatching(/No speech server responds/),
    })
    const nowhere = createOpenAi({ ...optionsWithoutUrl(), url: undefined })
    expect(await nowhere.probe()).toMatchObject({
      available: false,
      detail: expect.stringMatching(/SERVICE_SPEECH_URL/),
    })
    await expect(nowhere.transcribe(request(short))).rejects.toThrow(/SERVICE_SPEECH_URL/)
  })
})

const optionsWithoutUrl = () => ({
  log: createLogger("silent", "test"),
  model: undefined,
  registry: offlineRegistry(dir),
  device: "auto" as const,
  apiKey: undefined,
  timeoutMs: 1_200_000,
  maxDuration_s: 86_400,
  enabled: true,
})
