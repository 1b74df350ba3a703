import { and, eq, isNull, or } from "drizzle-orm"
import type { ClipPart } from "../../../../domain/clip-version.ts"
import { newId } from "../../../../domain/ids.ts"
import type { EventPayload } from "../../../../domain/webhooks.ts"
import type { Transaction } from "../database.ts"
import { readJobRow, readStageRows, resultClipId, toRecord } from "../jobs/job-rows.ts"
import { all, get, inBatches, type Operation, run } from "../statements.ts"

/** How long an event is sent until its delivery is given up. */
export const RETRY_FOR_MS = 86_400_000

/** Returns the IDs of the webhooks that are told about an event. Those of jobs are told about their own job only. */
function* listReceivers(
  { db, tables: { webhooks } }: Transaction,
  type: EventPayload["type"],
  jobId: string | null,
): Operation<string[]> {
  const isOfJob = jobId === null ? undefined : eq(webhooks.jobId, jobId)
  const rows = yield* all(
    db
      .select({ id: webhooks.id, events: webhooks.events })
      .from(webhooks)
      .where(and(isNull(webhooks.disabledAt), or(isNull(webhooks.jobId), isOfJob))),
  )
  return rows.filter(({ events }) => events.includes(type)).map(({ id }) => id)
}

function* insertDeliveries(
  tx: Transaction,
  receivers: readonly string[],
  clipId: string,
  payload: EventPayload,
): Operation<void> {
  const { now } = tx
  const rows = receivers.map((webhookId) => ({
    id: newId(),
    webhookId,
    type: payload.type,
    clipId,
    payload,
    state: "pending" as const,
    createdAt: now,
    nextAttemptAt: now,
    retryUntil: now + RETRY_FOR_MS,
  }))
  for (const batch of inBatches(rows)) yield* run(tx.db.insert(tx.tables.webhookDeliveries).values(batch))
}

const toTimestamp = ({ now }: Transaction): string => new Date(now).toISOString()

/** Records the end of a job for the webhooks, in the transaction that ends it. */
export function* recordJobEvent(tx: Transaction, type: "job.done" | "job.error", jobId: string): Operation<void> {
  const receivers = yield* listReceivers(tx, type, jobId)
  if (receivers.length === 0) return
  const job = (yield* readJobRow(tx, jobId))!
  const data = toRecord(job, yield* readStageRows(tx, [jobId]))
  yield* insertDeliveries(tx, receivers, resultClipId(job), { type, timestamp: toTimestamp(tx), data })
}

/** Records a change of a clip for the webhooks, in the transaction that makes it. */
export function* recordClipUpdate(tx: Transaction, clipId: string, changed: readonly ClipPart[]): Operation<void> {
  const type = "clip.updated"
  const receivers = yield* listReceivers(tx, type, null)
  if (receivers.length === 0) return
  const { clips } = tx.tables
  const columns = {
    id: clips.id,
    title: clips.title,
    source_url: clips.sourceUrl,
    duration_s: clips.durationS,
    language: clips.language,
    speakers: clips.speakers,
    createdAt: clips.createdAt,
  }
  const clip = yield* get(tx.db.select(columns).from(clips).where(eq(clips.id, clipId)))
  if (!clip) return
  const { createdAt, ...fields } = clip
  const data = { ...fields, created_at: new Date(createdAt).toISOString(), changed: [...changed] }
  yield* insertDeliveries(tx, receivers, clipId, { type, timestamp: toTimestamp(tx), data })
}

/** Records the deletion of a clip for the webhooks, in the transaction that deletes it. */
export function* recordClipDeletion(tx: Transaction, id: string, title: string): Operation<void> {
  const type = "clip.deleted"
  const receivers = yield* listReceivers(tx, type, null)
  yield* insertDeliveries(tx, receivers, id, { type, timestamp: toTimestamp(tx), data: { id, title } })
}
