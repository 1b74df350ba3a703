import { setTimeout as sleep } from "node:timers/promises"
import { EMBEDDED, type Scenario } from "../harness/scenario.ts"
import { withStoreDeployment } from "../harness/store-deployment.ts"

/** A stage that works reports so at this interval. Must equal the interval of the worker. */
const TICK_MS = 20
const SETTINGS = { SERVICE_LEASE_S: "2", SERVICE_HEARTBEAT_S: "0.5", SERVICE_SWEEP_S: "0.5" }
/** Longer than the lease, and shorter than a lease and the work of the other kind. */
const STOP_MS = 4_500
const WORK_MS = 4_000
/** How long a resumed holder may work until its first heartbeat tells it that it lost the GPU. */
const MAX_OVERLAP_MS = 500

type Tick = { readonly msg: string; readonly kind: string; readonly time: string }

export const r34: Scenario = {
  id: "R34",
  title:
    "the worker that holds the GPU is stopped (SIGSTOP) for two leases and resumes while the other kind uses the GPU, the store refuses one of five requests for the GPU; three times",
  setups: EMBEDDED,
  run: (c) => {
    const settings = { ...SETTINGS, CHAOS_GPU_MS: String(WORK_MS), CHAOS_GPU_FAILURES: "5" }
    return withStoreDeployment(c, settings, async (deployment) => {
      const rounds = c.size(3, 1)
      let overlapMs = 0
      for (let round = 0; round < rounds; round++) {
        const holder = await deployment.worker(["l1"])
        const speaker = await deployment.worker(["whisper"])
        const worker = await deployment.worker()
        await deployment.submitWords("good")
        const isTicking = (w: typeof holder) => w.lines.some((l) => l.msg === "working on the GPU")
        for (const deadline = Date.now() + 20_000; !isTicking(holder) && !isTicking(worker) && Date.now() < deadline; )
          await sleep(TICK_MS)
        const held = isTicking(holder) ? holder : worker
        held.kill("SIGSTOP")
        await deployment.submitRecording()
        await sleep(STOP_MS)
        held.kill("SIGCONT")
        await deployment.waitUntilEnded(60_000)
        const ticks = deployment.workers.flatMap(({ lines, pid }) =>
          (lines as readonly object[] as readonly Tick[])
            .filter((l) => l.msg === "working on the GPU")
            .map((l) => ({ pid, kind: l.kind, at: Date.parse(l.time) })),
        )
        const isOverlap = (t: (typeof ticks)[number]) =>
          ticks.some((o) => o.kind !== t.kind && Math.abs(o.at - t.at) < TICK_MS)
        overlapMs = Math.max(overlapMs, (ticks.filter(isOverlap).length / 2) * TICK_MS)
        for (const w of [holder, speaker, worker]) w.kill("SIGTERM")
        await Promise.all([holder, speaker, worker].map((w) => w.exited))
      }
      c.check(`the kinds overlap for at most ${MAX_OVERLAP_MS} ms`, overlapMs <= MAX_OVERLAP_MS, overlapMs)
      const jobs = await deployment.list()
      const whisper = jobs.map((job) => job.stage_attempts.whisper)
      c.check("no attempt is charged for waiting", Math.max(...whisper) === 1, whisper.join())
      await deployment.checkInvariants()
      return `${jobs.filter((j) => j.status === "done").length} of ${jobs.length} done; both kinds at work together for ${overlapMs} ms, until the first heartbeat of the resumed worker; attempts of the waiting stages: ${Math.max(...whisper)}`
    })
  },
}
