import { eq } from "drizzle-orm"
import { AppError } from "../../../domain/errors.ts"
import type { WhisperOutput } from "../../../domain/jobs/job-state.ts"
import { type JobProgress, topicSettings } from "../../../domain/jobs/jobs.ts"
import { titleOf } from "../../../domain/jobs/source.ts"
import { plainName } from "../../../domain/schemas.ts"
import type { Claim, StageFailure, StageResult } from "../ports/stages.ts"
import { clearProgress, letGo, loadHeldClaim } from "./claims.ts"
import { prepareTranscript, writeTopics, writeTranscript } from "./clip-writes.ts"
import { type Context, clipLockKey, jobLockKey, type Tx } from "./context.ts"
import { enqueue } from "./enqueue.ts"
import { clipIdOf, failJob, type JobRow, type StageRow, setJob, setStage, stageRows } from "./job-rows.ts"
import { FAR_MS } from "./outbox.ts"
import { constant, lock, run, type Steps } from "./steps.ts"

type Held = { readonly job: JobRow; readonly row: StageRow }
/** What a finished stage leaves, in the transaction that ends it. `moved`: it is not finished after all. */
type Effect = (tx: Tx, held: Held) => Steps<{ readonly output?: string; readonly moved?: boolean }>

/**
 * The source is another recording: the stage runs again under its identity. Uncharged the first time; a source that
 * keeps changing uses up its attempts.
 */
function* move(tx: Tx, { job, row }: Held, to: string): Steps<void> {
  const resultSessionId = to === job.sessionId ? null : to
  const first = job.resultSessionId === null
  if (resultSessionId === job.resultSessionId || (!first && row.tries >= row.maxAttempts)) {
    yield* failJob(tx, row, "The source changed while it was read. Retry the job when nobody writes to it any more.")
    return
  }
  yield* setJob(tx, job.id, { resultSessionId })
  yield* enqueue(tx, { ...job, resultSessionId }, row, tx.at, { tries: first ? row.tries - 1 : row.tries })
}

const whisperEffect = (output: WhisperOutput): Effect => {
  if (output.kind === "kept") return () => constant({})
  if (output.kind === "moved")
    return function* (tx, held) {
      yield* move(tx, held, output.session_id)
      return { moved: true }
    }
  const transcript = prepareTranscript(output)
  return function* (tx, { job }) {
    const { source } = job
    // A job that was only named by its address takes the name that the recording, or its place, gives it.
    const unnamed = "url" in source && [plainName(titleOf(source)).slice(0, 500), source.url].includes(job.title)
    const found = unnamed ? plainName(output.about?.title ?? "").slice(0, 500) : ""
    const title = found || job.title
    if (title !== job.title) yield* setJob(tx, job.id, { title })
    const clip = {
      title,
      source_url: output.source_url ?? ("url" in source ? source.url : null),
      file_path: output.file_path ?? ("path" in source ? source.path : null),
    }
    yield* lock(clipLockKey(clipIdOf(job)))
    yield* writeTranscript(tx, clipIdOf(job), clip, transcript)
    const { givenTranscripts } = tx.t
    yield* run(tx.db.delete(givenTranscripts).where(eq(givenTranscripts.jobId, job.id)))
    return {}
  }
}

/** Serialises before the write lock is taken. */
const effectOf = (result: StageResult): Effect => {
  if (result.stage === "whisper") return whisperEffect(result.output)
  if (result.stage === "persist")
    return function* (tx, { job }) {
      const settings = topicSettings.parse(job.options)
      yield* lock(clipLockKey(clipIdOf(job)))
      if (!(yield* writeTopics(tx, clipIdOf(job), result.output, { runId: job.id, settings })))
        throw new AppError("not_found", `clip '${clipIdOf(job)}' was removed while job '${job.id}' ran`)
      return {}
    }
  const output = JSON.stringify(result.output)
  return () => constant({ output })
}

/** Queues what may start now that `done` is: its successors, and a join when this was the last it waited for. */
function* advance(tx: Tx, job: JobRow, done: StageRow): Steps<void> {
  const rows = yield* stageRows(tx, [job.id])
  const isDone = (stage: string) => rows.some((r) => r.stage === stage && r.state === "done")
  for (const row of rows.filter((r) => r.state === "pending")) {
    const follows =
      row.joins.length > 0 ? row.joins.includes(done.stage) && row.joins.every(isDone) : done.next.includes(row.stage)
    if (follows) yield* enqueue(tx, job, row, tx.at)
  }
  if (rows.every((r) => r.state === "done"))
    yield* setJob(tx, job.id, { status: "done", progress: null, finishedAt: tx.at })
}

export const completeStage = async (c: Context, claim: Claim, result: StageResult): Promise<boolean> => {
  if (result.stage !== claim.stage) throw new Error(`a result of ${result.stage} under a claim of ${claim.stage}`)
  const effect = effectOf(result)
  return c.write([jobLockKey(claim.jobId)], function* (tx) {
    const held = yield* loadHeldClaim(tx, claim)
    if (!held) {
      yield* letGo(tx, claim)
      return false
    }
    yield* clearProgress(tx, claim)
    const { output, moved } = yield* effect(tx, held)
    if (moved) return true
    const end = { owner: null, host: null, leaseUntil: null, endedAt: tx.at }
    yield* setStage(tx, held.row, { state: "done", output: output ?? null, ...end })
    yield* advance(tx, held.job, held.row)
    return true
  })
}

/** What is seen of a job whose stage is put off by somebody else's wish. */
const waitsFor = ({ stage }: Claim, { detail }: StageFailure, until: number): JobProgress => ({
  stage,
  done: 0,
  total: 0,
  waiting: { reason: detail, until: new Date(until).toISOString() },
})

export const failStage = (c: Context, claim: Claim, failure: StageFailure): Promise<"queued" | "error" | "fenced"> =>
  c.write([jobLockKey(claim.jobId)], function* (tx) {
    const held = yield* loadHeldClaim(tx, claim)
    if (!held) {
      yield* letGo(tx, claim)
      return "fenced"
    }
    const { job, row } = held
    const again = tx.at + Math.min(failure.retryInMs, FAR_MS)
    yield* clearProgress(tx, claim)
    if (failure.kind === "later") {
      yield* enqueue(tx, job, row, again, { tries: row.tries - 1 })
      if (failure.retryInMs > 0) yield* setJob(tx, job.id, { progress: waitsFor(claim, failure, again) })
    } else if (failure.kind === "retry" && row.tries < row.maxAttempts) yield* enqueue(tx, job, row, again)
    else {
      yield* failJob(tx, row, failure.detail)
      return "error"
    }
    return "queued"
  })
