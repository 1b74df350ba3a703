import { STAGE_NAMES, type StageName } from "#lib/domain/jobs/stages.ts"
import { withDeployment } from "../harness/deployment.ts"
import { ALL, type Scenario } from "../harness/scenario.ts"

const KINDS: Readonly<Record<string, readonly StageName[]>> = {
  whisper: ["whisper"],
  topics: STAGE_NAMES.filter((s) => s !== "whisper" && s !== "persist"),
  persist: ["persist"],
}

export const sixWorkers: Scenario = {
  id: "W",
  title: "six workers of three kinds (two each for whisper, topics and persist) share 100 jobs",
  setups: ALL,
  run: (c) =>
    withDeployment(c, { SERVICE_LEASE_S: "30" }, async (deployment) => {
      const jobs = c.size(100, 12)
      const kinds = Object.values(KINDS).flatMap((stages) => [stages, stages])
      for (const stages of kinds) await deployment.worker(stages)
      for (let i = 0; i < jobs; i++) await deployment.submitJob()
      await deployment.waitUntilEnded()
      const attempts = await deployment.attempts()
      const maxAttempts = Math.max(...attempts)
      c.check("each stage starts once", maxAttempts === 1 && attempts.length === jobs * STAGE_NAMES.length, maxAttempts)
      const begun = deployment.workers.map((w) => w.lines.filter((l) => l.msg === "stage started"))
      begun.forEach((lines, i) => {
        const foreign = lines.filter((l) => !kinds[i]!.includes(l.stage!)).length
        c.check("a worker runs only its stages", foreign === 0, foreign)
        c.check("every worker runs some stages", lines.length > 0)
      })
      const done = await deployment.countJobs("done")
      c.check(`${jobs} done`, done === jobs, done)
      await deployment.checkInvariants()
      return `${done} done, every stage at its first attempt; stages started by worker: ${begun.map((l) => l.length).join(", ")}`
    }),
}
