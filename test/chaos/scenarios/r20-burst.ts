import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { endService, startService } from "../../fixtures/service.ts"
import { type Deployment, withDeployment } from "../harness/deployment.ts"
import { ALL, percentile, type Scenario } from "../harness/scenario.ts"
import { type Answer, checkAnswers, submitOver } from "../harness/submissions.ts"

const residentMb = (pid: number): number =>
  (Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024) / 1e6

const MAX_TRIES = 30

/** Submits a job as a client does that repeats a refused request after the time in Retry-After. Returns all answers. */
const submitPatiently = async (url: string, deployment: Deployment): Promise<Answer[]> => {
  const answers: Answer[] = []
  for (;;) {
    const answer = await submitOver(url, deployment)
    answers.push(answer)
    if (answer.status !== 503 || answers.length === MAX_TRIES) return answers
    await sleep(Number(answer.retryAfter ?? 1) * 1000)
  }
}

export const r20: Scenario = {
  id: "R20",
  title: "1 000 submissions over HTTP in 10 s, two workers; a refused one is repeated after the time in Retry-After",
  setups: ALL,
  run: (c) =>
    withDeployment(c, {}, async (deployment) => {
      const service = await startService(deployment.settings)
      await deployment.pool.start(2)
      const [jobs, overMs] = [c.size(1_000, 50), c.size(10_000, 2_000)]
      for (let i = 0; i < 20; i++) await submitOver(service.url, deployment)
      const before = residentMb(service.process.pid!)
      const from = Date.now()
      const submissions: Promise<Answer[]>[] = []
      while (submissions.length < jobs) {
        const due = Math.min(jobs, Math.ceil(((Date.now() - from) / overMs) * jobs))
        while (submissions.length < due) submissions.push(submitPatiently(service.url, deployment))
        await sleep(5)
      }
      const each = await Promise.all(submissions)
      const answers = each.flat()
      const submitted = (Date.now() - from) / 1000
      await deployment.waitUntilEnded()
      const rate = jobs / (((await deployment.number("select max(finished_at) from jobs")) - from) / 1000)
      const summary = checkAnswers(c, answers)
      c.check(
        "every submission is accepted in the end",
        each.every((tries) => tries.at(-1)!.status === 202),
      )
      c.check(
        "a refused one is told when to try again",
        answers.every((a) => a.status !== 503 || Number(a.retryAfter) > 0),
      )
      // SQLite has no connections to wait for.
      if (!c.postgres)
        c.check(
          "none is refused",
          answers.every((a) => a.status === 202),
        )
      const done = await deployment.countJobs("done")
      c.check("all jobs are done", done === deployment.accepted.size, done)
      const growth = residentMb(service.process.pid!) - before
      c.check("the memory of the service grows by ≤ 100 MB", growth <= 100, growth)
      await deployment.checkInvariants()
      await endService(service)
      const p99 = percentile(
        answers.map((a) => a.ms),
        0.99,
      )
      return `${summary}, p99 ${Math.round(p99)} ms, sent in ${submitted.toFixed(1)} s; ${done} done, 0 lost; ${rate.toFixed(1)} jobs per second overall; memory of the service +${growth.toFixed(0)} MB`
    }),
}
