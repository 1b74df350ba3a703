import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import Driver from "better-sqlite3"
import { EMBEDDED, type Scenario, type ScenarioContext } from "../harness/scenario.ts"
import { type StoreDeployment, startSlowSpeechServer, withStoreDeployment } from "../harness/store-deployment.ts"

const SUBMIT_INTERVAL_MS = 2_000

/** Makes the store unavailable to all processes. Returns a function that ends the outage. */
const interruptStore = async (c: ScenarioContext, { dir }: StoreDeployment): Promise<() => Promise<void>> => {
  if (c.postgres) {
    await c.postgres.stop("SIGQUIT")
    return c.postgres.start
  }
  const other = new Driver(join(dir, "earmark.db"), { timeout: 20_000 })
  other.exec("begin exclusive")
  return async () => void other.close()
}

/** Submits jobs until `signal` is aborted. Only those that were accepted must end. */
const submitDuring = async (deployment: StoreDeployment, signal: AbortSignal) => {
  let refused = 0
  while (!signal.aborted) {
    await deployment.submitWords("good").catch(() => refused++)
    await sleep(SUBMIT_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
  }
  return refused
}

export const r32: Scenario = {
  id: "R32",
  title:
    "the store is unavailable (PostgreSQL killed, SQLite locked by another program) for 45, 120 and 45 s within one transcription, with the default lease, heartbeat and sweep, while jobs are submitted",
  setups: EMBEDDED,
  run: async (c) => {
    const speech = await startSlowSpeechServer()
    const short = { SERVICE_LEASE_S: "1", SERVICE_HEARTBEAT_S: "0.3", SERVICE_SWEEP_S: "0.2" }
    try {
      return await withStoreDeployment(c, { ...speech.env, ...(c.size(1, 0) ? {} : short) }, async (deployment) => {
        await Promise.all([deployment.worker(), deployment.worker()])
        const id = await deployment.submitRecording()
        await speech.waitUntilAsked()
        const stopping = new AbortController()
        const submitting = submitDuring(deployment, stopping.signal)
        for (const seconds of c.size(1, 0) ? [45, 120, 45] : [2, 2]) {
          const restore = await interruptStore(c, deployment)
          await sleep(seconds * 1000)
          await restore()
          await sleep(c.size(15_000, 1_000))
        }
        // The transcript is ready while the store is unavailable.
        const restore = await interruptStore(c, deployment)
        speech.answer()
        await sleep(c.size(45_000, 2_000))
        await restore()
        await sleep(c.size(15_000, 1_000))
        stopping.abort()
        const refused = await submitting
        const jobs = await deployment.waitUntilEnded(120_000)
        const job = await deployment.job(id)
        c.check(
          "no attempt is charged for the transcription",
          job.stage_attempts.whisper === 1,
          job.stage_attempts.whisper,
        )
        c.check("the recording is transcribed once", speech.transcriptions() === 1, speech.transcriptions())
        await deployment.checkInvariants()
        const repeated = jobs.flatMap((j) => Object.values(j.stage_attempts)).filter((n) => n > 1).length
        return `transcribed ${speech.transcriptions()} time, at attempt ${job.stage_attempts.whisper}; ${jobs.filter((j) => j.status === "done").length} of ${jobs.length} accepted jobs done, ${refused} submissions refused; ${repeated} stages of other jobs restarted`
      })
    } finally {
      await speech.close()
    }
  },
}
