import { setTimeout as sleep } from "node:timers/promises"
import { messageOf } from "../../domain/errors.ts"
import { CHECKS, type Check, type Readiness } from "../../domain/health.ts"
import { STAGE_NAMES } from "../../domain/jobs/stages.ts"
import type { CapabilityGroup } from "../../platform/capabilities/packages.ts"
import { capabilityError } from "../../platform/capabilities/registry.ts"
import { verifyGroup } from "../../platform/capabilities/verify-group.ts"
import type { Broker } from "../../queue/types.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import type { Deps } from "../deps.ts"
import { describeQueues, queueLine, WORKER_STALE_AFTER_MS } from "./describe-queues.ts"

const CHECK_MS = 2000

/** Runs one check; one that fails or does not answer in time is down. Never throws, never hangs. */
const bounded = async (run: (signal: AbortSignal) => Promise<Check>): Promise<Check> => {
  const signal = AbortSignal.timeout(CHECK_MS)
  const late = new Promise<Check>((resolve) => {
    signal.addEventListener("abort", () => resolve({ state: "down", detail: `no answer within ${CHECK_MS / 1000} s` }))
  })
  const answer = run(signal).catch((error: unknown): Check => ({ state: "down", detail: messageOf(error) }))
  return Promise.race([answer, late])
}

const absent = (groups: Deps["groups"], needed: readonly CapabilityGroup[]): Check => {
  const group = needed.find((name) => groups[name].state !== "present") ?? needed[0]!
  return { state: "absent", detail: capabilityError(group, groups[group]).message }
}

const checkStore = async (store: Store): Promise<Check> => {
  await store.ping()
  return { state: "ok", picked: store.kind, ...(store.degradedReason && { detail: store.degradedReason }) }
}

/** The queue's own word, and beside it what lies in it, stage by stage. */
const checkBroker = async (broker: Broker, store: Store): Promise<Check> => {
  const { state, detail } = broker.health()
  if (state === "down") return { state, picked: broker.kind, ...(detail && { detail }) }
  const lines = (await describeQueues({ store, broker })).map(queueLine)
  return { state, picked: broker.kind, detail: [...(detail ? [detail] : []), ...lines].join("; ") }
}

/** A service that has just started waits for its workers so long: they need about a second. */
const WORKERS_MS = 1500
const LOOK_MS = 100

const checkWorker = async (store: Store, signal: AbortSignal): Promise<Check> => {
  for (const until = Date.now() + WORKERS_MS; ; await sleep(LOOK_MS, undefined, { signal })) {
    const found = await lookForWorkers(store)
    if (found.state === "ok" || Date.now() > until) return found
  }
}

const lookForWorkers = async (store: Store): Promise<Check> => {
  const workers = await store.installation.listWorkers({ aliveWithinMs: WORKER_STALE_AFTER_MS })
  const uncovered = STAGE_NAMES.filter((stage) => !workers.some((w) => w.stages.includes(stage)))
  if (uncovered.length === 0) return { state: "ok", detail: `${workers.length} running` }
  return { state: "down", detail: `no worker runs ${uncovered.join(", ")}; start one with: npx earmark worker` }
}

const checkBlobs = async ({ blobs }: Deps, signal: AbortSignal): Promise<Check> => {
  try {
    return { state: "ok", picked: blobs.kind, detail: await blobs.check(signal) }
  } catch (error) {
    return { state: "down", picked: blobs.kind, detail: messageOf(error) }
  }
}

const checkModels = async (deps: Deps, signal: AbortSignal): Promise<Check> => {
  const { value: picked } = await deps.engines.choice("provider")
  try {
    const topics = await deps.engines.topicsFor({ provider: "auto" })
    await topics.check(signal)
    return { state: "ok", picked }
  } catch (error) {
    return { state: "down", picked, detail: messageOf(error) }
  }
}

/** Another engine may do the work; that packages are there and do not load is to be known all the same. */
const brokenAudio = async ({ groups }: Deps): Promise<string | null> => {
  const proof = await verifyGroup("audio", groups.audio)
  return proof.state === "broken" ? capabilityError("audio", proof).message : null
}

const checkSpeech = async (deps: Deps): Promise<Check> => {
  const { value: picked } = await deps.engines.choice("speech")
  try {
    const probe = await (await deps.engines.speech.pick("auto")).probe()
    if (!probe.available) return { state: "down", picked, detail: probe.detail }
    const broken = await brokenAudio(deps)
    if (broken !== null) return { state: "degraded", picked, detail: `${probe.detail}; ${broken}` }
    return { state: "ok", picked, detail: probe.detail }
  } catch (error) {
    return { state: "down", picked, detail: messageOf(error) }
  }
}

/**
 * The parts without which no job goes on; the others only degrade the service. Storage is among the others: pages, search,
 * addresses and given words do without it, and a 503 would have a balancer take away every web process at once. That it is
 * down is told by the metric `earmark.part.ready`.
 */
const VITAL = ["store", "broker", "worker"] as const

const sum = (checks: Readiness["checks"]): Pick<Readiness, "status" | "detail"> => {
  const troubled = CHECKS.filter((name) => ["down", "degraded"].includes(checks[name].state))
  const detail = troubled.map((name) => `${name}: ${checks[name].detail ?? checks[name].state}`).join("; ")
  if (VITAL.some((name) => checks[name].state === "down")) return { status: "down", detail }
  return troubled.length > 0
    ? { status: "degraded", detail }
    : { status: "ok", detail: "every part that is installed works" }
}

/** The state of each part, asked now. Answers within about two seconds whatever hangs. */
export const getReadiness = async (deps: Deps): Promise<Readiness> => {
  const { store, broker, groups } = deps
  const [storeCheck, brokerCheck, models, speech, worker, blobs] = await Promise.all([
    store ? bounded(() => checkStore(store)) : absent(groups, ["rag"]),
    store && broker ? bounded(() => checkBroker(broker, store)) : absent(groups, ["rag", "broker"]),
    bounded((signal) => checkModels(deps, signal)),
    bounded(() => checkSpeech(deps)),
    store && broker ? bounded((signal) => checkWorker(store, signal)) : absent(groups, ["rag", "broker"]),
    bounded((signal) => checkBlobs(deps, signal)),
  ])
  const telemetry = deps.telemetry.state()
  const checks = { store: storeCheck, broker: brokerCheck, models, speech, worker, blobs, telemetry }
  return { ...sum(checks), checks }
}
