import { STAGE_NAMES } from "#lib/domain/jobs/stages.ts"
import type { OutgoingMessage } from "#lib/queue/types.ts"
import { withDeployment } from "../harness/deployment.ts"
import { ALL, type Scenario } from "../harness/scenario.ts"

const id = "01980000-0000-7000-8000-000000000000"
const message = (changes: object): string =>
  JSON.stringify({
    version: 1,
    job_id: id,
    session_id: id,
    stage: "l1",
    attempt: 1,
    next: ["decide", "summarize_l1"],
    ...changes,
  })

/** Message bodies by name, which appears in the message ID. */
const BODIES: Readonly<Record<string, () => string>> = {
  "not JSON": () => "{job",
  empty: () => "",
  "ten megabytes": () => "x".repeat(10 * 2 ** 20),
  "wrong version": () => message({ version: 7 }),
  "unknown job": () => message({}),
  "deep JSON": () => "[".repeat(20_000) + "]".repeat(20_000),
  "stage summarize": () => message({ stage: "summarize" }),
  "foreign next": () => message({ next: ["persist"] }),
  "another stage's": () => message({ stage: "l0", next: ["persist"] }),
  null: () => "null",
}

export const r11: Scenario = {
  id: "R11",
  title: `50 invalid messages (${Object.keys(BODIES).join(", ")}) among 10 valid jobs`,
  setups: ALL,
  run: (c) =>
    withDeployment(c, {}, async (deployment) => {
      const rounds = c.size(5, 1)
      const bad: OutgoingMessage[] = Array.from({ length: rounds }, (_, round) =>
        Object.entries(BODIES).map(([name, body]) => ({ id: `${name} ${round}`, stage: "l1" as const, body: body() })),
      ).flat()
      await deployment.pool.start(1)
      const [worker] = deployment.workers
      for (const m of bad) await deployment.node.broker!.publish([m])
      for (let i = 0; i < 10; i++) await deployment.submitJob()
      await deployment.waitUntilEnded()
      await deployment.checkInvariants({ deadLetters: bad.length })
      const dead = await deployment.node.broker!.deadLetters({ limit: 1_000 })
      const silent = dead.filter((d) => d.reason.length < 5)
      c.check("each dead letter has a reason", silent.length === 0, silent.length)
      const refused = worker!.lines.filter((l) => l.msg === "message rejected").length
      c.check("each is delivered once", refused === bad.length, refused)
      c.check("the worker is not restarted", deployment.workers.length === 1 && deployment.pool.alive.size === 1)
      const done = await deployment.countJobs("done")
      c.check("the good jobs are done", done === 10, done)
      const stages = STAGE_NAMES.length
      return `${dead.length} dead letters with a reason, each delivered once; the same worker completed ${done} valid jobs with ${stages} stages`
    }),
}
