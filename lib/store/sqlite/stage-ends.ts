import { eq } from "drizzle-orm"
import { topicSettings } from "../../contracts/jobs.ts"
import type { WhisperOutput } from "../../contracts/state.ts"
import { givenTranscripts, jobs } from "../../db/schema/index.ts"
import { type Tx, withWrite } from "../../db/transact.ts"
import { AppError } from "../../errors.ts"
import type { Claim, StageFailure, StageResult } from "../types.ts"
import { clearProgress, holding, letGo } from "./claims.ts"
import { prepareTranscript, writeTopics, writeTranscript } from "./clip-writes.ts"
import type { Context } from "./context.ts"
import { enqueue } from "./enqueue.ts"
import { clipIdOf, failJob, type JobRow, type StageRow, setStage, stageRows } from "./job-rows.ts"

type Held = { readonly job: JobRow; readonly row: StageRow }
/** What a finished stage leaves, in the transaction that ends it. `moved`: it is not finished after all. */
type Effect = (tx: Tx, held: Held, at: number) => { readonly output?: string; readonly moved?: boolean }

/**
 * The source is another recording: the stage runs again under its identity. Uncharged the first time; a source that
 * keeps changing uses up its attempts.
 */
const move = (tx: Tx, { job, row }: Held, at: number, to: string): void => {
  const resultSessionId = to === job.sessionId ? null : to
  const first = job.resultSessionId === null
  if (resultSessionId === job.resultSessionId || (!first && row.tries >= row.maxAttempts)) {
    failJob(tx, row, "The source changed while it was read. Retry the job when nobody writes to it any more.", at)
    return
  }
  tx.update(jobs).set({ resultSessionId }).where(eq(jobs.id, job.id)).run()
  enqueue(tx, { ...job, resultSessionId }, row, at, { tries: first ? row.tries - 1 : row.tries })
}

const whisperEffect = (output: WhisperOutput): Effect => {
  if (output.kind === "kept") return () => ({})
  if (output.kind === "moved")
    return (tx, held, at) => {
      move(tx, held, at, output.session_id)
      return { moved: true }
    }
  const transcript = prepareTranscript(output)
  return (tx, { job }, at) => {
    const { source } = job
    const clip = {
      title: job.title,
      source_url: "url" in source ? source.url : null,
      file_path: output.file_path ?? ("path" in source ? source.path : null),
    }
    writeTranscript(tx, clipIdOf(job), clip, transcript, at)
    tx.delete(givenTranscripts).where(eq(givenTranscripts.jobId, job.id)).run()
    return {}
  }
}

/** Serialises before the write lock is taken. */
const effectOf = (result: StageResult): Effect => {
  if (result.stage === "whisper") return whisperEffect(result.output)
  if (result.stage === "persist") {
    return (tx, { job }, at) => {
      const settings = topicSettings.parse(job.options)
      if (!writeTopics(tx, clipIdOf(job), result.output, { runId: job.id, at, settings }))
        throw new AppError("not_found", `clip '${clipIdOf(job)}' was removed while job '${job.id}' ran`)
      return {}
    }
  }
  const output = JSON.stringify(result.output)
  return () => ({ output })
}

/** Queues what may start now that `done` is: its successors, and a join when this was the last it waited for. */
const advance = (tx: Tx, job: JobRow, done: StageRow, at: number): void => {
  const rows = stageRows(tx, [job.id])
  const isDone = (stage: string) => rows.some((r) => r.stage === stage && r.state === "done")
  for (const row of rows.filter((r) => r.state === "pending")) {
    const follows =
      row.joins.length > 0 ? row.joins.includes(done.stage) && row.joins.every(isDone) : done.next.includes(row.stage)
    if (follows) enqueue(tx, job, row, at)
  }
  if (rows.every((r) => r.state === "done"))
    tx.update(jobs).set({ status: "done", progress: null, finishedAt: at }).where(eq(jobs.id, job.id)).run()
}

export const completeStage = ({ handle, now }: Context, claim: Claim, result: StageResult): boolean => {
  if (result.stage !== claim.stage) throw new Error(`a result of ${result.stage} under a claim of ${claim.stage}`)
  const effect = effectOf(result)
  return withWrite(handle, (tx) => {
    const held = holding(tx, claim)
    if (!held) {
      letGo(tx, claim)
      return false
    }
    const at = now()
    clearProgress(tx, claim)
    const { output, moved } = effect(tx, held, at)
    if (moved) return true
    const end = { owner: null, host: null, leaseUntil: null, endedAt: at }
    setStage(tx, held.row, { state: "done", output: output ?? null, ...end })
    advance(tx, held.job, held.row, at)
    return true
  })
}

export const failStage = (
  { handle, now }: Context,
  claim: Claim,
  failure: StageFailure,
): "queued" | "error" | "fenced" =>
  withWrite(handle, (tx) => {
    const held = holding(tx, claim)
    if (!held) {
      letGo(tx, claim)
      return "fenced"
    }
    const { job, row } = held
    const at = now()
    clearProgress(tx, claim)
    if (failure.kind === "later") enqueue(tx, job, row, at + failure.retryInMs, { tries: row.tries - 1 })
    else if (failure.kind === "retry" && row.tries < row.maxAttempts) enqueue(tx, job, row, at + failure.retryInMs)
    else {
      failJob(tx, row, failure.detail, at)
      return "error"
    }
    return "queued"
  })
