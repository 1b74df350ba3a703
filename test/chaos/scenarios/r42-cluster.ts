import { setTimeout as sleep } from "node:timers/promises"
import { startRabbitMqCluster } from "../../fixtures/rabbitmq-cluster.ts"
import { withDeployment } from "../harness/deployment.ts"
import { RABBITMQ, type Scenario } from "../harness/scenario.ts"

const NODES = 3
const MAX_PAUSE_MS = 60_000

export const r42: Scenario = {
  id: "R42",
  title:
    "three nodes of RabbitMQ: the leader of most queues is killed three times, then two nodes are killed for 60 s (no quorum), while 200 jobs are submitted",
  setups: RABBITMQ,
  startsItself: ["rabbitmq"],
  run: async (c) => {
    const cluster = await startRabbitMqCluster(NODES)
    try {
      return await withDeployment({ ...c, rabbit: cluster }, { CHAOS_WAIT_MS: "300" }, async (deployment) => {
        const jobs = c.size(200, 20)
        const [kills, lostMs] = [c.size(3, 1), c.size(60_000, 5_000)]
        await deployment.pool.start(2)
        let isFaulty = true
        const submitting = (async () => {
          while (deployment.accepted.size < jobs) {
            await deployment.submitJob()
            // Jobs are left for the end of every fault.
            if (isFaulty) await sleep(c.size(900, 400))
          }
        })()
        const untilNextJob = async (): Promise<number> => {
          const [from, before] = [Date.now(), await deployment.countJobs("done")]
          while ((await deployment.countJobs("done")) === before && Date.now() - from < MAX_PAUSE_MS) await sleep(50)
          return Date.now() - from
        }
        await untilNextJob()
        const pauses: number[] = []
        for (let kill = 0; kill < kills; kill++) {
          const leader = await cluster.findLeader()
          await leader.kill("SIGKILL")
          pauses.push(await untilNextJob())
          await leader.start()
          await sleep(3_000)
        }
        const [, second, third] = cluster.nodes
        await Promise.all([second!.kill("SIGKILL"), third!.kill("SIGKILL")])
        await sleep(lostMs)
        const submittedDuring = deployment.accepted.size
        await Promise.all([second!.start(), third!.start()])
        const afterQuorum = await untilNextJob()
        isFaulty = false
        await submitting
        await deployment.waitUntilEnded(180_000)
        c.check("work continues within 60 s", Math.max(...pauses, afterQuorum) < MAX_PAUSE_MS, pauses.join())
        const done = await deployment.countJobs("done")
        c.check(`${jobs} done`, done === jobs, done)
        c.check("jobs are submitted without a quorum", submittedDuring < jobs, submittedDuring)
        await deployment.checkInvariants()
        const restarted = (await deployment.attempts()).filter((n) => n > 1).length
        const seconds = (ms: number) => (ms / 1000).toFixed(1)
        return `RabbitMQ ${await cluster.version()}: ${done} of ${jobs} done, 0 dead letters; next job done ${pauses.map(seconds).join(", ")} s after each kill of a leader, and ${seconds(afterQuorum)} s after the two nodes had started again; ${restarted} stages restarted`
      })
    } finally {
      await cluster.close()
    }
  },
}
