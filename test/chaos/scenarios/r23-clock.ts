import { setTimeout as sleep } from "node:timers/promises"
import { withDeployment } from "../harness/deployment.ts"
import { EMBEDDED, type Scenario, type ScenarioContext } from "../harness/scenario.ts"

const jump = (c: ScenarioContext, hours: number): Promise<string> =>
  withDeployment(c, { CHAOS_WAIT_MS: "300", CHAOS_JUMP_MS: String(hours * 3_600_000) }, async (deployment) => {
    const jobs = c.size(20, 6)
    for (let i = 0; i < jobs; i++) await deployment.submitJob()
    const workers = [await deployment.worker(), await deployment.worker()]
    const inFlight = () =>
      deployment.number("select count(*) from job_stages where state = 'running' and stage <> 'whisper'")
    while ((await inFlight()) < 3) await sleep(20)
    for (const worker of workers) worker.kill("SIGUSR2")
    await deployment.waitUntilEnded(60_000)
    const done = await deployment.countJobs("done")
    c.check(`${hours > 0 ? "+" : ""}${hours} h: all done`, done === jobs, done)
    const again = (await deployment.attempts()).filter((a) => a > 1).length
    return `${hours > 0 ? "+" : ""}${hours} h: ${done} of ${jobs} done, ${again} stages restarted`
  })

export const r23: Scenario = {
  id: "R23",
  title: "the clock of both workers jumps by an hour, forwards and backwards, with 20 jobs in progress",
  setups: EMBEDDED,
  run: async (c) => `${await jump(c, 1)}; ${await jump(c, -1)}`,
}
