import { setTimeout as sleep } from "node:timers/promises"
import { withDeployment } from "../harness/deployment.ts"
import { ALL, type Scenario } from "../harness/scenario.ts"

/** The stages that always call a model. The other two end immediately without subtopics. */
const TOPIC_STAGES = ["l1", "decide", "summarize_l1", "l0", "persist"] as const

export const r22: Scenario = {
  id: "R22",
  title: "50 jobs are cancelled, each while one of five stages runs; none continues",
  setups: ALL,
  run: (c) =>
    withDeployment(c, { CHAOS_WAIT_MS: "400" }, async (deployment) => {
      await deployment.pool.start(2)
      const cancels = c.size(50, 7)
      const slowest: number[] = []
      const cancelOne = async (i: number): Promise<void> => {
        const stage = TOPIC_STAGES[i % TOPIC_STAGES.length]!
        const id = await deployment.submitJob()
        const seen = await deployment.until(id, (j) => j.stages[stage] === "running" || j.status === "done", 60_000)
        if (seen.status === "done") throw new Error(`${stage} was not seen running`)
        const from = Date.now()
        const cancelled = await deployment.store.jobs.cancel(id)
        c.check(`cancelled in ${stage}`, cancelled?.status === "cancelled", cancelled?.status)
        slowest.push(Date.now() - from)
        const owned = () =>
          deployment.number(`select count(*) from job_stages where job_id = '${id}' and owner is not null`)
        while ((await owned()) > 0 && Date.now() - from < 10_000) await sleep(20)
        slowest.push(Date.now() - from)
      }
      for (let i = 0; i < cancels; i += 10)
        await Promise.all(Array.from({ length: Math.min(10, cancels - i) }, (_, k) => cancelOne(i + k)))
      await sleep(2_000)
      const alive = (await deployment.jobs()).filter((j) => j.status !== "cancelled").length
      c.check("all stay cancelled", alive === 0, alive)
      const late = await deployment.number("select count(*) from topics")
      c.check("no late write is stored", late === 0, late)
      c.check("the last worker releases its claim within 5 s", Math.max(...slowest) <= 5_000, Math.max(...slowest))
      await deployment.checkInvariants()
      return `${cancels} cancelled, none continued, no topic written; the worker released the stage after at most ${Math.max(...slowest)} ms`
    }),
}
