import { setTimeout as sleep } from "node:timers/promises"
import { type Direction, openFaultyLink } from "../../fixtures/faulty-link.ts"
import { type Deployment, withDeployment } from "./deployment.ts"
import type { ScenarioContext } from "./scenario.ts"

/** A server that a worker reaches over a network. */
type Peer = "store" | "broker"

const SETTINGS = { CHAOS_WAIT_MS: "300", SERVICE_LEASE_S: "4", SERVICE_SWEEP_S: "0.5" }
const SUBMIT_INTERVAL_MS = 400
/** Longer than a worker waits for an answer of the store (30 s) or for the broker's heartbeat. */
const CUT_MS = 40_000
const MAX_RETURN_MS = 60_000
const SETTING_OF = { store: "SERVICE_DATABASE_URL", broker: "SERVICE_BROKER_URL" } as const

const openLinks = async (deployment: Deployment, peers: readonly Peer[]) => {
  const named = peers.map((peer) => SETTING_OF[peer])
  const links = await Promise.all(named.map((name) => openFaultyLink(deployment.settings[name]!)))
  return { links, env: Object.fromEntries(named.map((name, i) => [name, links[i]!.url])) }
}

/** Submits jobs at intervals until `signal` is aborted. */
const submitUntil = async (deployment: Deployment, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    await deployment.submitJob()
    await sleep(SUBMIT_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
  }
}

/**
 * Cuts directions of the links between one of two workers and some of its servers, several times, while jobs run. All jobs must
 * be done, the other worker must continue during the cuts, and the cut worker must work again after each.
 */
export const runWithCutOffWorker = (
  c: ScenarioContext,
  { peers, directions }: { readonly peers: readonly Peer[]; readonly directions: readonly Direction[] },
): Promise<string> =>
  withDeployment(c, SETTINGS, async (deployment) => {
    const { links, env } = await openLinks(deployment, peers)
    try {
      const worker = await deployment.worker(null, env)
      await deployment.worker()
      const submitting = new AbortController()
      const submitted = submitUntil(deployment, submitting.signal)
      const countDone = () => deployment.countJobs("done")
      const startsAfter = (at: number) =>
        worker.lines.filter(({ msg, time }) => msg === "stage started" && Date.parse(time) > at)
      const [during, returns]: [number[], number[]] = [[], []]
      for (let cut = 0; cut < c.size(3, 1); cut++) {
        await sleep(3_000)
        const before = await countDone()
        for (const link of links) link.cut(...directions)
        await sleep(c.size(CUT_MS, 6_000))
        during.push((await countDone()) - before)
        for (const link of links) link.heal()
        const healedAt = Date.now()
        while (startsAfter(healedAt).length === 0 && Date.now() - healedAt < MAX_RETURN_MS) await sleep(50)
        returns.push(Date.now() - healedAt)
      }
      submitting.abort()
      await submitted
      await deployment.waitUntilEnded()
      c.check("jobs are done during each cut", Math.min(...during) > 0, during.join())
      const slowest = Math.max(...returns)
      c.check(`the worker works again within ${MAX_RETURN_MS / 1000} s`, slowest < MAX_RETURN_MS, slowest)
      const [done, all] = [await countDone(), deployment.accepted.size]
      c.check("all jobs are done", done === all, `${done} of ${all}`)
      await deployment.checkInvariants()
      const restarted = (await deployment.attempts()).filter((n) => n > 1).length
      const seconds = (ms: number) => (ms / 1000).toFixed(1)
      return `${done} of ${all} done, ${during.join(", ")} of them during the cuts of ${seconds(c.size(CUT_MS, 6_000))} s; the worker works again ${returns.map(seconds).join(", ")} s after each; ${restarted} stages restarted`
    } finally {
      for (const link of links) await link.close()
    }
  })
