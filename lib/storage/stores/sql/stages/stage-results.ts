import { eq } from "drizzle-orm"
import { MAX_CLIP_TITLE_CHARS } from "../../../../domain/constants.ts"
import { AppError } from "../../../../domain/errors.ts"
import type { WhisperOutput } from "../../../../domain/jobs/job-state.ts"
import { type JobProgress, topicSettings } from "../../../../domain/jobs/jobs.ts"
import { defaultTitle } from "../../../../domain/jobs/source.ts"
import { firstStage } from "../../../../domain/jobs/stage-graph.ts"
import { cleanName } from "../../../../domain/schemas.ts"
import type { Claim, StageFailure, StageResult } from "../../ports/stages.ts"
import { serializeTranscript, writeTranscript } from "../clips/transcripts.ts"
import { clipLockKey, jobLockKey, type SqlDatabase, type Transaction } from "../database.ts"
import { failJob } from "../jobs/fail-job.ts"
import { type JobRow, readStageRows, resultClipId, type StageRow, setJob, setStage } from "../jobs/job-rows.ts"
import { MAX_DELAY_MS } from "../outbox.ts"
import { PEOPLE_LOCK } from "../people/links.ts"
import { constant, lock, type Operation, run } from "../statements.ts"
import { requestAfterJob } from "../summaries/summaries.ts"
import { writeTopics } from "../topics/topics.ts"
import { recordJobEvent } from "../webhooks/events.ts"
import { clearProgress, loadHeldClaim, releaseClaim } from "./claims.ts"
import { enqueueStage } from "./enqueue.ts"
import { removeLiveWords } from "./live-words.ts"

type HeldStage = { readonly job: JobRow; readonly row: StageRow }

/**
 * Writes the result of a stage within the transaction that completes it. Returns the output to store with the stage.
 * `isRequeued` is true if the stage has to run again.
 */
type Effect = (
  tx: Transaction,
  held: HeldStage,
) => Operation<{ readonly output?: string; readonly isRequeued?: boolean }>

/**
 * Assigns a job to the clip that its source turned out to be, and requeues the stage. The first time uses no attempt. A
 * source that keeps changing uses up its attempts.
 */
function* changeClip(tx: Transaction, { job, row }: HeldStage, clipId: string): Operation<void> {
  const resultSessionId = clipId === job.sessionId ? null : clipId
  const isFirst = job.resultSessionId === null
  if (resultSessionId === job.resultSessionId || (!isFirst && row.tries >= row.maxAttempts)) {
    yield* failJob(
      tx,
      row,
      "The source changed while it was being read. Retry the job when the source no longer changes.",
    )
    return
  }
  yield* setJob(tx, job.id, { resultSessionId })
  yield* enqueueStage(tx, { ...job, resultSessionId }, row, tx.now, { tries: isFirst ? row.tries - 1 : row.tries })
}

/** Returns the title found in the recording if the job is only named after its address, else the title of the job. */
const resolveTitle = ({ source, title }: JobRow, output: Extract<WhisperOutput, { kind: "words" }>): string => {
  const isUnnamed =
    "url" in source && [cleanName(defaultTitle(source)).slice(0, MAX_CLIP_TITLE_CHARS), source.url].includes(title)
  return (isUnnamed && cleanName(output.about?.title ?? "").slice(0, MAX_CLIP_TITLE_CHARS)) || title
}

const prepareWhisperEffect = (output: WhisperOutput): Effect => {
  if (output.kind === "kept") return () => constant({})
  if (output.kind === "moved")
    return function* (tx, held) {
      yield* changeClip(tx, held, output.session_id)
      return { isRequeued: true }
    }
  const transcript = serializeTranscript(output)
  return function* (tx, { job }) {
    const { source } = job
    const clipId = resultClipId(job)
    const title = resolveTitle(job, output)
    if (title !== job.title) yield* setJob(tx, job.id, { title })
    const clip = {
      title,
      source_url: output.source_url ?? ("url" in source ? source.url : null),
      file_path: output.file_path ?? ("path" in source ? source.path : null),
    }
    yield* lock(clipLockKey(clipId))
    yield* lock(PEOPLE_LOCK)
    yield* writeTranscript(tx, clipId, clip, transcript)
    const { givenTranscripts } = tx.tables
    yield* run(tx.db.delete(givenTranscripts).where(eq(givenTranscripts.jobId, job.id)))
    return {}
  }
}

