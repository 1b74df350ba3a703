import { execFileSync } from "node:child_process"
import { openAsBlob } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { packageRoot } from "#lib/platform/package-root.ts"
import { speechWords } from "../../fixtures/speech-words.ts"
import { type HostName, type ManyHosts, openManyHosts } from "../harness/many-hosts.ts"
import { histogram, POSTGRES_RABBITMQ, type Scenario, type ScenarioContext } from "../harness/scenario.ts"

const WORDS = speechWords({ subjects: 1, secondsEach: 20 })
/** An unanswered request is sent again after this time. */
const ANSWER_MS = 15_000
const RETRY_DELAY_MS = 500
/** Every so many jobs, one has a recording to transcribe. */
const RECORDING_INTERVAL = 20
/** Limit from the end of a fault to the next completed job. */
const MAX_RECOVERY_MS = 60_000

/** Longer than a lease. The topics host is cut off for longer than RabbitMQ and PostgreSQL wait for a silent peer. */
const CUT_S: Readonly<Record<HostName, number>> = { web: 12, whisper: 12, topics: 45, data: 20 }

const bodyOf = async (
  deployment: ManyHosts,
  n: number,
): Promise<{ body: BodyInit; headers: Record<string, string> }> => {
  if (n % RECORDING_INTERVAL > 0) {
    const body = JSON.stringify({ source: `https://example.org/hosts/${n}`, transcription: WORDS })
    return { body, headers: { "content-type": "application/json" } }
  }
  const path = join(deployment.dir, `recording-${n}.flac`)
  const sample = join(packageRoot(), "public/samples/three-subjects.flac")
  execFileSync("ffmpeg", ["-v", "error", "-y", "-t", String(3 + n / 100), "-i", sample, path])
  const body = new FormData()
  body.append("file", await openAsBlob(path), `recording-${n}.flac`)
  return { body, headers: {} }
}

/** Submits jobs over HTTP in turn while the faults last, and repeats each request until it is accepted. */
const submitter = (c: ScenarioContext, deployment: ManyHosts, jobs: number) => {
  const accepted = new Map<string, number>()
  const seen = { refused: 0, unanswered: 0, slowest: 0 }
  const submit = async (n: number): Promise<void> => {
    for (;;) {
      const from = performance.now()
      const { body, headers } = await bodyOf(deployment, n)
      const init = { method: "POST", headers: { ...headers, ...deployment.headers }, body }
      try {
        const response = await fetch(`${deployment.url}/jobs/audio`, {
          ...init,
          signal: AbortSignal.timeout(ANSWER_MS),
        })
        const answer = (await response.json()) as { job_id?: string }
        seen.slowest = Math.max(seen.slowest, performance.now() - from)
        if (response.status === 202) {
          accepted.set(answer.job_id!, Date.now())
          return
        }
        c.check("answers are 202 or 503", response.status === 503, `${response.status} ${JSON.stringify(answer)}`)
        seen.refused++
      } catch {
        seen.unanswered++
      }
      await sleep(RETRY_DELAY_MS)
    }
  }
  return {
    accepted,
    seen,
    run: async (paceMs: () => number): Promise<void> => {
      for (let n = 1; n <= jobs; n++) {
        await submit(n)
        await sleep(paceMs())
      }
    },
  }
}

export const h01: Scenario = {
  id: "H1",
  title:
    "four hosts (network namespaces): web; whisper; topics and persist, clocks one hour ahead; PostgreSQL with RabbitMQ. Each link is cut and restored, each worker is killed and the database restarted, while 200 jobs are submitted over HTTP",
  setups: [POSTGRES_RABBITMQ],
  startsItself: ["rabbitmq", "postgres"],
  run: async (c) => {
    const deployment = await openManyHosts(c)
    try {
      const jobs = c.size(200, 20)
      const { accepted, seen, run } = submitter(c, deployment, jobs)
      let faults = true
      const submitting = run(() => (faults ? 700 : 20))
      const ended = () => deployment.number("select count(*) from jobs where finished_at is not null")
      const untilOneMore = async (): Promise<number> => {
        const [from, before] = [Date.now(), await ended()]
        while ((await ended()) === before && Date.now() - from < MAX_RECOVERY_MS && accepted.size < jobs)
          await sleep(100)
        return (Date.now() - from) / 1000
      }
      await untilOneMore()
      const back: string[] = []
      const after = async (what: string): Promise<void> => {
        const s = await untilOneMore()
        c.check(`work continues after ${what}`, s < MAX_RECOVERY_MS / 1000, s)
        back.push(`${what} ${s.toFixed(1)} s`)
      }
      for (const [name, seconds] of Object.entries(CUT_S) as [HostName, number][]) {
        deployment.hosts.cut(name)
        await sleep(c.size(seconds, 6) * 1000)
        deployment.hosts.heal(name)
        await after(`cut of ${name} for ${c.size(seconds, 6)} s`)
      }
      const workers = [...deployment.pools.whisper.alive, ...deployment.pools.topics.alive]
      for (const worker of workers) {
        worker.kill("SIGKILL")
        await worker.exited
        await after("a killed worker")
      }
      await deployment.postgres.stop()
      await sleep(3_000)
      await deployment.postgres.start()
      await after("restart of PostgreSQL")
      faults = false
      await submitting
      await deployment.checkInvariants(new Set(accepted.keys()))
      const done = await deployment.number("select count(*) from jobs where status = 'done'")
      const summary = (
        await deployment.ask<{ n: number }>(
          `select count(*)::int as n from jobs where status = 'done' and id in ('${[...accepted.keys()].join("','")}')`,
        )
      )[0]!.n
      c.check(`${jobs} of ${jobs} done`, summary === jobs, summary)
      const attempts = (await deployment.ask<{ attempt: number }>("select attempt from job_stages")).map(
        (r) => r.attempt,
      )
      const unacknowledged = done - summary
      return `${summary} of ${jobs} accepted done, 0 lost${unacknowledged > 0 ? `, and ${unacknowledged} whose response was lost` : ""}; ${accepted.size} × 202, ${seen.refused} × 503, ${seen.unanswered} without a response and sent again, slowest response ${(seen.slowest / 1000).toFixed(1)} s; stages by attempts: ${histogram(attempts)}; the next job done after ${back.join(", ")}`
    } finally {
      await deployment.close()
    }
  },
}
