import { execFileSync } from "node:child_process"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { packageRoot } from "#lib/platform/package-root.ts"
import { LEASE_MS, type Site, SWEEP_MS, withSite } from "../harness/deployment.ts"
import { BOTH, percentile, type Scenario } from "../harness/scenario.ts"

/** From the message in hand to what follows the ack; the two of whisper with a real recording. */
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

/** The embedded queue hides the message of a killed consumer for ten seconds. */
const HIDDEN_MS = 10_000

const record = (site: Site, name: string): string => {
  const path = join(site.dir, `${name}.flac`)
  const sample = join(packageRoot(), "public/samples/three-subjects.flac")
  execFileSync("ffmpeg", ["-v", "error", "-t", "4", "-i", sample, path])
  return path
}

export const r01: Scenario = {
  id: "R1",
  title: "kill -9 of the worker at 12 points, 20 jobs each, 3 workers",
  brokers: BOTH,
  run: (c) =>
    withSite(c, {}, async (site) => {
      const each = c.size(20, 1)
      await site.pool.keep(c.size(3, 2))
      for (const point of POINTS) {
        for (let i = 0; i < each; i++)
          await (point.endsWith("whisper")
            ? site.give(`kill ${point}`, {
                source: record(site, `${point.replace(" ", "-")}-${i}`),
                transcription: undefined,
              })
            : // Every topic counts as long enough: decide must have something to begin with.
              site.give(`kill ${point}`, { min_subdivide_duration_s: 0 }))
        await site.untilEnded(180_000)
      }
      const total = POINTS.length * each
      const jobs = site.jobs()
      const done = jobs.filter((j) => j.status === "done").length
      const failures = site.raw.prepare("select title, error_detail from jobs where status = 'error'").raw().all()
      c.check(`${total} of ${total} done`, done === total, `${done} ${failures.join("; ")}`)

      const marks = readdirSync(site.dir).filter((f) => f.startsWith("killed-"))
      const killed = new Map(POINTS.map((point) => [point as string, 0]))
      for (const file of marks) {
        const point = jobs.find((j) => file.endsWith(j.id))!.title.slice("kill ".length)
        killed.set(point, killed.get(point)! + 1)
      }
      const spared = POINTS.filter((point) => killed.get(point) === 0)
      c.check("workers died at every point", spared.length === 0, spared.join())
      const most = Math.max(...site.attempts())
      const begins = site.workers.flatMap((w) => w.lines).filter((l) => l.msg === "stage begins")
      const recovered = marks.flatMap((file) => {
        const id = file.slice("killed-".length)
        const killedAt = statSync(join(site.dir, file)).mtimeMs
        const stage = jobs
          .find((j) => j.id === id)
          ?.title.split(" ")
          .at(-1)
        const again = begins.filter((l) => l.job_id === id && l.stage === stage && Date.parse(l.time) > killedAt)
        return again.length > 0 ? [Math.min(...again.map((l) => Date.parse(l.time))) - killedAt] : []
      })
      const p95 = percentile(recovered, 0.95) / 1000
      c.check("p95 from the kill to the next attempt ≤ 60 s", p95 <= 60, p95)
      await site.settle()
      const twice = site.attempts().filter((a) => a > 1).length
      return `${done} of ${total} done after ${marks.length} kills (${[...killed].map(([point, n]) => `${point}: ${n}`).join(", ")}); ${twice} of ${site.attempts().length} stages begun again, at most ${most} times in all; from the kill to the next attempt: median ${(percentile(recovered, 0.5) / 1000).toFixed(1)} s, p95 ${p95.toFixed(1)} s (lease ${LEASE_MS / 1000} s, sweep ${SWEEP_MS / 1000} s, hidden message ${HIDDEN_MS / 1000} s)`
    }),
}
