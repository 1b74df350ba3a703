import { readdirSync, readFileSync, statSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { withDeployment } from "../harness/deployment.ts"
import { type Scenario, SQLITE } from "../harness/scenario.ts"

const residentMb = (pid: number): number =>
  (Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024) / 1e6
const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

type Sample = { at: number; mb: number; files: number; wal: number }
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const middle = (samples: readonly Sample[]) => ({
  at: median(samples.map((s) => s.at)),
  mb: median(samples.map((s) => s.mb)),
})

export const r21: Scenario = {
  id: "R21",
  title: "10 000 small jobs one after the other through two workers",
  setups: [SQLITE],
  run: (c) =>
    withDeployment(c, { SERVICE_LOG_LEVEL: "warn" }, async (deployment) => {
      const jobs = c.size(10_000, 60)
      const words = [{ word: "one", start: 0, end: 1, speaker: "0" }]
      const workers = [await deployment.worker(), await deployment.worker()]
      const samples: Sample[] = []
      const done = () => deployment.countJobs("done")
      const from = Date.now()
      const sampling = setInterval(() => {
        samples.push({
          at: (Date.now() - from) / 60_000,
          mb: Math.max(...workers.map((w) => residentMb(w.pid))),
          files: Math.max(...workers.map((w) => openFiles(w.pid))),
          wal: statSync(`${deployment.sqlite.name}-wal`).size / 1e6,
        })
      }, 2_000)
      for (let i = 0; i < jobs; i++) {
        await deployment.submitJob("good", { transcription: words })
        if (i % 50 === 49) while (i - (await done()) > 200) await sleep(50)
      }
      await deployment.waitUntilEnded(c.size(1_800_000, 60_000))
      clearInterval(sampling)
      const minutes = (Date.now() - from) / 60_000
      // Compare medians of the second and the last third, because a single sample depends on garbage collection.
      const third = Math.max(1, Math.floor(samples.length / 3))
      const settled = samples.slice(third)
      const [early, late] = [middle(samples.slice(third, 2 * third)), middle(samples.slice(-third))]
      const slope = late.at > early.at ? (late.mb - early.mb) / (late.at - early.at) : 0
      const files = settled.map((s) => s.files)
      const wal = Math.max(0, ...samples.map((s) => s.wal))
      if (c.size(1, 0)) {
        c.check("memory grows by ≤ 1 MB a minute after the warm-up", slope <= 1, slope.toFixed(2))
        c.check(
          "the number of open files is stable",
          Math.max(...files) - Math.min(...files) <= 3,
          `${Math.min(...files)} to ${Math.max(...files)}`,
        )
      }
      c.check("the journal is bounded (64 MB)", wal < 64, wal)
      const finished = await done()
      c.check("all jobs are done", finished === jobs, finished)
      await deployment.checkInvariants()
      const rss = `${early.mb.toFixed(0)} to ${late.mb.toFixed(0)} MB`
      return `${jobs} done in ${minutes.toFixed(1)} min; memory of a worker ${rss} (${slope.toFixed(2)} MB a minute), ${Math.max(0, ...files)} open files, journal ≤ ${wal.toFixed(1)} MB`
    }),
}
