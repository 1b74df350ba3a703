import { setTimeout as sleep } from "node:timers/promises"
import Driver from "better-sqlite3"
import { endService, startService } from "../../fixtures/service.ts"
import { withDeployment } from "../harness/deployment.ts"
import { type Scenario, SQLITE } from "../harness/scenario.ts"
import { type Answer, checkAnswers, submitOver } from "../harness/submissions.ts"

export const r12: Scenario = {
  id: "R12",
  title:
    "another program holds the database (BEGIN EXCLUSIVE) for 1, 5 and 20 s while 100 jobs run and more are submitted",
  setups: [SQLITE],
  run: (c) =>
    withDeployment(c, { CHAOS_WAIT_MS: "100", SERVICE_LEASE_S: "4" }, async (deployment) => {
      const service = await startService(deployment.settings)
      await deployment.pool.start(2)
      for (let i = 0; i < c.size(100, 10); i++) await deployment.submitJob()
      // Like another program, this connection blocks the writers of the service and the workers.
      const other = new Driver(deployment.sqlite.name)
      const summary: string[] = []
      for (const seconds of c.size(1, 0) ? [1, 5, 20] : [1]) {
        other.exec("begin exclusive")
        const submissions = Array.from({ length: 5 }, () => submitOver(service.url, deployment))
        await sleep(seconds * 1000)
        other.exec("commit")
        const answers: Answer[] = await Promise.all(submissions)
        const withoutRetryAfter = answers.filter((a) => a.status === 503 && a.retryAfter === null).length
        c.check("503 has a Retry-After header", withoutRetryAfter === 0, withoutRetryAfter)
        if (seconds <= 5)
          c.check(
            `a lock of ${seconds} s fails no submission`,
            answers.every((a) => a.status === 202),
          )
        // The busy timeout is 8 s, and a process writes in sequence.
        summary.push(`${seconds} s: ${checkAnswers(c, answers, { within: 50_000 })}`)
        await sleep(1_000)
      }
      other.close()
      await deployment.waitUntilEnded()
      const done = await deployment.countJobs("done")
      c.check("all accepted jobs are done", done === deployment.accepted.size, done)
      await deployment.checkInvariants()
      await endService(service)
      return `${summary.join("; ")}; ${done} of ${deployment.accepted.size} accepted done, 0 lost; ${deployment.pool.ends()} workers ended`
    }),
}
