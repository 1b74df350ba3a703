import { setTimeout as sleep } from "node:timers/promises"
import Driver from "better-sqlite3"
import { LEASE_MS, withSite } from "../harness/deployment.ts"
import { EMBEDDED, type Scenario } from "../harness/scenario.ts"

export const r08: Scenario = {
  id: "R8",
  title: "a worker with 20 jobs is stopped (SIGSTOP) for five leases, another takes over, then it wakes up (SIGCONT)",
  brokers: EMBEDDED,
  run: (c) =>
    withSite(c, { CHAOS_WAIT_MS: "700" }, async (site) => {
      const jobs = c.size(20, 6)
      for (let i = 0; i < jobs; i++) await site.give()
      const zombie = await site.worker()
      const inHand = () => site.number("select count(*) from job_stages where state = 'running' and stage <> 'whisper'")
      while (inHand() < 3) await sleep(20)
      // One that is stopped amid a transaction keeps everybody from writing until it wakes up: that is not this scenario.
      const locks = () => {
        const other = new Driver(site.raw.name, { timeout: 300 })
        try {
          other.exec("begin immediate; rollback")
          return false
        } catch {
          return true
        } finally {
          other.close()
        }
      }
      let amid = -1
      do {
        zombie.kill("SIGCONT")
        await sleep(20)
        zombie.kill("SIGSTOP")
        await sleep(20)
        amid++
      } while (locks())
      const stopped = inHand()
      const stoppedAt = Date.now()
      await site.worker()
      await site.untilEnded()
      await sleep(Math.max(0, 5 * LEASE_MS - (Date.now() - stoppedAt)))
      const results = () => JSON.stringify(site.raw.prepare("select * from topics order by clip_id, ordinal").all())
      const before = [results(), JSON.stringify(site.jobs())]
      zombie.kill("SIGCONT")
      await sleep(4_000)
      const late = zombie.lines.filter(
        (l) => l.msg === "stage ends" && Date.parse(l.time) > stoppedAt + LEASE_MS,
      ) as unknown as { outcome: string }[]
      c.check(
        "what it had in hand is dropped",
        late.length > 0 && late.every((l) => l.outcome === "dropped"),
        JSON.stringify(late.map((l) => l.outcome)),
      )
      c.check("results are unchanged", results() === before[0])
      c.check("jobs are unchanged", JSON.stringify(site.jobs()) === before[1])
      const done = site.jobs().filter((j) => j.status === "done").length
      c.check(`${jobs} done`, done === jobs, done)
      await site.settle()
      return `${done} done by the second worker; ${stopped} stages were in hand at the stop, ${late.length} ended late and were dropped; results unchanged${amid > 0 ? ` (${amid} stops amid a transaction were taken back)` : ""}`
    }),
}
