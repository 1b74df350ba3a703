import { setTimeout as sleep } from "node:timers/promises"
import Driver from "better-sqlite3"
import { LEASE_MS, withDeployment } from "../harness/deployment.ts"
import { EMBEDDED, type Scenario } from "../harness/scenario.ts"

export const r08: Scenario = {
  id: "R8",
  title: "a worker with 20 jobs is stopped (SIGSTOP) for five leases, another takes over, then it resumes (SIGCONT)",
  brokers: EMBEDDED,
  run: (c) =>
    withDeployment(c, { CHAOS_WAIT_MS: "700" }, async (deployment) => {
      const jobs = c.size(20, 6)
      for (let i = 0; i < jobs; i++) await deployment.submitJob()
      const zombie = await deployment.worker()
      const inFlight = () =>
        deployment.number("select count(*) from job_stages where state = 'running' and stage <> 'whisper'")
      while (inFlight() < 3) await sleep(20)
      // A worker that is stopped during a transaction blocks all writers, which is another scenario, so stop it elsewhere.
      const locks = () => {
        const other = new Driver(deployment.raw.name, { timeout: 300 })
        try {
          other.exec("begin immediate; rollback")
          return false
        } catch {
          return true
        } finally {
          other.close()
        }
      }
      let repeatedStops = -1
      do {
        zombie.kill("SIGCONT")
        await sleep(20)
        zombie.kill("SIGSTOP")
        await sleep(20)
        repeatedStops++
      } while (locks())
      const stopped = inFlight()
      const stoppedAt = Date.now()
      await deployment.worker()
      await deployment.waitUntilEnded()
      await sleep(Math.max(0, 5 * LEASE_MS - (Date.now() - stoppedAt)))
      const results = () =>
        JSON.stringify(deployment.raw.prepare("select * from topics order by clip_id, ordinal").all())
      const before = [results(), JSON.stringify(deployment.jobs())]
      zombie.kill("SIGCONT")
      await sleep(4_000)
      const late = zombie.lines.filter(
        (l) => l.msg === "stage ended" && Date.parse(l.time) > stoppedAt + LEASE_MS,
      ) as unknown as { outcome: string }[]
      c.check(
        "its in-flight stages are dropped",
        late.length > 0 && late.every((l) => l.outcome === "dropped"),
        JSON.stringify(late.map((l) => l.outcome)),
      )
      c.check("results are unchanged", results() === before[0])
      c.check("jobs are unchanged", JSON.stringify(deployment.jobs()) === before[1])
      const done = deployment.jobs().filter((j) => j.status === "done").length
      c.check(`${jobs} done`, done === jobs, done)
      await deployment.checkInvariants()
      return `${done} done by the second worker; ${stopped} stages were in flight at the stop, ${late.length} ended late and were dropped; results unchanged${repeatedStops > 0 ? ` (${repeatedStops} stops during a transaction were repeated)` : ""}`
    }),
}
