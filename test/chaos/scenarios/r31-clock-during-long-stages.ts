import { setTimeout as sleep } from "node:timers/promises"
import { EMBEDDED, type Scenario, type ScenarioContext } from "../harness/scenario.ts"
import { withStoreDeployment } from "../harness/store-deployment.ts"

const SETTINGS = { SERVICE_LEASE_S: "2", SERVICE_HEARTBEAT_S: "0.5", SERVICE_SWEEP_S: "0.5", CHAOS_WAIT_MS: "6000" }

const jump = (c: ScenarioContext, hours: number): Promise<string> =>
  withStoreDeployment(c, { ...SETTINGS, CHAOS_JUMP_MS: String(hours * 3_600_000) }, async (deployment) => {
    const jobs = c.size(8, 2)
    for (let i = 0; i < jobs; i++) await deployment.submitWords("good")
    const workers = [await deployment.worker(), await deployment.worker()]
    const isRunning = async () => (await deployment.list()).some((job) => job.stages.l1 === "running")
    while (!(await isRunning())) await sleep(50)
    await sleep(1_500)
    for (const worker of workers) worker.kill("SIGUSR2")
    const ended = await deployment.waitUntilEnded(180_000)
    const repeated = ended.flatMap((job) => Object.values(job.stage_attempts)).filter((n) => n > 1).length
    const name = `${hours > 0 ? "+" : ""}${hours} h`
    c.check(`${name}: no stage starts again`, repeated === 0, repeated)
    await deployment.checkInvariants()
    const done = ended.filter((job) => job.status === "done").length
    return `${name}: ${done} of ${jobs} done, ${repeated} stages restarted`
  })

export const r31: Scenario = {
  id: "R31",
  title:
    "the clock of both workers jumps by an hour, forwards and backwards, during stages of 6 s (lease 2 s, sweep 0.5 s)",
  setups: EMBEDDED,
  run: async (c) => `${await jump(c, 1)}; ${await jump(c, -1)}`,
}
