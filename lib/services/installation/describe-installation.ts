import type { ChoiceKind, EngineChoiceMade, Installation, QueueReport } from "../../domain/installation.ts"
import { STAGE_NAMES } from "../../domain/jobs/stages.ts"
import { API_VERSION } from "../../domain/schemas.ts"
import { packageVersion } from "../../platform/package-root.ts"
import type { Broker } from "../../queue/types.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import { type Deps, requireStore } from "../deps.ts"
import { describePendingChange, withPendingChange } from "../embedding/pending-change.ts"
import { listReceivers } from "./receivers.ts"

/** A worker without a heartbeat for this long counts as gone. */
export const WORKER_STALE_AFTER_MS = 30_000

/** Returns the chosen engines, the queues and the workers. @throws AppError `capability_missing`, `unavailable` */
export const describeInstallation = async (deps: Deps): Promise<Installation> => {
  const store = requireStore(deps)
  const loadChoice = async (kind: ChoiceKind): Promise<EngineChoiceMade | null> =>
    deps.engines.getChoice(kind).then(
      ({ value, reason, chosen_at }) => ({ value, reason, chosen_at: toIso(chosen_at) }),
      () => null,
    )
  const [provider, embedder, speech, stored, queues, workers, tables] = await Promise.all([
    loadChoice("provider"),
    loadChoice("embedder"),
    loadChoice("speech"),
    store.installation.listChoices(),
    deps.broker ? describeQueues({ store, broker: deps.broker }) : [],
    store.installation.listWorkers({ aliveWithinMs: WORKER_STALE_AFTER_MS }),
    store.retention.listTableSizes(),
  ])
  return {
    version: packageVersion(),
    api_version: API_VERSION,
    choices: {
      provider,
      embedder: embedder && { ...embedder, reason: withPendingChange(embedder.reason, stored) },
      speech,
    },
    embedder_change: describePendingChange(stored),
    receivers: listReceivers(deps.config, {
      ...(provider && { provider: provider.value }),
      ...(embedder && { embedder: embedder.value }),
      ...(speech && { speech: speech.value }),
    }),
    queues,
    workers: workers.map(({ id, host, version, stages, started_at, active_at }) => ({
      id,
      host,
      version,
      stages: [...stages],
      started_at: toIso(started_at),
      active_at: active_at === null ? null : toIso(active_at),
    })),
    tables,
  }
}

const toIso = (ms: number): string => new Date(ms).toISOString()

/**
 * Returns depth, age of the oldest message, consumers and last activity of every stage. The store knows the oldest waiting
 * stage, delayed ones included, and the live workers, which not every broker counts.
 * @throws AppError `unavailable` if the broker or the store does not respond
 */
export const describeQueues = async ({
  store,
  broker,
}: {
  store: Pick<Store, "stages" | "installation" | "now">
  broker: Pick<Broker, "stats" | "depth">
}): Promise<QueueReport[]> => {
  const [stats, depth, queuedSince, workers, now] = await Promise.all([
    broker.stats(),
    broker.depth(),
    store.stages.getQueuedSince(),
    store.installation.listWorkers({ aliveWithinMs: WORKER_STALE_AFTER_MS }),
    store.now(),
  ])
  const secondsSince = (time: number) => Math.max(0, Math.round((now - time) / 1000))
  return STAGE_NAMES.map((stage) => {
    const { waiting, consumers, oldestAt } = stats[stage]
    // The broker may hold a message for which the store has no queued stage. It does not know delayed messages.
    const oldest = queuedSince[stage] ?? (waiting > 0 ? oldestAt : undefined)
    const stageWorkers = workers.filter((worker) => worker.stages.includes(stage))
    const activity = stageWorkers.flatMap((worker) => worker.active_at ?? [])
    return {
      stage,
      depth: Math.max(waiting, depth[stage]),
      waiting,
      ...(oldest !== undefined && { oldest_s: secondsSince(oldest) }),
      consumers: consumers ?? stageWorkers.length,
      ...(activity.length > 0 && { active_s: secondsSince(Math.max(...activity)) }),
    }
  })
}

/** Formats a queue on one line: `l1 3 (oldest 40 s, 2 consumers, active 1 s ago)`. */
export const formatQueueLine = ({ stage, depth, oldest_s, consumers, active_s }: QueueReport): string => {
  const parts = [
    ...(oldest_s === undefined ? [] : [`oldest ${oldest_s} s`]),
    consumers === 1 ? "1 consumer" : `${consumers} consumers`,
    ...(active_s === undefined ? [] : [`active ${active_s} s ago`]),
  ]
  return `${stage} ${depth} (${parts.join(", ")})`
}

/** Returns true if there are no clips and no jobs. Always true without a database. */
export const isLibraryEmpty = async ({ store }: Pick<Deps, "store">): Promise<boolean> => {
  if (!store) return true
  const [{ clips }, { jobs }] = await Promise.all([store.clips.list({ limit: 1 }), store.jobs.list({ limit: 1 })])
  return clips.length + jobs.length === 0
}
