import { setTimeout as sleep } from "node:timers/promises"
import { queueName } from "#lib/queue/amqp/topology.ts"
import { type Deployment, withDeployment } from "../harness/deployment.ts"
import { RABBITMQ, type Scenario } from "../harness/scenario.ts"

const REFUSAL = JSON.stringify({ "max-length": 0, overflow: "reject-publish" })
const LIMIT_MS = 120_000

/** Submits jobs and returns how many per second pass the seven stages before `persist`. */
const measureRate = async (deployment: Deployment, jobs: number): Promise<number> => {
  const countPassed = () => deployment.number("select count(*) from job_stages where stage = 'l0' and state = 'done'")
  const before = await countPassed()
  const from = performance.now()
  for (let i = 0; i < jobs; i++) await deployment.submitJob()
  for (; performance.now() - from < LIMIT_MS; await sleep(50)) {
    if ((await countPassed()) - before === jobs) break
  }
  return jobs / ((performance.now() - from) / 1000)
}

export const r36: Scenario = {
  id: "R36",
  title:
    "the queue of persist refuses messages (max-length 0, reject-publish) while 80 jobs run, after 80 without a fault",
  setups: RABBITMQ,
  run: (c) =>
    withDeployment(c, { SERVICE_LEASE_S: "30", CHAOS_WAIT_MS: "300" }, async (deployment) => {
      const jobs = c.size(80, 20)
      const { rabbit } = c
      await deployment.pool.start(2)
      await measureRate(deployment, 10)
      await deployment.waitUntilEnded()
      const healthy = await measureRate(deployment, jobs)
      await deployment.waitUntilEnded()
      const pattern = `^${queueName("persist").replaceAll(".", "\\.")}$`
      await rabbit!.ctl("set_policy", "refuse", pattern, REFUSAL, "--apply-to", "queues")
      const refused = await measureRate(deployment, jobs)
      const waiting = await deployment.number(
        "select count(*) from job_stages where stage = 'persist' and state = 'queued'",
      )
      // The broker accepts a few while consumers are waiting.
      c.check("the queue refuses", waiting >= jobs / 4, waiting)
      c.check("the other stages keep 90 % of their rate", refused >= 0.9 * healthy, `${refused} of ${healthy}`)
      await rabbit!.ctl("clear_policy", "refuse")
      const from = performance.now()
      await deployment.waitUntilEnded()
      const seconds = (performance.now() - from) / 1000
      const maxAttempts = Math.max(...(await deployment.attempts()))
      c.check("each stage starts once", maxAttempts === 1, maxAttempts)
      await deployment.checkInvariants()
      return `seven stages: ${healthy.toFixed(2)} jobs per second without the fault, ${refused.toFixed(2)} with it; all ${waiting} waiting jobs done ${seconds.toFixed(1)} s after the queue accepted messages again`
    }),
}
