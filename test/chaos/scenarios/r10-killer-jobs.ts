import { withSite } from "../harness/deployment.ts"
import { BOTH, type Scenario } from "../harness/scenario.ts"

export const r10: Scenario = {
  id: "R10",
  title: "5 jobs that abort their worker (SIGABRT) among 50, two workers as they come",
  brokers: BOTH,
  run: (c) =>
    withSite(c, { CHAOS_WAIT_MS: "20" }, async (site) => {
      const [all, killers] = [c.size(50, 12), c.size(5, 1)]
      for (let i = 0; i < all; i++) await site.give(i % (all / killers) === 0 ? "abort" : "good")
      await site.pool.keep(2)
      await site.untilEnded()
      const jobs = site.jobs()
      const dead = jobs.filter((j) => j.title === "abort" && j.status === "error").length
      const neighbours = jobs.filter((j) => j.title === "good" && j.status !== "done").length
      c.check(`${killers} end in error`, dead === killers, dead)
      c.check("no neighbour ends in error", neighbours === 0, neighbours)
      c.check("workers live", site.pool.alive.size + 1 >= 2, site.pool.alive.size)
      await site.settle()
      const reason = site.number(
        "select count(*) from jobs where error_detail like 'the worker running l1 fell silent 3 times%'",
      )
      c.check("the reason is told", reason === killers, reason)
      const hit = site.number(
        "select count(*) from job_stages s join jobs j on j.id = s.job_id where j.title = 'good' and attempt > 1",
      )
      return `${dead} dead after 3 attempts each, ${all - killers} done, 0 neighbours dead (${hit} of their stages were hit and begun again); ${site.pool.ends()} workers died`
    }),
}
