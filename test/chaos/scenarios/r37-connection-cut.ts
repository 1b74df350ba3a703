import { setTimeout as sleep } from "node:timers/promises"
import { withDeployment } from "../harness/deployment.ts"
import { RABBITMQ, type Scenario } from "../harness/scenario.ts"

const CUTS = 5

export const r37: Scenario = {
  id: "R37",
  title:
    "the broker closes every connection five times during one long stage, beside an idle worker; one at a time each",
  setups: RABBITMQ,
  run: (c) =>
    withDeployment(c, { SERVICE_LEASE_S: "30", CHAOS_CONCURRENCY: "1" }, async (deployment) => {
      const cuts = c.size(CUTS, 2)
      let most = 0
      let isWatching = true
      const watch = async (): Promise<void> => {
        const inFlight = `select coalesce(max(n), 0) from
          (select count(*) as n from job_stages where stage = 'l1' and state = 'running' group by owner) as by_owner`
        for (; isWatching; await sleep(20)) most = Math.max(most, await deployment.number(inFlight))
      }
      await deployment.pool.start(2)
      const watching = watch()
      const long = await deployment.submitJob(`slow ${cuts * 10_000}`)
      await deployment.until(long, (job) => job.stages.l1 === "running")
      for (let cut = 0; cut < cuts; cut++) {
        await c.rabbit!.ctl("close_all_connections", "chaos")
        const ids = [await deployment.submitJob("slow 500"), await deployment.submitJob("slow 500")]
        for (const id of ids) await deployment.until(id, (job) => job.stages.l1 === "done", 60_000)
      }
      const isStillRunning = (await deployment.job(long)).stages.l1 === "running"
      c.check("the long stage runs all the while", isStillRunning)
      await deployment.waitUntilEnded()
      isWatching = false
      await watching
      c.check("at most one in flight per worker", most === 1, most)
      const maxAttempts = Math.max(...(await deployment.attempts()))
      c.check("each stage starts once", maxAttempts === 1, maxAttempts)
      const done = await deployment.countJobs("done")
      c.check("all done", done === 1 + 2 * cuts, done)
      await deployment.checkInvariants()
      return `${cuts} cuts; at most ${most} stage in flight per worker; ${done} of ${1 + 2 * cuts} done, every stage at its first attempt`
    }),
}
