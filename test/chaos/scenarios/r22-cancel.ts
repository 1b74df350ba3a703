import { setTimeout as sleep } from "node:timers/promises"
import { withSite } from "../harness/deployment.ts"
import { EMBEDDED, type Scenario } from "../harness/scenario.ts"

/** Those that always have work for a model: a talk without subtopics is through the two others at once. */
const TOPIC_STAGES = ["l1", "decide", "summarize_l1", "l0", "persist"] as const

export const r22: Scenario = {
  id: "R22",
  title: "50 jobs are cancelled, each while one of five stages runs; nothing revives them",
  brokers: EMBEDDED,
  run: (c) =>
    withSite(c, { CHAOS_WAIT_MS: "400" }, async (site) => {
      await site.pool.keep(2)
      const cancels = c.size(50, 7)
      const slowest: number[] = []
      const one = async (i: number): Promise<void> => {
        const stage = TOPIC_STAGES[i % TOPIC_STAGES.length]!
        const id = await site.give()
        const seen = await site.until(id, (j) => j.stages[stage] === "running" || j.status === "done", 60_000)
        if (seen.status === "done") throw new Error(`${stage} was not seen running`)
        const from = Date.now()
        const cancelled = await site.store.jobs.cancel(id)
        c.check(`cancelled in ${stage}`, cancelled?.status === "cancelled", cancelled?.status)
        slowest.push(Date.now() - from)
        const owned = () => site.number(`select count(*) from job_stages where job_id = '${id}' and owner is not null`)
        while (owned() > 0 && Date.now() - from < 10_000) await sleep(20)
        slowest.push(Date.now() - from)
      }
      for (let i = 0; i < cancels; i += 10)
        await Promise.all(Array.from({ length: Math.min(10, cancels - i) }, (_, k) => one(i + k)))
      await sleep(2_000)
      const alive = site.jobs().filter((j) => j.status !== "cancelled").length
      c.check("all stay cancelled", alive === 0, alive)
      const late = site.number("select count(*) from topics")
      c.check("nothing was written late", late === 0, late)
      c.check("the last worker lets go within 5 s", Math.max(...slowest) <= 5_000, Math.max(...slowest))
      await site.settle()
      return `${cancels} cancelled, none revived, no topic written; the worker let go after at most ${Math.max(...slowest)} ms`
    }),
}
