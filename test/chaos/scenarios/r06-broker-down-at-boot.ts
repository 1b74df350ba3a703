import { setTimeout as sleep } from "node:timers/promises"
import { endService, startService } from "../../fixtures/service.ts"
import { raw } from "../../fixtures/web.ts"
import { withSite } from "../harness/deployment.ts"
import { RABBITMQ, type Scenario } from "../harness/scenario.ts"
import { type Answer, checkAnswers, submitOver } from "../harness/submissions.ts"

export const r06: Scenario = {
  id: "R6",
  title: "RabbitMQ down for 60 s when service and workers start; 20 jobs are submitted meanwhile",
  brokers: RABBITMQ,
  run: async (c) => {
    await c.rabbit!.kill("SIGKILL")
    return withSite(c, {}, async (site) => {
      const from = Date.now()
      const service = await startService(site.settings)
      await site.pool.keep(2)
      const answers: Answer[] = []
      for (let i = 0; i < 20; i++) answers.push(await submitOver(service.url, site))
      const ready = await raw(service.url, "/health/ready")
      c.check("readiness is 503", ready.status === 503, ready.status)
      await sleep(c.size(60_000, 5_000) - (Date.now() - from))
      c.check("no worker has ended", site.pool.ends() === 0, site.pool.ends())
      await c.rabbit!.start()
      const back = Date.now()
      const begun = () => site.number("select count(*) from jobs where started_at is not null")
      while (begun() === 0 && Date.now() - back < 30_000) await sleep(50)
      const first = (Date.now() - back) / 1000
      c.check("work begins within 15 s", first <= 15, first)
      await site.untilEnded()
      const told = checkAnswers(c, answers)
      const done = site.jobs().filter((j) => j.status === "done").length
      c.check("all are done", done === site.accepted.size, done)
      await site.settle()
      await endService(service)
      return `${told}; readiness 503; first stage ${first.toFixed(1)} s after the broker was back; ${done} of ${site.accepted.size} done`
    })
  },
}
