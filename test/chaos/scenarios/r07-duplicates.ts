import { withDeployment } from "../harness/deployment.ts"
import { ALL, type Scenario } from "../harness/scenario.ts"

export const r07: Scenario = {
  id: "R7",
  title: "every message is delivered five times: 100 jobs, two workers",
  setups: ALL,
  run: (c) =>
    withDeployment(c, { SERVICE_LEASE_S: "30" }, async (deployment) => {
      const jobs = c.size(100, 10)
      for (let i = 0; i < jobs; i++) await deployment.submitJob()
      const due = await deployment.store.outbox.listDue(jobs)
      const copies = due.flatMap((m) => Array.from({ length: 4 }, (_, i) => ({ ...m, id: `${m.id}-copy-${i}` })))
      await deployment.node.broker!.publish(copies)
      await deployment.pool.start(2)
      await deployment.waitUntilEnded()
      const done = await deployment.countJobs("done")
      c.check(`${jobs} done`, done === jobs, done)
      const maxAttempts = Math.max(...(await deployment.attempts()))
      c.check("each stage starts once", maxAttempts === 1, maxAttempts)
      await deployment.checkInvariants()
      const lines = deployment.workers.flatMap((w) => w.lines)
      const begun = lines.filter((l) => l.msg === "stage started" && l.stage === "whisper").length
      const warnings = lines.filter((l) => Number((l as unknown as { level: number }).level) >= 40)
      c.check("no warnings or errors are logged", warnings.length === 0, warnings.map((l) => l.msg).join(", "))
      return `${done} results; ${begun} first stages started, ${copies.length} duplicates acknowledged without work, ${warnings.length} warnings`
    }),
}
