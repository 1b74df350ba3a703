import { setTimeout as sleep } from "node:timers/promises"
import { withDeployment } from "../harness/deployment.ts"
import { ALL, type Scenario } from "../harness/scenario.ts"

export const r03: Scenario = {
  id: "R3",
  title: "SIGTERM to both workers with 50 jobs in flight, then two new workers",
  setups: ALL,
  run: (c) =>
    withDeployment(c, { CHAOS_WAIT_MS: "400", SERVICE_LEASE_S: "60" }, async (deployment) => {
      const jobs = c.size(50, 10)
      for (let i = 0; i < jobs; i++) await deployment.submitJob()
      const first = await Promise.all([deployment.worker(), deployment.worker()])
      await sleep(2_000)
      const from = Date.now()
      for (const worker of first) worker.kill("SIGTERM")
      const ends = await Promise.all(first.map((w) => w.exited))
      const took = Date.now() - from
      c.check(
        "both end with code 0",
        ends.every(([code]) => code === 0),
        JSON.stringify(ends),
      )
      c.check("within 10 s", took <= 10_000, took)
      const left = await deployment.number("select count(*) from job_stages where state = 'running'")
      c.check("no stage is left running", left === 0, left)
      await deployment.pool.start(2)
      await deployment.waitUntilEnded()
      const tries = await deployment.number("select max(tries) from job_stages")
      c.check("no attempt is used", tries === 1, tries)
      const done = await deployment.countJobs("done")
      c.check(`${jobs} done`, done === jobs, done)
      await deployment.checkInvariants()
      const again = (await deployment.attempts()).filter((a) => a > 1).length
      return `ended after ${(took / 1000).toFixed(1)} s with code 0; ${done} of ${jobs} done; ${again} stages restarted, no attempt used`
    }),
}
