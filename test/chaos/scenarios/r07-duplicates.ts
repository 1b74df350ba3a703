import { withSite } from "../harness/deployment.ts"
import { BOTH, type Scenario } from "../harness/scenario.ts"

export const r07: Scenario = {
  id: "R7",
  title: "every message five times: 100 jobs, two workers",
  brokers: BOTH,
  run: (c) =>
    withSite(c, { SERVICE_LEASE_S: "30" }, async (site) => {
      const jobs = c.size(100, 10)
      for (let i = 0; i < jobs; i++) await site.give()
      const due = await site.store.outbox.listDue(jobs)
      const copies = due.flatMap((m) => Array.from({ length: 4 }, (_, i) => ({ ...m, id: `${m.id}-copy-${i}` })))
      await site.node.broker!.publish(copies)
      await site.pool.keep(2)
      await site.untilEnded()
      const done = site.jobs().filter((j) => j.status === "done").length
      c.check(`${jobs} done`, done === jobs, done)
      const most = Math.max(...site.attempts())
      c.check("each stage was begun once", most === 1, most)
      await site.settle()
      const lines = site.workers.flatMap((w) => w.lines)
      const begun = lines.filter((l) => l.msg === "stage begins" && l.stage === "whisper").length
      const troubled = lines.filter((l) => Number((l as unknown as { level: number }).level) >= 40).length
      c.check("nothing is logged as a warning or an error", troubled === 0, troubled)
      return `${done} results; ${begun} first stages begun, ${copies.length} copies acked without work, ${troubled} warnings`
    }),
}
