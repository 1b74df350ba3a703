import { setTimeout as sleep } from "node:timers/promises"
import { withDeployment } from "../harness/deployment.ts"
import { ALL, type Scenario } from "../harness/scenario.ts"

export const r26: Scenario = {
  id: "R26",
  title:
    "kill -9 of everything (both workers, RabbitMQ and PostgreSQL too) with 100 jobs queued and running, then everything is restarted",
  setups: ALL,
  run: (c) =>
    withDeployment(c, { CHAOS_WAIT_MS: "150" }, async (deployment) => {
      const jobs = c.size(100, 10)
      for (let i = 0; i < jobs; i++) await deployment.submitJob()
      const first = await Promise.all([deployment.worker(), deployment.worker()])
      // A quorum queue on a single node has no leader if it is killed within its first second, because of a bug in
      // RabbitMQ (rabbitmq-server issue 10070). So let it run for a while first.
      await sleep(2_000)
      while ((await deployment.countJobs("done")) === 0) await sleep(50)
      const inFlight = () => deployment.number("select count(*) from job_stages where state = 'running'")
      while ((await inFlight()) < 5) await sleep(20)
      const running = await inFlight()
      for (const worker of first) worker.kill("SIGKILL")
      await Promise.all([c.rabbit?.kill("SIGKILL"), c.postgres?.stop("SIGQUIT")])
      await Promise.all(first.map((w) => w.exited))
      const from = Date.now()
      await Promise.all([c.rabbit?.start(), c.postgres?.start()])
      await deployment.pool.start(2)
      await deployment.waitUntilEnded()
      const took = (Date.now() - from) / 1000
      const done = await deployment.countJobs("done")
      c.check(`${jobs} done`, done === jobs, done)
      await deployment.checkInvariants()
      return `${done} of ${jobs} done ${took.toFixed(1)} s after the start; ${running} stages were in flight at the kill; ${deployment.recovery.describe()}`
    }),
}