/** Serializes a result before the transaction, which must not hold the write lock for that long. */
const prepareEffect = (result: StageResult): Effect => {
  if (result.stage === "whisper") return prepareWhisperEffect(result.output)
  if (result.stage === "persist")
    return function* (tx, { job }) {
      const clipId = resultClipId(job)
      yield* lock(clipLockKey(clipId))
      const run = { runId: job.id, settings: topicSettings.parse(job.options) }
      if (!(yield* writeTopics(tx, clipId, result.output, run)))
        throw new AppError("not_found", `clip '${clipId}' was deleted while job '${job.id}' was running`)
      const { provider, llm_model, summaries } = job.options
      yield* requestAfterJob(tx, clipId, { provider, llm_model, summaries })
      return {}
    }
  const output = JSON.stringify(result.output)
  return () => constant({ output })
}

/** Enqueues the stages that can start once `done` is done, or marks the job as done after its last stage. */
function* enqueueSuccessors(tx: Transaction, job: JobRow, done: StageRow): Operation<void> {
  const rows = yield* readStageRows(tx, [job.id])
  const isDone = (stage: string) => rows.some((r) => r.stage === stage && r.state === "done")
  for (const row of rows.filter((r) => r.state === "pending")) {
    const canStart =
      row.joins.length > 0 ? row.joins.includes(done.stage) && row.joins.every(isDone) : done.next.includes(row.stage)
    if (canStart) yield* enqueueStage(tx, job, row, tx.now)
  }
  if (rows.every((r) => r.state === "done")) {
    yield* setJob(tx, job.id, { status: "done", progress: null, finishedAt: tx.now })
    yield* recordJobEvent(tx, "job.done", job.id)
  }
}

export const completeStage = async (database: SqlDatabase, claim: Claim, result: StageResult): Promise<boolean> => {
  if (result.stage !== claim.stage)
    throw new Error(`cannot complete a claim of stage ${claim.stage} with a result of stage ${result.stage}`)
  const writeEffect = prepareEffect(result)
  return database.write([jobLockKey(claim.jobId)], function* (tx) {
    const held = yield* loadHeldClaim(tx, claim)
    if (!held) {
      yield* releaseClaim(tx, claim)
      return false
    }
    yield* clearProgress(tx, claim)
    if (claim.stage === "whisper") yield* removeLiveWords(tx, claim.jobId)
    const { output, isRequeued } = yield* writeEffect(tx, held)
    if (isRequeued) return true
    const end = { owner: null, host: null, leaseUntil: null, endedAt: tx.now }
    yield* setStage(tx, held.row, { state: "done", output: output ?? null, ...end })
    yield* enqueueSuccessors(tx, held.job, held.row)
    return true
  })
}

/** Returns the progress to show for a job whose stage is deferred. */
const waitingProgress = ({ stage }: Claim, { detail }: StageFailure, until: number): JobProgress => ({
  stage,
  done: 0,
  total: 0,
  waiting: { reason: detail, until: new Date(until).toISOString() },
})

const describeDeferral = ({ stage }: StageRow, detail: string, limitMs: number): string => {
  const hours = Number((limitMs / 3_600_000).toPrecision(2))
  const kept = stage === firstStage ? "" : "The transcript is kept. "
  return (
    `The stage was deferred for longer than ${hours} ${hours === 1 ? "hour" : "hours"} (SERVICE_MAX_DEFER_HOURS). ` +
    `${kept}Remove the cause, then retry the job. The last reason: ${detail}`
  )
}

export const failStage = (
  database: SqlDatabase,
  claim: Claim,
  failure: StageFailure,
): Promise<"queued" | "error" | "fenced"> =>
  database.write([jobLockKey(claim.jobId)], function* (tx) {
    const held = yield* loadHeldClaim(tx, claim)
    if (!held) {
      yield* releaseClaim(tx, claim)
      return "fenced"
    }
    const { job, row } = held
    const retryAt = tx.now + Math.min(failure.retryInMs, MAX_DELAY_MS)
    yield* clearProgress(tx, claim)
    if (failure.kind === "later") {
      const isDeferred = failure.retryInMs > 0
      const deferredSince = isDeferred ? (row.deferredSince ?? tx.now) : row.deferredSince
      const { maxDeferMs } = failure
      if (isDeferred && maxDeferMs !== undefined && tx.now - (deferredSince ?? tx.now) >= maxDeferMs) {
        yield* failJob(tx, row, describeDeferral(row, failure.detail, maxDeferMs))
        return "error"
      }
      yield* enqueueStage(tx, job, row, retryAt, { tries: row.tries - 1, deferredSince })
      if (isDeferred) yield* setJob(tx, job.id, { progress: waitingProgress(claim, failure, retryAt) })
    } else if (failure.kind === "retry" && row.tries < row.maxAttempts) yield* enqueueStage(tx, job, row, retryAt)
    else {
      yield* failJob(tx, row, failure.detail)
      return "error"
    }
    return "queued"
  })
