import { setTimeout as sleep } from "node:timers/promises"
import { endService, startService } from "../../fixtures/service.ts"
import { withDeployment } from "../harness/deployment.ts"
import { RABBITMQ, type Scenario } from "../harness/scenario.ts"
import { type Answer, checkAnswers, submitOver } from "../harness/submissions.ts"

export const r04: Scenario = {
  id: "R4",
  title: "rabbitmqctl stop_app and start_app three times while 300 jobs or more are submitted over HTTP",
  setups: RABBITMQ,
  run: (c) =>
    withDeployment(c, {}, async (deployment) => {
      const service = await startService(deployment.settings)
      await deployment.pool.start(2)
      const jobs = c.size(300, 20)
      const answers: Answer[] = []
      // On a slow machine the restarts take longer than the submissions, and work must be left after each.
      let isRestarting = true
      const submitting = (async () => {
        for (let i = 0; i < jobs || isRestarting; i++) {
          answers.push(await submitOver(service.url, deployment))
          await sleep(120)
        }
      })()
      const recovered: number[] = []
      try {
        for (let i = 0; i < c.size(3, 1); i++) {
          await sleep(3_000)
          await c.rabbit!.ctl("stop_app")
          await sleep(2_000)
          await c.rabbit!.ctl("start_app")
          const from = Date.now()
          // Not the next job: it waits behind all that were submitted before it.
          const ended = () => deployment.number("select count(*) from job_stages where state = 'done'")
          for (const before = await ended(); (await ended()) === before && Date.now() - from < 30_000; ) await sleep(50)
          recovered.push((Date.now() - from) / 1000)
        }
      } finally {
        isRestarting = false
      }
      await submitting
      await deployment.waitUntilEnded()
      c.check("work continues within 15 s", Math.max(...recovered) <= 15, recovered.join())
      const summary = checkAnswers(c, answers)
      const done = await deployment.countJobs("done")
      c.check("all accepted jobs are done", done === deployment.accepted.size, done)
      await deployment.checkInvariants()
      await endService(service)
      return `${summary}; ${done} of ${deployment.accepted.size} accepted done; next stage done ${recovered.map((s) => s.toFixed(1)).join(", ")} s after each start`
    }),
}
