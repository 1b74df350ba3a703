import { setTimeout as pause } from "node:timers/promises"
import { messageOf } from "../lib/domain/errors.ts"
import type { StageName } from "../lib/domain/jobs/stages.ts"
import type { Logger } from "../lib/platform/logger.ts"
import { PublishError } from "../lib/queue/publish-error.ts"
import type { Broker } from "../lib/queue/types.ts"
import type { OutboxMessage, OutboxStore } from "../lib/storage/stores/ports/outbox.ts"
import { type RepeatedTask, repeat } from "./repeat.ts"

/** Polling finds deferred rows and those whose notification was missed. */
const POLL_MS = 500
const BATCH = 100
const LEASE = "relay"
const MAX_RELAY_LEASE_MS = 5_000
/** After this time the relay continues with other stages, because the queue of one does not answer. */
const SLOW_MS = 200
/** A broker that answers nothing for this long may be out of reach of this host only. */
const SILENCE_MS = 5_000
/** How long `stop` waits for messages that are being published. */
const STOP_MS = 1_000
/** The first and the longest delay after the queue of a stage has refused a message. It doubles each time. */
const STAGE_BACKOFF_MS = 500
const MAX_STAGE_BACKOFF_MS = 10_000

/** A stage whose queue refuses messages or is slow to confirm them. */
type Trouble = { failures: number; until: number }

/**
 * Publishes outbox rows and marks those that the broker has confirmed. A crash in between publishes a message twice, which is
 * harmless. Each stage is published on its own, so that a queue that refuses messages or does not answer delays no other. Every
 * worker runs a relay, but only the lease holder is active, and it renews the lease well before expiry. A relay that cannot
 * reach the broker, or gets no answer from it, releases the lease for a while, so that a worker on another host can take over.
 */
export const startRelay = (p: {
  readonly outbox: OutboxStore
  readonly broker: Pick<Broker, "publish">
  readonly owner: string
  /** The duration of stage leases. The relay's own lease is shorter, so that a dead relay does not delay recovery. */
  readonly leaseMs: number
  /** How long the broker may answer nothing until another relay may try. Default: 5 s. */
  readonly silenceMs?: number
  readonly log: Logger
}): { stop(): Promise<void> } => {
  const { outbox, broker, owner, silenceMs = SILENCE_MS, log } = p
  const ttlMs = Math.min(p.leaseMs / 2, MAX_RELAY_LEASE_MS)
  let active = false
  let nextRenewalAt = 0
  const busy = new Map<StageName, Promise<void>>()
  const troubles = new Map<StageName, Trouble>()
  /** The start of the first publication since the last answer of the broker. Null if there was none. */
  let silentSince: number | null = null

  const isActive = async (): Promise<boolean> => {
    // Monotonic, because the wall clock may be set back.
    const now = performance.now()
    if (now >= nextRenewalAt) {
      active = false
      active = await outbox.acquireLease({ name: LEASE, owner, ttlMs })
      nextRenewalAt = now + ttlMs / 3
    }
    return active
  }
  const release = async (): Promise<void> => {
    active = false
    silentSince = null
    nextRenewalAt = performance.now() + ttlMs
    await outbox.releaseLease({ name: LEASE, owner })
  }

  const recordFailure = (stage: StageName, failure: unknown): void => {
    const failures = (troubles.get(stage)?.failures ?? 0) + 1
    const delayMs = Math.min(MAX_STAGE_BACKOFF_MS, STAGE_BACKOFF_MS * 2 ** (failures - 1))
    troubles.set(stage, { failures, until: performance.now() + delayMs })
    if (failures === 1)
      log.warn({ stage, detail: messageOf(failure) }, "the queue of a stage accepts no messages; retrying")
  }
  const recordSuccess = (stage: StageName): void => {
    if (troubles.delete(stage)) log.info({ stage }, "the queue of a stage accepts messages again")
  }

  /** Publishes the messages of one stage and marks those that arrived. @throws AppError if the broker or the store does not answer */
  const publishStage = async (stage: StageName, messages: readonly OutboxMessage[]): Promise<void> => {
    let arrived = messages
    const startedAt = performance.now()
    silentSince ??= startedAt
    try {
      await broker.publish(messages)
      silentSince = null
      recordSuccess(stage)
    } catch (error) {
      if (!(error instanceof PublishError)) throw error
      // A refusal is an answer. A queue that does not confirm in time has given none.
      if (performance.now() - startedAt < silenceMs) silentSince = null
      arrived = messages.filter(({ id }) => !error.unconfirmed.has(id))
      recordFailure(stage, error)
    }
    if (arrived.length > 0) await outbox.markPublished(arrived.map(({ id }) => id))
  }

  /** Publishes one batch. Returns true if there may be more. */
  const publishBatch = async (): Promise<boolean> => {
    const now = performance.now()
    if (silentSince !== null && now - silentSince >= silenceMs) throw new Error("The broker does not answer.")
    const waiting = [...troubles].filter(([, { until }]) => until > now).map(([stage]) => stage)
    const due = await outbox.listDue(BATCH, { except: [...new Set([...busy.keys(), ...waiting])] })
    const stages = [...new Set(due.map(({ stage }) => stage))]
    const work = stages.map((stage) => {
      const messages = due.filter((message) => message.stage === stage)
      const publishing = publishStage(stage, troubles.has(stage) ? messages.slice(0, 1) : messages).finally(() =>
        busy.delete(stage),
      )
      busy.set(stage, publishing)
      // An error that comes after the others have continued comes again with the next batch.
      publishing.catch(() => undefined)
      return publishing
    })
    const timer = new AbortController()
    const slow = pause(SLOW_MS, undefined, { signal: timer.signal }).catch(() => undefined)
    await Promise.race([Promise.all(work), slow]).finally(() => timer.abort())
    return due.length === BATCH
  }
  const publishDue = async (): Promise<void> => {
    while (await isActive()) if (!(await publishBatch())) return
  }
  const publishOrRelease = async (): Promise<void> => {
    try {
      await publishDue()
    } catch (error) {
      await release()
      throw error
    }
  }

  const unwatch = outbox.watch(() => loop.runNow())
  const loop: RepeatedTask = repeat("relay", POLL_MS, log, publishOrRelease)
  return {
    stop: async () => {
      unwatch()
      await loop.stop()
      nextRenewalAt = 0
      await loop.finish()
      await Promise.race([Promise.allSettled(busy.values()), pause(STOP_MS, undefined, { ref: false })])
      await outbox.releaseLease({ name: LEASE, owner })
    },
  }
}
