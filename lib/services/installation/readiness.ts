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
import { describeQueues, formatQueueLine, WORKER_STALE_AFTER_MS } from "./describe-installation.ts"

const CHECK_TIMEOUT_MS = 2000

/** Runs a check. Reports `down` if it fails or exceeds the time limit, and never throws. */
const runCheck = async (run: (signal: AbortSignal) => Promise<Check>): Promise<Check> => {
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS)
  const timeout = new Promise<Check>((resolve) => {
    signal.addEventListener("abort", () =>
      resolve({ state: "down", detail: `no answer within ${CHECK_TIMEOUT_MS / 1000} s` }),
    )
  })
  const answer = run(signal).catch((error: unknown): Check => ({ state: "down", detail: messageOf(error) }))
  return Promise.race([answer, timeout])
}

const describeAbsent = (groups: Deps["groups"], needed: readonly CapabilityGroup[]): Check => {
  const group = needed.find((name) => groups[name].state !== "present") ?? needed[0]!
  return { state: "absent", detail: capabilityError(group, groups[group]).message }
}

const checkStore = async (store: Store): Promise<Check> => {
  await store.ping()
  return { state: "ok", picked: store.kind, ...(store.degradedReason && { detail: store.degradedReason }) }
}

/** The relay publishes within a second. A message that waits longer than this shows that its queue does not take it. */
const UNPUBLISHED_AFTER_MS = 10_000

/** Names the stages whose messages cannot be published. The relay runs in a worker, so only the database knows. */
const describeUnpublished = async (store: Pick<Store, "outbox" | "now">): Promise<string[]> => {
  const [since, now] = await Promise.all([store.outbox.getDueSince(), store.now()])
  return STAGE_NAMES.flatMap((stage) => {
    const ageMs = now - (since[stage] ?? now)
    return ageMs < UNPUBLISHED_AFTER_MS
      ? []
      : [`messages of ${stage} have waited ${Math.round(ageMs / 1000)} s to be published; see the log of the workers`]
  })
}

/** Reports the health of the broker, and in the detail the queue of each stage. */
export const checkBroker = async (broker: Broker, store: Store): Promise<Check> => {
  const { state, detail } = broker.health()
  if (state === "down") return { state, picked: broker.kind, ...(detail && { detail }) }
  const unpublished = await describeUnpublished(store)
  const lines = (await describeQueues({ store, broker })).map(formatQueueLine)
  return {
    state: unpublished.length > 0 ? "degraded" : state,
    picked: broker.kind,
    detail: [...(detail ? [detail] : []), ...unpublished, ...lines].join("; "),
  }
}

/** Workers of a service that has just started need about a second. */
const WORKER_WAIT_MS = 1500
const WORKER_POLL_INTERVAL_MS = 100

const checkWorker = async (store: Store, signal: AbortSignal): Promise<Check> => {
  for (const until = Date.now() + WORKER_WAIT_MS; ; await sleep(WORKER_POLL_INTERVAL_MS, undefined, { signal })) {
    const check = await checkLiveWorkers(store)
    if (check.state === "ok" || Date.now() > until) return check
  }
}

const checkLiveWorkers = async (store: Store): Promise<Check> => {
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
  const { value: picked } = await deps.engines.getChoice("provider")
  try {
    const topics = await deps.engines.getTopicModel({ provider: "auto" })
    await topics.check(signal)
    return { state: "ok", picked }
  } catch (error) {
    return { state: "down", picked, detail: messageOf(error) }
  }
}

/** Returns why the packages of group `audio` do not load, or null. Reported even if another engine is used. */
const findBrokenAudio = async ({ groups }: Deps): Promise<string | null> => {
  const verified = await verifyGroup("audio", groups.audio)
  return verified.state === "broken" ? capabilityError("audio", verified).message : null
}

const checkSpeech = async (deps: Deps): Promise<Check> => {
  const { value: picked } = await deps.engines.getChoice("speech")
  try {
    const probe = await (await deps.engines.speech.pick("auto")).probe()
    if (!probe.available) return { state: "down", picked, detail: probe.detail }
    const broken = await findBrokenAudio(deps)
    if (broken !== null) return { state: "degraded", picked, detail: `${probe.detail}; ${broken}` }
    return { state: "ok", picked, detail: probe.detail }
  } catch (error) {
    return { state: "down", picked, detail: messageOf(error) }
  }
}

/**
 * The parts without which no job can run. Any other part only degrades the service. Blob storage is not essential: pages,
 * search, URLs and supplied transcripts work without it, and a 503 would make a load balancer remove every web process at the
 * same time. The metric `earmark.part.ready` reports when it is down.
 */
const ESSENTIAL = ["store", "broker", "worker"] as const

const summarize = (checks: Readiness["checks"]): Pick<Readiness, "status" | "detail"> => {
  const impaired = CHECKS.filter((name) => ["down", "degraded"].includes(checks[name].state))
  const detail = impaired.map((name) => `${name}: ${checks[name].detail ?? checks[name].state}`).join("; ")
  if (ESSENTIAL.some((name) => checks[name].state === "down")) return { status: "down", detail }
  return impaired.length > 0 ? { status: "degraded", detail } : { status: "ok", detail: "all installed parts work" }
}

/** Checks every part concurrently. Returns within about two seconds, even if a part hangs. */
export const getReadiness = async (deps: Deps): Promise<Readiness> => {
  const { store, broker, groups } = deps
  const [storeCheck, brokerCheck, models, speech, worker, blobs] = await Promise.all([
    store ? runCheck(() => checkStore(store)) : describeAbsent(groups, ["rag"]),
    store && broker ? runCheck(() => checkBroker(broker, store)) : describeAbsent(groups, ["rag", "broker"]),
    runCheck((signal) => checkModels(deps, signal)),
    runCheck(() => checkSpeech(deps)),
    store && broker ? runCheck((signal) => checkWorker(store, signal)) : describeAbsent(groups, ["rag", "broker"]),
    runCheck((signal) => checkBlobs(deps, signal)),
  ])
  const telemetry = deps.telemetry.state()
  const checks = { store: storeCheck, broker: brokerCheck, models, speech, worker, blobs, telemetry }
  return { ...summarize(checks), checks }
}
