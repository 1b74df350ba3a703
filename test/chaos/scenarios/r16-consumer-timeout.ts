import { startRabbitMq } from "../../fixtures/rabbitmq.ts"
import { withDeployment } from "../harness/deployment.ts"
import { RABBITMQ, type Scenario } from "../harness/scenario.ts"

export const r16: Scenario = {
  id: "R16",
  title: "5 jobs whose l1 takes up to 80 s, with a consumer_timeout of 5 s",
  setups: RABBITMQ,
  startsItself: ["rabbitmq"],
  run: async (c) => {
    const rabbit = await startRabbitMq(["consumer_timeout = 5000"])
    try {
      return await withDeployment({ ...c, rabbit }, { SERVICE_LEASE_S: "30" }, async (deployment) => {
        const [jobs, ms] = [c.size(5, 2), c.size(80_000, 80_000)]
        await deployment.pool.start(2)
        for (let i = 0; i < jobs; i++) await deployment.submitJob(`slow ${i === 0 ? ms : ms / 5}`)
        await deployment.waitUntilEnded()
        const maxAttempts = Math.max(...(await deployment.attempts()))
        c.check("each stage starts once", maxAttempts === 1, maxAttempts)
        const lines = deployment.workers.flatMap((w) => w.lines)
        const closed = lines.filter((l) => l.msg === "consumer interrupted").length
        c.check("the broker did close channels", closed > 0, closed)
        c.check("fewer than ten times per job", closed < jobs * 10, closed)
        const done = await deployment.countJobs("done")
        c.check(`${jobs} done`, done === jobs, done)
        await deployment.checkInvariants()
        return `${done} done, every stage at its first attempt; the broker closed ${closed} channels`
      })
    } finally {
      await rabbit.close()
    }
  },
}
