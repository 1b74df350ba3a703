import { setTimeout as sleep } from "node:timers/promises"
import { withSite } from "../harness/deployment.ts"
import { EMBEDDED, type Scenario, type ScenarioContext } from "../harness/scenario.ts"

const jump = (c: ScenarioContext, hours: number): Promise<string> =>
  withSite(c, { CHAOS_WAIT_MS: "300", CHAOS_JUMP_MS: String(hours * 3_600_000) }, async (site) => {
    const jobs = c.size(20, 6)
    for (let i = 0; i < jobs; i++) await site.give()
    const workers = [await site.worker(), await site.worker()]
    const inHand = () => site.number("select count(*) from job_stages where state = 'running' and stage <> 'whisper'")
    while (inHand() < 3) await sleep(20)
    for (const worker of workers) worker.kill("SIGUSR2")
    await site.untilEnded(60_000)
    const done = site.jobs().filter((j) => j.status === "done").length
    c.check(`${hours > 0 ? "+" : ""}${hours} h: all done`, done === jobs, done)
    const again = site.attempts().filter((a) => a > 1).length
    return `${hours > 0 ? "+" : ""}${hours} h: ${done} of ${jobs} done, ${again} stages begun again`
  })

export const r23: Scenario = {
  id: "R23",
  title: "the clock of both workers jumps by an hour, forwards and backwards, with 20 jobs under way",
  brokers: EMBEDDED,
  run: async (c) => `${await jump(c, 1)}; ${await jump(c, -1)}`,
}
