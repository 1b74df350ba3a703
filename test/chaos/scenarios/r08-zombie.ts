import { setTimeout as sleep } from "node:timers/promises"
import Driver from "better-sqlite3"
import { type Deployment, LEASE_MS, withDeployment } from "../harness/deployment.ts"
import { ALL, type Scenario } from "../harness/scenario.ts"

// A worker that is stopped during a transaction blocks other writers, which is another scenario.
const holdsWriteLock = ({ sqlite }: Deployment): boolean => {
  const other = new Driver(sqlite.name, { timeout: 300 })
  try {
    other.exec("begin immediate; rollback")
    return false
  } catch {
    return true
  } finally {
    other.close()
  }
}
const isInTransaction = async ({ number }: Deployment): Promise<boolean> =>
  (await number(
    "select count(*) from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
  )) > 0

export const r08: Scenario = {
  id: "R8",
  title: "a worker with 20 jobs is stopped (SIGSTOP) for five leases, another takes over, then it continues (SIGCONT)",
  setups: ALL,
  run: (c) =>
    withDeployment(c, { CHAOS_WAIT_MS: "700" }, async (deployment) => {
      const jobs = c.size(20, 6)
      for (let i = 0; i < jobs; i++) await deployment.submitJob()
      const zombie = await deployment.worker()
      const inFlight = () =>
        deployment.number("select count(*) from job_stages where state = 'running' and stage <> 'whisper'")
      while ((await inFlight()) < 3) await sleep(20)
      let repeatedStops = -1
      do {
        zombie.kill("SIGCONT")
        await sleep(20)
        zombie.kill("SIGSTOP")
        await sleep(20)
        repeatedStops++
      } while (await (c.postgres ? isInTransaction(deployment) : holdsWriteLock(deployment)))
      const stopped = await inFlight()
      const stoppedAt = Date.now()
      await deployment.worker()
      await deployment.waitUntilEnded()
      await sleep(Math.max(0, 5 * LEASE_MS - (Date.now() - stoppedAt)))
      const readTopics = async () =>
        // Without speaker and speech_hash, which a worker computes afterwards.
        JSON.stringify(
          await deployment.query(
            "select clip_id, level, number, title, summary, start_s, duration_s, hash from topics order by clip_id, ordinal",
          ),
        )
      const readJobs = async () => JSON.stringify(await deployment.query("select * from jobs order by id"))
      const before = [await readTopics(), await readJobs()]
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
      c.check("results are unchanged", (await readTopics()) === before[0])
      c.check("jobs are unchanged", (await readJobs()) === before[1])
      const done = await deployment.countJobs("done")
      c.check(`${jobs} done`, done === jobs, done)
      await deployment.checkInvariants()
      return `${done} done by the second worker; ${stopped} stages were in flight when it stopped, ${late.length} ended late and were rejected; results unchanged${repeatedStops > 0 ? ` (${repeatedStops} stops during a transaction were repeated)` : ""}`
    }),
}
