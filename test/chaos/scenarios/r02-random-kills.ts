import { setTimeout as sleep } from "node:timers/promises"
import { withSite } from "../harness/deployment.ts"
import { BOTH, histogram, type Scenario } from "../harness/scenario.ts"

export const r02: Scenario = {
  id: "R2",
  title: "random kill -9 of one of two workers every 0.3 to 1.8 s, 1 000 jobs, at least 60 kills",
  brokers: BOTH,
  run: (c) =>
    withSite(c, { CHAOS_WAIT_MS: "60" }, async (site) => {
      const [jobs, kills] = [c.size(1_000, 30), c.size(60, 4)]
      await site.pool.keep(2)
      let killed = 0
      let giving = true
      const killing = (async () => {
        while (killed < kills || giving) {
          await sleep(300 + Math.random() * 1_500)
          const alive = [...site.pool.alive]
          const victim = alive[Math.floor(Math.random() * alive.length)]
          if (!victim) continue
          victim.kill("SIGKILL")
          await victim.exited
          killed++
        }
      })()
      // Work for as long as there are kills.
      for (let given = 0; given < jobs; ) {
        const share = Math.ceil((killed / kills) * jobs) + 20
        while (given < Math.min(share, jobs)) {
          await site.give()
          given++
        }
        await sleep(100)
      }
      giving = false
      await killing
      await site.untilEnded()
      const rows = site.jobs()
      const done = rows.filter((j) => j.status === "done").length
      const failed = rows.filter((j) => j.status === "error")
      c.check(`${jobs} done or in error with a reason`, done + failed.length === jobs, `${done} + ${failed.length}`)
      c.check("at most 2 % reach the limit of attempts", failed.length <= jobs * 0.02, failed.length)
      c.check(`at least ${kills} kills`, killed >= kills, killed)
      await site.settle()
      return `${done} done, ${failed.length} at the limit of attempts, 0 lost; ${killed} kills; stages by attempts: ${histogram(site.attempts())}`
    }),
}
