import { setTimeout as sleep } from "node:timers/promises"
import { startRabbitMqCluster } from "../../fixtures/rabbitmq-cluster.ts"
import { type Deployment, withDeployment } from "../harness/deployment.ts"
import { RABBITMQ, type Scenario } from "../harness/scenario.ts"

const NODES = 3
const MAX_PAUSE_MS = 60_000

const submitMany = async (deployment: Deployment, jobs: number): Promise<void> => {
  for (let i = 0; i < jobs; i++) await deployment.submitJob()
}

/** Returns the longest time between two jobs that ended after `from`. */
const longestPause = async ({ query }: Deployment, from: number): Promise<number> => {
  const rows = await query<{ at: number }>(
    `select finished_at as at from jobs where finished_at > ${from} order by finished_at`,
  )
  const times = [from, ...rows.map(({ at }) => Number(at))]
  return Math.max(...times.slice(1).map((at, i) => at - times[i]!))
}

const inSeconds = (ms: number): string => (ms / 1000).toFixed(1)

export const r42: Scenario = {
  id: "R42",
  title:
    "three nodes of RabbitMQ: while 200 jobs run, the leader of most queues is killed three times, and two nodes at once for 60 s, so that no quorum is left",
  setups: RABBITMQ,
  startsItself: ["rabbitmq"],
  run: async (c) => {
    const cluster = await startRabbitMqCluster(NODES)
    try {
      return await withDeployment({ ...c, rabbit: cluster }, { CHAOS_WAIT_MS: "300" }, async (deployment) => {
        const [kills, lostMs] = [c.size(3, 1), c.size(60_000, 5_000)]
        // One share for each fault, and one that is submitted while there is no quorum.
        const share = c.size(40, 5)
        const jobs = share * (kills + 2)
        await deployment.pool.start(2)
        const pauses: number[] = []
        for (let kill = 0; kill < kills; kill++) {
          const leader = await cluster.findLeader()
          await submitMany(deployment, share)
          const from = Date.now()
          await leader.kill("SIGKILL")
          await deployment.waitUntilEnded()
          pauses.push(await longestPause(deployment, from))
          await leader.start()
        }
        await submitMany(deployment, share)
        const [, second, third] = cluster.nodes
        await Promise.all([second!.kill("SIGKILL"), third!.kill("SIGKILL")])
        await submitMany(deployment, share)
        await sleep(lostMs)
        const before = await deployment.countJobs("done")
        const started = [second!.start(), third!.start()]
        await Promise.race(started)
        const from = Date.now()
        while ((await deployment.countJobs("done")) === before && Date.now() - from < MAX_PAUSE_MS) await sleep(50)
        const afterQuorum = Date.now() - from
        await Promise.all(started)
        await deployment.waitUntilEnded()
        c.check("work stops without a quorum", before < jobs, before)
        const slowest = Math.max(...pauses, afterQuorum)
        c.check("work continues within 60 s", slowest < MAX_PAUSE_MS, slowest)
        const done = await deployment.countJobs("done")
        c.check(`${jobs} done`, done === jobs, done)
        await deployment.checkInvariants()
        const restarted = (await deployment.attempts()).filter((n) => n > 1).length
        return `RabbitMQ ${await cluster.version()}: ${done} of ${jobs} done, 0 dead letters; longest pause after each kill of a leader ${pauses.map(inSeconds).join(", ")} s; next job done ${inSeconds(afterQuorum)} s after the first of the two nodes had started again, ${jobs - before} were waiting; ${restarted} stages restarted`
      })
    } finally {
      await cluster.close()
    }
  },
}
