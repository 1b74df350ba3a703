import { setTimeout as sleep } from "node:timers/promises"
import type { LogLine } from "../../fixtures/installation.ts"
import { EMBEDDED, type Scenario } from "../harness/scenario.ts"
import { startSlowSpeechServer, withStoreDeployment } from "../harness/store-deployment.ts"

/** Long enough for a heartbeat with the settings of either form. */
const BETWEEN_MS = 12_000

const isAboutFailure = ({ msg }: LogLine): boolean =>
  ["stage did not finish", "recovered stages of dead workers", "failed to renew the lease"].includes(msg)

export const r30: Scenario = {
  id: "R30",
  title:
    "all processes are stopped (SIGSTOP) for 40 s three times within one transcription, with the default lease, heartbeat and sweep",
  setups: EMBEDDED,
  run: async (c) => {
    const speech = await startSlowSpeechServer()
    const short = { SERVICE_LEASE_S: "1", SERVICE_HEARTBEAT_S: "0.3", SERVICE_SWEEP_S: "0.2" }
    try {
      return await withStoreDeployment(c, { ...speech.env, ...(c.size(1, 0) ? {} : short) }, async (deployment) => {
        await Promise.all([deployment.worker(), deployment.worker()])
        await deployment.submitRecording()
        await speech.waitUntilAsked()
        await sleep(c.size(BETWEEN_MS, 500))
        const stopMs = c.size(40_000, 1_400)
        for (let stop = 0; stop < 3; stop++) {
          for (const worker of deployment.workers) worker.kill("SIGSTOP")
          await sleep(stopMs)
          for (const worker of deployment.workers) worker.kill("SIGCONT")
          await sleep(c.size(BETWEEN_MS, 500))
        }
        speech.answer()
        const [job] = await deployment.waitUntilEnded()
        const attempts = Object.values(job!.stage_attempts)
        const reasons = deployment.workers
          .flatMap(({ lines }) => lines.filter(isAboutFailure))
          .map((l) => JSON.stringify(l))
        c.check(
          "every stage is at its first attempt",
          Math.max(...attempts) === 1,
          `${attempts.join()} ${reasons.join()}`,
        )
        c.check("the recording is transcribed once", speech.transcriptions() === 1, speech.transcriptions())
        await deployment.checkInvariants()
        return `${job!.status}, attempts by stage at most ${Math.max(...attempts)}, transcribed ${speech.transcriptions()} time; stopped for 3 × ${stopMs / 1000} s`
      })
    } finally {
      await speech.close()
    }
  },
}
