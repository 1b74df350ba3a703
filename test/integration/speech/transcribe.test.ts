import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { newId, uuid5 } from "#lib/domain/ids.ts"
import { transcriptionSettings } from "#lib/domain/jobs/jobs.ts"
import { retranscribe } from "#lib/services/clips/retranscribe.ts"
import { transcriptOf } from "#lib/storage/stores/testing/fixtures.ts"
import { type Installation, openInstallation, type WorkerProcess } from "#test/fixtures/installation.ts"
import { putModels, TONE_MODEL } from "#test/fixtures/speech-models.ts"
import { openSpeechServer } from "#test/fixtures/speech-server.ts"
import { type Said, spoken, writeWav } from "#test/fixtures/tones.ts"

type Line = { msg: string; model?: string; child?: number; restarts?: number }
const loads = (worker: WorkerProcess, model: string): Line[] =>
  (worker.lines as readonly Line[]).filter((line) => line.msg === "speech model loaded" && line.model === model)

let installation: Installation
beforeEach(async () => {
  installation = await openInstallation({ SERVICE_PROVIDER: "builtin", SERVICE_HEARTBEAT_S: "0.3" })
  putModels(join(installation.dir, "models"))
})
afterEach(() => installation.close())

const recording = (name: string, length_s: number, dir = installation.dir): string => {
  const words: { word: Said; at: number }[] = []
  for (let at = 1; at < length_s - 3; at += 2) words.push({ word: "alpha", at })
  const path = join(dir, name)
  writeWav(path, spoken(words), length_s)
  return path
}
const ended = (id: string) => installation.until(id, ({ status }) => ["done", "error"].includes(status), 120_000)
const sherpa = (whisper_model = TONE_MODEL) => ({ speech_engine: "sherpa", whisper_model, speakers: 1 }) as const
/** Long enough that its transcription reports progress several times before it ends. */
const LONG_S = 1200
/** Makes the child abort during a transcription, as native code may. */
const abortAt = async (id: string, worker: WorkerProcess, attempt: number): Promise<void> => {
  await installation.until(
    id,
    ({ progress, stage_attempts }) =>
      stage_attempts.whisper === attempt && progress?.phase === "speech" && progress.done > 60,
    60_000,
  )
  process.kill(loads(worker, TONE_MODEL).at(-1)!.child!, "SIGABRT")
}

describe("a speech child that aborts during a transcription", () => {
  it("costs one attempt and affects no other job, and the model is loaded only once more", async () => {
    const worker = await installation.worker()
    const warm = await installation.submit({ source: recording("warm.wav", 20), ...sherpa() })
    expect((await ended(warm)).status).toBe("done")
    const long = await installation.submit({ source: recording("long.wav", LONG_S), ...sherpa() })
    const next = await installation.submit({ source: recording("next.wav", 30), ...sherpa() })
    const other = await installation.submit({ source: recording("other.wav", 30), ...sherpa("tiny") })
    await abortAt(long, worker, 1)

    expect(await ended(long)).toMatchObject({ status: "done", stage_attempts: { whisper: 2 } })
    for (const neighbour of [next, other])
      expect(await ended(neighbour)).toMatchObject({ status: "done", stage_attempts: { whisper: 1 } })
    const { session_id } = await installation.job(long)
    expect((await installation.store.clips.get(session_id))?.transcription).toHaveLength(LONG_S / 2 - 2)
    expect(loads(worker, TONE_MODEL).map(({ restarts }) => restarts)).toEqual([0, 1])
    expect(loads(worker, "whisper-tiny").map(({ restarts }) => restarts)).toEqual([0])
    expect(worker.pid).toBe(installation.runnerOf(long, "whisper").pid)
  }, 200_000)

  it("fails the job with a message if it aborts each time, and the worker continues", async () => {
    const worker = await installation.worker()
    const long = await installation.submit({ source: recording("long.wav", LONG_S), ...sherpa() })
    for (const attempt of [1, 2, 3]) await abortAt(long, worker, attempt)
    const job = await ended(long)
    expect(job).toMatchObject({ status: "error", stage_attempts: { whisper: 3 } })
    expect(job.error).toEqual({
      stage: "whisper",
      detail: expect.stringMatching(/The speech engine sherpa stopped \(signal SIGABRT\)/),
    })
    expect((await ended(await installation.submit({ source: recording("next.wav", 30), ...sherpa() }))).status).toBe(
      "done",
    )
    expect(worker.pid).toBe(installation.runnerOf(long, "whisper").pid)
  }, 200_000)
})

describe("re-transcription", () => {
  let server: Awaited<ReturnType<typeof openSpeechServer>>
  let others: Installation
  beforeEach(async () => {
    server = await openSpeechServer()
    others = await openInstallation({ SERVICE_SPEECH_URL: server.url, SERVICE_PROVIDER: "builtin" })
  })
  afterEach(async () => {
    await others.close()
    await server.close()
  })

  it("asks a server with a Retry-After of a day once, and the job shows what it waits for", async () => {
    await others.worker()
    server.onTranscribe(() => ({ status: 429, headers: { "retry-after": "86400" } }))
    const id = await others.submit({ source: recording("day.wav", 10, others.dir), speech_engine: "openai" })
    const waiting = await others.until(id, ({ progress }) => progress?.waiting !== undefined, 30_000)
    expect(waiting).toMatchObject({
      status: "running",
      stages: { whisper: "queued" },
      progress: { stage: "whisper", waiting: { reason: expect.stringMatching(/busy until .* UTC .*429/) } },
    })
    await new Promise((resolve) => setTimeout(resolve, 2000))
    expect(server.sent).toHaveLength(1)
    expect((await others.store.jobs.cancel(id))?.progress).toBeNull()
  })

  it("reapplies corrections to the new words, and is rejected for words without a recording", async () => {
    const endedThere = (id: string) => others.until(id, ({ status }) => ["done", "error"].includes(status), 90_000)
    const says = (...words: string[]) =>
      server.onTranscribe(() => ({
        body: { text: words.join(" "), words: words.map((word, i) => ({ word, start: i + 1, end: i + 2 })) },
      }))
    await others.worker()
    says("won", "too")
    const first = await endedThere(
      await others.submit({ source: recording("numbers.wav", 10, others.dir), speech_engine: "openai" }),
    )
    const id = first.session_id
    await others.store.clips.editWords(id, [{ kind: "text", start_s: 1, end_s: 2, words: ["One"] }])
    says("uno", "dos", "tres")
    const again = await retranscribe(others.node, { id }, transcriptionSettings.parse({ speech_engine: "openai" }))
    expect([again.session_id, (await endedThere(again.job_id)).status]).toEqual([id, "done"])
    const clip = (await others.store.clips.get(id))!
    expect(clip.transcription.map((w) => w.word)).toEqual(["One", "dos", "tres"])
    expect([clip.title, (await others.store.topics.listRuns(id))!.length]).toEqual(["numbers.wav", 2])

    const given = uuid5(newId())
    const nowhere = { title: "given", source_url: null, file_path: null }
    await others.store.clips.saveTranscript(given, nowhere, transcriptOf("words alone"))
    await expect(retranscribe(others.node, { id: given }, transcriptionSettings.parse({}))).rejects.toMatchObject({
      code: "conflict",
    })
    await expect(retranscribe(others.node, { id: "nobody" }, transcriptionSettings.parse({}))).rejects.toThrow(
      "unknown clip",
    )
  }, 100_000)
})
