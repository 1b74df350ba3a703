import { STAGE_NAMES, type StageName } from "#lib/domain/jobs/stages.ts"
import { withSite } from "../harness/deployment.ts"
import { BOTH, type Scenario } from "../harness/scenario.ts"

const KINDS: Readonly<Record<string, readonly StageName[]>> = {
  whisper: ["whisper"],
  topics: STAGE_NAMES.filter((s) => s !== "whisper" && s !== "persist"),
  persist: ["persist"],
}

export const sixWorkers: Scenario = {
  id: "W",
  title: "six workers of three kinds (whisper, topics, persist; two each) share 100 jobs",
  brokers: BOTH,
  run: (c) =>
    withSite(c, { SERVICE_LEASE_S: "30" }, async (site) => {
      const jobs = c.size(100, 12)
      const kinds = Object.values(KINDS).flatMap((stages) => [stages, stages])
      for (const stages of kinds) await site.worker(stages)
      for (let i = 0; i < jobs; i++) await site.give()
      await site.untilEnded()
      const most = Math.max(...site.attempts())
      c.check("each stage was begun once", most === 1 && site.attempts().length === jobs * STAGE_NAMES.length, most)
      const begun = site.workers.map((w) => w.lines.filter((l) => l.msg === "stage begins"))
      begun.forEach((lines, i) => {
        const strange = lines.filter((l) => !kinds[i]!.includes(l.stage!)).length
        c.check("a worker takes only its stages", strange === 0, strange)
        c.check("every worker has a share", lines.length > 0)
      })
      const done = site.jobs().filter((j) => j.status === "done").length
      c.check(`${jobs} done`, done === jobs, done)
      await site.settle()
      return `${done} done, every stage at its first attempt; stages begun by worker: ${begun.map((l) => l.length).join(", ")}`
    }),
}
