import { setTimeout as sleep } from "node:timers/promises"
import { withDeployment } from "../harness/deployment.ts"
import { ALL, histogram, type Scenario } from "../harness/scenario.ts"

export const r02: Scenario = {
  id: "R2",
  title: "SIGKILL of a random one of two workers every 0.3 to 1.8 s, 1 000 jobs, at least 60 kills",
  setups: ALL,
  run: (c) =>
    withDeployment(c, { CHAOS_WAIT_MS: "60" }, async (deployment) => {
      const [jobs, kills] = [c.size(1_000, 30), c.size(60, 4)]
      await deployment.pool.start(2)
      let killed = 0
      let isSubmitting = true
      const killing = (async () => {
        while (killed < kills || isSubmitting) {
          await sleep(300 + Math.random() * 1_500)
          const alive = [...deployment.pool.alive]
          const victim = alive[Math.floor(Math.random() * alive.length)]
          if (!victim) continue
          victim.kill("SIGKILL")
          await victim.exited
          killed++
        }
      })()
      // Submit jobs for as long as workers are killed.
      for (let submitted = 0; submitted < jobs; ) {
        const share = Math.ceil((killed / kills) * jobs) + 20
        while (submitted < Math.min(share, jobs)) {
          await deployment.submitJob()
          submitted++
        }
        await sleep(100)
      }
      isSubmitting = false
      await killing
      await deployment.waitUntilEnded()
      const rows = await deployment.jobs()
      const done = rows.filter((j) => j.status === "done").length
      const failed = rows.filter((j) => j.status === "error")
      c.check(`${jobs} done or in error with a reason`, done + failed.length === jobs, `${done} + ${failed.length}`)
      c.check("at most 2 % reach the limit of attempts", failed.length <= jobs * 0.02, failed.length)
      c.check(`at least ${kills} kills`, killed >= kills, killed)
      await deployment.checkInvariants()
      return `${done} done, ${failed.length} failed at the attempt limit, 0 lost; ${killed} kills; ${deployment.recovery.describe()}; stages by attempts: ${histogram(await deployment.attempts())}`
    }),
}
