import { setTimeout as sleep } from "node:timers/promises"
import Driver from "better-sqlite3"
import { endService, startService } from "../../fixtures/service.ts"
import { withSite } from "../harness/deployment.ts"
import { EMBEDDED, type Scenario } from "../harness/scenario.ts"
import { type Answer, checkAnswers, submitOver } from "../harness/submissions.ts"

export const r12: Scenario = {
  id: "R12",
  title:
    "another program holds the database (BEGIN EXCLUSIVE) for 1, 5 and 20 s while 100 jobs run and more are submitted",
  brokers: EMBEDDED,
  run: (c) =>
    withSite(c, { CHAOS_WAIT_MS: "100", SERVICE_LEASE_S: "4" }, async (site) => {
      const service = await startService(site.settings)
      await site.pool.keep(2)
      for (let i = 0; i < c.size(100, 10); i++) await site.give()
      // A connection of its own, as another program's: the writers of service and workers wait for it.
      const other = new Driver(site.raw.name)
      const told: string[] = []
      for (const seconds of c.size(1, 0) ? [1, 5, 20] : [1]) {
        other.exec("begin exclusive")
        const asked = Array.from({ length: 5 }, () => submitOver(service.url, site))
        await sleep(seconds * 1000)
        other.exec("commit")
        const answers: Answer[] = await Promise.all(asked)
        const unasked = answers.filter((a) => a.status === 503 && a.retryAfter === null).length
        c.check("503 comes with Retry-After", unasked === 0, unasked)
        if (seconds <= 5)
          c.check(
            `${seconds} s are not seen`,
            answers.every((a) => a.status === 202),
          )
        // The busy time-out is 8 s, and one process writes one after the other.
        told.push(`${seconds} s: ${checkAnswers(c, answers, { within: 50_000 })}`)
        await sleep(1_000)
      }
      other.close()
      await site.untilEnded()
      const done = site.jobs().filter((j) => j.status === "done").length
      c.check("all accepted are done", done === site.accepted.size, done)
      await site.settle()
      await endService(service)
      return `${told.join("; ")}; ${done} of ${site.accepted.size} accepted done, 0 lost; ${site.pool.ends()} workers ended`
    }),
}
