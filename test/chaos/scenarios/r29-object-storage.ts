import http from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { endService, startService } from "../../fixtures/service.ts"
import { openSpeechServer } from "../../fixtures/speech-server.ts"
import { KEY, startSwift } from "../../fixtures/swift.ts"
import { withDeployment } from "../harness/deployment.ts"
import { EMBEDDED, type Scenario } from "../harness/scenario.ts"

const MB = 2 ** 20
const RATE = 16_000

/** Returns a WAV file with two seconds of a tone that depends on `n`. */
const tone = (n: number): Buffer => {
  const samples = Buffer.alloc(2 * RATE * 2)
  for (let i = 0; i < 2 * RATE; i++)
    samples.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * (200 + n) * i) / RATE)), 2 * i)
  const head = Buffer.alloc(44)
  head.write("RIFF", 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write("WAVEfmt ", 8)
  for (const [at, value] of [
    [16, 16],
    [24, RATE],
    [28, 2 * RATE],
  ] as const)
    head.writeUInt32LE(value, at)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    head.writeUInt16LE(value, at)
  head.write("data", 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

const send = async (url: string, n: number): Promise<{ status: number; job_id?: string }> => {
  const form = new FormData()
  form.append("file", new Blob([new Uint8Array(tone(n))]), `${n}.wav`)
  const answer = await fetch(`${url}/jobs/audio`, { method: "POST", body: form })
  return { status: answer.status, ...((await answer.json()) as { job_id?: string }) }
}

/** Starts an upload that never ends. */
const sendHalf = (url: string, megabytes: number): void => {
  const headers = { "content-type": "multipart/form-data; boundary=b" }
  const request = http.request(`${url}/jobs/audio`, { method: "POST", headers })
  request.on("error", () => undefined)
  request.write('--b\r\nContent-Disposition: form-data; name="file"; filename="half.wav"\r\n\r\nRIFF\0\0\0\0WAVE')
  const more = (left: number): void => {
    if (left > 0) request.write(Buffer.alloc(MB, left), () => more(left - 1))
  }
  more(megabytes)
}

export const r29: Scenario = {
  id: "R29",
  title:
    "recordings in object storage: kill -9 of the service during 10 uploads; the storage becomes unavailable and workers are killed while 30 recordings are transcribed",
  setups: EMBEDDED,
  run: async (c) => {
    const [swift, speech] = await Promise.all([startSwift(), openSpeechServer()])
    speech.onTranscribe(() => ({
      body: {
        text: "Hello",
        segments: [{ start: 0, end: 1, text: "Hello" }],
        words: [{ word: "Hello", start: 0, end: 1 }],
      },
    }))
    const bucket = await swift.bucket()
    const env = {
      ...KEY,
      SERVICE_BLOB_URL: swift.url(bucket, "earmark"),
      SERVICE_SPEECH_ENGINE: "openai",
      SERVICE_SPEECH_URL: speech.url,
    }
    Object.assign(process.env, KEY)
    try {
      return await withDeployment(c, env, async (deployment) => {
        const service = await startService(deployment.settings)
        const half = c.size(10, 3)
        for (let i = 0; i < half; i++) sendHalf(service.url, 20)
        const begun = async () => (await swift.objects(bucket)).filter((key) => key.startsWith("upload of")).length
        for (let i = 0; i < 300 && (await begun()) < half; i++) await sleep(100)
        c.check("every upload has started", (await begun()) === half, await begun())
        await endService(service, "SIGKILL")
        const next = await startService(deployment.settings)
        for (let i = 0; i < 100 && (await swift.objects(bucket)).length > 0; i++) await sleep(100)
        const left = await swift.objects(bucket)
        c.check("no partial upload is left in the bucket", left.length === 0, left.join())

        const count = c.size(30, 6)
        const statuses: number[] = []
        for (let i = 0; i < count; i++) {
          const { status, job_id } = await send(next.url, i)
          statuses.push(status)
          if (job_id) deployment.accepted.add(job_id)
        }
        c.check(
          "every recording is accepted",
          statuses.every((s) => s === 202),
          statuses.join(),
        )
        await deployment.pool.start(2)
        await sleep(500)
        await swift.stop()
        const unavailable = await send(next.url, 1000)
        c.check("an upload without the storage is answered with 503", unavailable.status === 503, unavailable.status)
        for (const worker of [...deployment.pool.alive]) worker.kill("SIGKILL")
        await sleep(c.size(15_000, 3_000))
        await swift.start()
        await deployment.waitUntilEnded(120_000)
        const done = await deployment.countJobs("done")
        c.check("every job is done", done === count, done)
        const stored = (await swift.objects(bucket)).filter((key) => key.endsWith(".wav")).length
        c.check("as many recordings as jobs", stored === count, stored)
        await endService(next)
        await deployment.checkInvariants()
        return `${half} uploads in progress at the kill, 0 after the next start; ${done} of ${count} done after the storage was unavailable, ${deployment.pool.ends()} workers killed; ${deployment.recovery.describe()}`
      })
    } finally {
      await speech.close()
      await swift.close()
    }
  },
}
