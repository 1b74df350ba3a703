import { execFileSync } from "node:child_process"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { packageRoot } from "#lib/platform/package-root.ts"
import { type Deployment, LEASE_MS, SWEEP_MS, withDeployment } from "../harness/deployment.ts"
import { ALL, describeTimes, percentile, type Scenario } from "../harness/scenario.ts"

/** Points from the receipt of a message to after its ack. The two of whisper use a real recording. */
const POINTS = [
  "receive l1",
  "claim decide",
  "begin whisper",
  "work whisper",
  "begin l1",
  "begin decide",
  "begin summarize_l1",
  "begin persist",
  "commit l2",
  "commit persist",
  "ack l0",
  "after summarize_l2",
] as const

/** An embedded queue hides the message of a killed consumer for ten seconds. */
const HIDDEN_MS = 10_000

const record = (deployment: Deployment, name: string): string => {
  const path = join(deployment.dir, `${name}.flac`)
  const sample = join(packageRoot(), "public/samples/three-subjects.flac")
  execFileSync("ffmpeg", ["-v", "error", "-t", "4", "-i", sample, path])
  return path
}

export const r01: Scenario = {
  id: "R1",
  title: "SIGKILL of the worker at 12 points, 20 jobs each, three workers",
  setups: ALL,
  run: (c) =>
    withDeployment(c, {}, async (deployment) => {
      const each = c.size(20, 1)
      await deployment.pool.start(c.size(3, 2))
      for (const point of POINTS) {
        for (let i = 0; i < each; i++)
          await (point.endsWith("whisper")
            ? deployment.submitJob(`kill ${point}`, {
                source: record(deployment, `${point.replace(" ", "-")}-${i}`),
                transcription: undefined,
              })
            : // Every topic is long enough, so that decide calls its engine.
              deployment.submitJob(`kill ${point}`, { min_subdivide_duration_s: 0 }))
        await deployment.waitUntilEnded(180_000)
      }
      const total = POINTS.length * each
      const jobs = await deployment.jobs()
      const done = jobs.filter((j) => j.status === "done").length
      const failures = await deployment.query<{ title: string; error_detail: string }>(
        "select title, error_detail from jobs where status = 'error'",
      )
      c.check(
        `${total} of ${total} done`,
        done === total,
        `${done} ${failures.map((f) => `${f.title}: ${f.error_detail}`).join("; ")}`,
      )

      const marks = readdirSync(deployment.dir).filter((f) => f.startsWith("killed-"))
      const killed = new Map(POINTS.map((point) => [point as string, 0]))
      for (const file of marks) {
        const point = jobs.find((j) => file.endsWith(j.id))!.title.slice("kill ".length)
        killed.set(point, killed.get(point)! + 1)
      }
      const missed = POINTS.filter((point) => killed.get(point) === 0)
      c.check("workers are killed at every point", missed.length === 0, missed.join())
      const attempts = await deployment.attempts()
      const maxAttempts = Math.max(...attempts)
      const begins = deployment.workers.flatMap((w) => w.lines).filter((l) => l.msg === "stage started")
      const recovered = marks.flatMap((file) => {
        const id = file.slice("killed-".length)
        const killedAt = statSync(join(deployment.dir, file)).mtimeMs
        const stage = jobs
          .find((j) => j.id === id)
          ?.title.split(" ")
          .at(-1)
        const again = begins.filter((l) => l.job_id === id && l.stage === stage && Date.parse(l.time) > killedAt)
        return again.length > 0 ? [Math.min(...again.map((l) => Date.parse(l.time))) - killedAt] : []
      })
      const p95 = percentile(recovered, 0.95) / 1000
      c.check("p95 from the kill to the next attempt ≤ 60 s", p95 <= 60, p95)
      await deployment.checkInvariants()
      const restarted = attempts.filter((a) => a > 1).length
      return `${done} of ${total} done after ${marks.length} kills (${[...killed].map(([point, n]) => `${point}: ${n}`).join(", ")}); ${restarted} of ${attempts.length} stages restarted, at most ${maxAttempts} attempts each; from the kill to the next attempt: ${describeTimes(recovered)} (lease ${LEASE_MS / 1000} s, sweep ${SWEEP_MS / 1000} s${c.rabbit ? "" : `, hidden message ${HIDDEN_MS / 1000} s`})`
    }),
}
