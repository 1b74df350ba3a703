import { setTimeout as sleep } from "node:timers/promises"
import { endService, startService } from "../../fixtures/service.ts"
import { raw } from "../../fixtures/web.ts"
import { withDeployment } from "../harness/deployment.ts"
import { RABBITMQ, type Scenario } from "../harness/scenario.ts"
import { type Answer, checkAnswers, submitOver } from "../harness/submissions.ts"

export const r06: Scenario = {
  id: "R6",
  title: "RabbitMQ down for 60 s when service and workers start; 20 jobs are submitted in the meantime",
  setups: RABBITMQ,
  run: async (c) => {
    await c.rabbit!.kill("SIGKILL")
    return withDeployment(c, {}, async (deployment) => {
      const from = Date.now()
      const service = await startService(deployment.settings)
      await deployment.pool.start(2)
      const answers: Answer[] = []
      for (let i = 0; i < 20; i++) answers.push(await submitOver(service.url, deployment))
      const ready = await raw(service.url, "/health/ready")
      c.check("readiness is 503", ready.status === 503, ready.status)
      await sleep(c.size(60_000, 5_000) - (Date.now() - from))
      c.check("no worker has ended", deployment.pool.ends() === 0, deployment.pool.ends())
      await c.rabbit!.start()
      const back = Date.now()
      const begun = () => deployment.number("select count(*) from jobs where started_at is not null")
      while ((await begun()) === 0 && Date.now() - back < 30_000) await sleep(50)
      const first = (Date.now() - back) / 1000
      c.check("work begins within 15 s", first <= 15, first)
      await deployment.waitUntilEnded()
      const summary = checkAnswers(c, answers)
      const done = await deployment.countJobs("done")
      c.check("all jobs are done", done === deployment.accepted.size, done)
      await deployment.checkInvariants()
      await endService(service)
      return `${summary}; readiness 503; first stage ${first.toFixed(1)} s after the broker returned; ${done} of ${deployment.accepted.size} done`
    })
  },
}
