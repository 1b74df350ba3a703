import { setTimeout as sleep } from "node:timers/promises"
import { withDeployment } from "../harness/deployment.ts"
import { BOTH, type Scenario } from "../harness/scenario.ts"

export const r26: Scenario = {
  id: "R26",
  title: "SIGKILL of both workers and RabbitMQ with 100 jobs queued and running, then a restart of everything",
  brokers: BOTH,
  run: (c) =>
    withDeployment(c, { CHAOS_WAIT_MS: "150" }, async (deployment) => {
      const jobs = c.size(100, 10)
      for (let i = 0; i < jobs; i++) await deployment.submitJob()
      const first = await Promise.all([deployment.worker(), deployment.worker()])
      // A quorum queue on a single node has no leader if it is killed within its first second, because of a bug in
      // RabbitMQ (rabbitmq-server issue 10070). So let it run for a while first.
      await sleep(2_000)
      const inFlight = () => deployment.number("select count(*) from job_stages where state = 'running'")
      while (inFlight() < 5) await sleep(20)
      const running = inFlight()
      for (const worker of first) worker.kill("SIGKILL")
      await c.rabbit?.kill("SIGKILL")
      await Promise.all(first.map((w) => w.exited))
      const from = Date.now()
      await c.rabbit?.start()
      await deployment.pool.start(2)
      await deployment.waitUntilEnded()
      const took = (Date.now() - from) / 1000
      const done = deployment.jobs().filter((j) => j.status === "done").length
      c.check(`${jobs} done`, done === jobs, done)
      await deployment.checkInvariants()
      return `${done} of ${jobs} done ${took.toFixed(1)} s after the start; ${running} stages were in flight at the kill`
    }),
}
