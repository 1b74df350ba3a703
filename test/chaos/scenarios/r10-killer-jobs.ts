import { withDeployment } from "../harness/deployment.ts"
import { ALL, type Scenario } from "../harness/scenario.ts"

export const r10: Scenario = {
  id: "R10",
  title: "5 jobs that abort their worker (SIGABRT) among 50, two workers",
  setups: ALL,
  run: (c) =>
    withDeployment(c, { CHAOS_WAIT_MS: "20" }, async (deployment) => {
      const [all, killers] = [c.size(50, 12), c.size(5, 1)]
      for (let i = 0; i < all; i++) await deployment.submitJob(i % (all / killers) === 0 ? "abort" : "good")
      await deployment.pool.start(2)
      await deployment.waitUntilEnded()
      const jobs = await deployment.jobs()
      const dead = jobs.filter((j) => j.title === "abort" && j.status === "error").length
      const otherFailures = jobs.filter((j) => j.title === "good" && j.status !== "done").length
      c.check(`${killers} end in error`, dead === killers, dead)
      c.check("no other job fails", otherFailures === 0, otherFailures)
      c.check("workers are restarted", deployment.pool.alive.size + 1 >= 2, deployment.pool.alive.size)
      await deployment.checkInvariants()
      const reason = await deployment.number(
        "select count(*) from jobs where error_detail like 'The worker running l1 stopped responding 3 times%'",
      )
      c.check("the error names the reason", reason === killers, reason)
      const hit = await deployment.number(
        "select count(*) from job_stages s join jobs j on j.id = s.job_id where j.title = 'good' and attempt > 1",
      )
      return `${dead} failed after 3 attempts each, ${all - killers} done, 0 other jobs failed (${hit} of their stages were hit and restarted); ${deployment.pool.ends()} workers died; ${deployment.recovery.describe()}`
    }),
}
