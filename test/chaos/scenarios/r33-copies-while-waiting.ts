import { ALL, type Scenario } from "../harness/scenario.ts"
import { withStoreDeployment } from "../harness/store-deployment.ts"

export const r33: Scenario = {
  id: "R33",
  title: "every message is delivered five times while each first attempt of l1 fails and asks to wait 60 s, 20 jobs",
  setups: ALL,
  run: (c) => {
    const waitMs = c.size(60_000, 2_000)
    const settings = { CHAOS_COPIES: "5", CHAOS_RETRY_MS: String(waitMs) }
    return withStoreDeployment(c, settings, async (deployment) => {
      const jobs = c.size(20, 4)
      for (let i = 0; i < jobs; i++) await deployment.submitWords("fail once")
      await Promise.all([deployment.worker(), deployment.worker()])
      const ended = await deployment.waitUntilEnded(waitMs + 60_000)
      const attempts = ended.map((job) => job.stage_attempts.l1)
      c.check(
        "l1 has two attempts in each job",
        attempts.every((n) => n === 2),
        attempts.join(),
      )
      const lines = deployment.workers.flatMap((worker) => worker.lines).filter((l) => l.stage === "l1")
      const timesOf = (id: string, msg: string) =>
        lines.filter((l) => l.job_id === id && l.msg === msg).map((l) => Date.parse(l.time))
      const waits = ended.map(({ job_id }) => {
        const [failedAt = 0] = timesOf(job_id, "stage did not finish")
        return Math.min(...timesOf(job_id, "stage started").filter((at) => at > failedAt)) - failedAt
      })
      const shortest = Math.min(...waits)
      c.check("no second attempt begins early", shortest >= waitMs - 100, `${shortest} ms`)
      await deployment.checkInvariants()
      return `${ended.filter((j) => j.status === "done").length} of ${jobs} done; attempts of l1: ${Math.max(...attempts)}; shortest wait before the second ${(shortest / 1000).toFixed(1)} s`
    })
  },
}
