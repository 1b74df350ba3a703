import { STAGE_NAMES, type StageName } from "../../domain/jobs/stages.ts"
import type { Broker } from "../../queue/types.ts"
import type { Store } from "../../storage/stores/ports/store.ts"

/** A worker that was not heard of for longer is gone. */
export const WORKER_STALE_AFTER_MS = 30_000

/** One stage's queue; times in seconds before now. */
export type QueueReport = {
  readonly stage: StageName
  /** Messages that wait or are in hand, and of these the ones that wait. */
  readonly depth: number
  readonly waiting: number
  readonly oldest_s?: number
  readonly consumers: number
  /** When a worker that takes this stage last began or ended one of its stages. */
  readonly active_s?: number
}

/**
 * Depth, oldest message, consumers and last activity of every stage. The oldest job that waits, put off or not,
 * is known to the store, and so are the workers that live where the broker does not count them.
 * @throws AppError `unavailable` when broker or store does not answer
 */
export const describeQueues = async ({
  store,
  broker,
}: {
  store: Pick<Store, "stages" | "installation" | "now">
  broker: Pick<Broker, "stats" | "depth">
}): Promise<QueueReport[]> => {
  const [stats, depth, queued, workers, now] = await Promise.all([
    broker.stats(),
    broker.depth(),
    store.stages.getQueuedSince(),
    store.installation.listWorkers({ aliveWithinMs: WORKER_STALE_AFTER_MS }),
    store.now(),
  ])
  const before = (at: number) => Math.max(0, Math.round((now - at) / 1000))
  return STAGE_NAMES.map((stage) => {
    const { waiting, consumers, oldestAt } = stats[stage]
    // The broker's word for a message that the store no longer waits for; what is put off it does not know.
    const since = queued[stage] ?? (waiting > 0 ? oldestAt : undefined)
    const own = workers.filter((w) => w.stages.includes(stage))
    const activity = own.flatMap((w) => w.active_at ?? [])
    return {
      stage,
      depth: Math.max(waiting, depth[stage]),
      waiting,
      ...(since !== undefined && { oldest_s: before(since) }),
      consumers: consumers ?? own.length,
      ...(activity.length > 0 && { active_s: before(Math.max(...activity)) }),
    }
  })
}

/** One line for people: `l1 3 (oldest 40 s, 2 consumers, active 1 s ago)`. */
export const queueLine = ({ stage, depth, oldest_s, consumers, active_s }: QueueReport): string => {
  const parts = [
    ...(oldest_s === undefined ? [] : [`oldest ${oldest_s} s`]),
    consumers === 1 ? "1 consumer" : `${consumers} consumers`,
    ...(active_s === undefined ? [] : [`active ${active_s} s ago`]),
  ]
  return `${stage} ${depth} (${parts.join(", ")})`
}
