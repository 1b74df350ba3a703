import { setTimeout as sleep } from "node:timers/promises"
import { endService, startService } from "../../fixtures/service.ts"
import { withSite } from "../harness/deployment.ts"
import { RABBITMQ, type Scenario } from "../harness/scenario.ts"
import { type Answer, checkAnswers, submitOver } from "../harness/submissions.ts"

export const r04: Scenario = {
  id: "R4",
  title: "rabbitmqctl stop_app and start_app three times while 300 jobs are submitted over HTTP",
  brokers: RABBITMQ,
  run: (c) =>
    withSite(c, {}, async (site) => {
      const service = await startService(site.settings)
      await site.pool.keep(2)
      const jobs = c.size(300, 20)
      const answers: Answer[] = []
      const submitting = (async () => {
        for (let i = 0; i < jobs; i++) {
          answers.push(await submitOver(service.url, site))
          await sleep(120)
        }
      })()
      const back: number[] = []
      for (let i = 0; i < c.size(3, 1); i++) {
        await sleep(3_000)
        await c.rabbit!.ctl("stop_app")
        await sleep(2_000)
        await c.rabbit!.ctl("start_app")
        const from = Date.now()
        const ended = () => site.number("select count(*) from jobs where status = 'done'")
        for (const before = ended(); ended() === before && Date.now() - from < 30_000; ) await sleep(50)
        back.push((Date.now() - from) / 1000)
      }
      await submitting
      await site.untilEnded()
      c.check("work goes on within 15 s", Math.max(...back) <= 15, back.join())
      const told = checkAnswers(c, answers)
      const done = site.jobs().filter((j) => j.status === "done").length
      c.check("all accepted are done", done === site.accepted.size, done)
      await site.settle()
      await endService(service)
      return `${told}; ${done} of ${site.accepted.size} accepted done; next job done ${back.map((s) => s.toFixed(1)).join(", ")} s after each start`
    }),
}
