import { type Deployment, withDeployment } from "../harness/deployment.ts"
import { BOTH, percentile, type Scenario } from "../harness/scenario.ts"

const goodTimes = (deployment: Deployment): number[] =>
  deployment.jobs().flatMap((j) => (j.title === "good" && j.status === "done" ? [j.ms ?? 0] : []))

export const r09: Scenario = {
  id: "R9",
  title: "10 jobs that always throw among 90 good ones, two workers",
  brokers: BOTH,
  run: async (c) => {
    const [all, bad] = [c.size(100, 20), c.size(10, 2)]
    const baseline = await withDeployment(c, {}, async (deployment) => {
      await deployment.pool.start(2)
      for (let i = bad; i < all; i++) await deployment.submitJob()
      await deployment.waitUntilEnded()
      return percentile(goodTimes(deployment), 0.95)
    })
    return withDeployment(c, {}, async (deployment) => {
      await deployment.pool.start(2)
      for (let i = 0; i < all; i++) await deployment.submitJob(i % (all / bad) === 0 ? "poison" : "good")
      await deployment.waitUntilEnded()
      const jobs = deployment.jobs()
      const dead = jobs.filter((j) => j.title === "poison" && j.status === "error" && j.errorStage === "l1").length
      const done = jobs.filter((j) => j.title === "good" && j.status === "done").length
      c.check(`${bad} end in error`, dead === bad, dead)
      c.check(`${all - bad} done`, done === all - bad, done)
      const attempts =
        "select count(*) from job_stages where state = 'error' and attempt = max_attempts and attempt = 3"
      c.check("failed jobs use exactly 3 attempts", deployment.number(attempts) === bad, deployment.number(attempts))
      const p95 = percentile(goodTimes(deployment), 0.95)
      c.check("p95 of the good ones ≤ 2 × baseline", p95 <= 2 * baseline, `${p95} ms against ${baseline} ms`)
      await deployment.checkInvariants()
      return `${dead} dead after 3 attempts each, ${done} done; p95 of the good ones ${p95} ms, without the bad ones ${baseline} ms`
    })
  },
}
