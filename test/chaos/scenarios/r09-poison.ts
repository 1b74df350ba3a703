import { type Deployment, withDeployment } from "../harness/deployment.ts"
import { ALL, percentile, type Scenario } from "../harness/scenario.ts"

const goodTimes = async (deployment: Deployment): Promise<number[]> =>
  (await deployment.jobs()).flatMap((j) => (j.title === "good" && j.status === "done" ? [j.ms ?? 0] : []))

export const r09: Scenario = {
  id: "R9",
  title: "10 jobs that always throw among 90 others, two workers",
  setups: ALL,
  run: async (c) => {
    const [all, bad] = [c.size(100, 20), c.size(10, 2)]
    const baseline = await withDeployment(c, {}, async (deployment) => {
      await deployment.pool.start(2)
      for (let i = bad; i < all; i++) await deployment.submitJob()
      await deployment.waitUntilEnded()
      return percentile(await goodTimes(deployment), 0.95)
    })
    return withDeployment(c, {}, async (deployment) => {
      await deployment.pool.start(2)
      for (let i = 0; i < all; i++) await deployment.submitJob(i % (all / bad) === 0 ? "poison" : "good")
      await deployment.waitUntilEnded()
      const jobs = await deployment.jobs()
      const dead = jobs.filter((j) => j.title === "poison" && j.status === "error" && j.errorStage === "l1").length
      const done = jobs.filter((j) => j.title === "good" && j.status === "done").length
      c.check(`${bad} end in error`, dead === bad, dead)
      c.check(`${all - bad} done`, done === all - bad, done)
      const failed = await deployment.number(
        "select count(*) from job_stages where state = 'error' and attempt = max_attempts and attempt = 3",
      )
      c.check("failed jobs use exactly 3 attempts", failed === bad, failed)
      const p95 = percentile(await goodTimes(deployment), 0.95)
      c.check("p95 of the good ones ≤ 2 × baseline", p95 <= 2 * baseline, `${p95} ms against ${baseline} ms`)
      await deployment.checkInvariants()
      return `${dead} failed after 3 attempts each, ${done} done; p95 of the other jobs ${p95} ms, without the failing ones ${baseline} ms`
    })
  },
}
