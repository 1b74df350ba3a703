import { type Site, withSite } from "../harness/deployment.ts"
import { BOTH, percentile, type Scenario } from "../harness/scenario.ts"

const goodTimes = (site: Site): number[] =>
  site.jobs().flatMap((j) => (j.title === "good" && j.status === "done" ? [j.ms ?? 0] : []))

export const r09: Scenario = {
  id: "R9",
  title: "10 jobs that always throw among 90 good ones, two workers",
  brokers: BOTH,
  run: async (c) => {
    const [all, bad] = [c.size(100, 20), c.size(10, 2)]
    const baseline = await withSite(c, {}, async (site) => {
      await site.pool.keep(2)
      for (let i = bad; i < all; i++) await site.give()
      await site.untilEnded()
      return percentile(goodTimes(site), 0.95)
    })
    return withSite(c, {}, async (site) => {
      await site.pool.keep(2)
      for (let i = 0; i < all; i++) await site.give(i % (all / bad) === 0 ? "poison" : "good")
      await site.untilEnded()
      const jobs = site.jobs()
      const dead = jobs.filter((j) => j.title === "poison" && j.status === "error" && j.errorStage === "l1").length
      const done = jobs.filter((j) => j.title === "good" && j.status === "done").length
      c.check(`${bad} end in error`, dead === bad, dead)
      c.check(`${all - bad} done`, done === all - bad, done)
      const attempts =
        "select count(*) from job_stages where state = 'error' and attempt = max_attempts and attempt = 3"
      c.check("after exactly 3 attempts", site.number(attempts) === bad, site.number(attempts))
      const p95 = percentile(goodTimes(site), 0.95)
      c.check("p95 of the good ones ≤ 2 × baseline", p95 <= 2 * baseline, `${p95} ms against ${baseline} ms`)
      await site.settle()
      return `${dead} dead after 3 attempts each, ${done} done; p95 of the good ones ${p95} ms, without the bad ones ${baseline} ms`
    })
  },
}
