import { and, asc, eq, inArray, or } from "drizzle-orm"
import { CLIP_PARTS, type IfMatch } from "../../../../domain/clip-version.ts"
import { AppError } from "../../../../domain/errors.ts"
import type { DeletedClip } from "../../ports/clips.ts"
import { clipLockKey, jobLockKey, type SqlDatabase, type Transaction } from "../database.ts"
import { isActive, type JobRow, resultClipId } from "../jobs/job-rows.ts"
import { incrementMapRevision } from "../map/map.ts"
import { deleteUnusedSpeech, listSpeechHashes } from "../map/speech.ts"
import { isUnusedVector } from "../map/unused.ts"
import { all, get, inBatches, lock, type Operation, run } from "../statements.ts"
import { recordClipDeletion } from "../webhooks/events.ts"
import { checkVersion } from "./versions.ts"

/** Lists the jobs that write to the clip, and those that were submitted for it before their source proved to be another. */
const listJobsOfClip = ({ db, tables: { jobs } }: Transaction, clipId: string): Operation<JobRow[]> =>
  all(
    db
      .select()
      .from(jobs)
      .where(or(eq(jobs.sessionId, clipId), eq(jobs.resultSessionId, clipId)))
      .orderBy(asc(jobs.id)),
  )

/** Deletes the vectors that no topic uses any more. Topics with equal text share them. */
function* deleteUnusedVectors(tx: Transaction, hashes: readonly string[]): Operation<void> {
  const { vectors } = tx.tables
  for (const batch of inBatches(hashes))
    yield* run(tx.db.delete(vectors).where(and(inArray(vectors.hash, batch), isUnusedVector(tx))))
}

const uploadPaths = ({ source }: Pick<JobRow, "source">): string[] => (source.kind === "upload" ? [source.path] : [])

export const deleteClip = (database: SqlDatabase, id: string, ifMatch?: IfMatch): Promise<DeletedClip | null> =>
  database.write([], function* (tx) {
    const { clips, jobs, topics } = tx.tables
    // Locks are taken in the order of a stage that completes, the job before its clip, to avoid deadlocks.
    for (const job of yield* listJobsOfClip(tx, id)) yield* lock(jobLockKey(job.id))
    yield* lock(clipLockKey(id))
    const clip = yield* get(tx.db.select({ title: clips.title }).from(clips).where(eq(clips.id, id)))
    const related = yield* listJobsOfClip(tx, id)
    const own = related.filter((job) => resultClipId(job) === id)
    // Without a transcript there is no clip, but there may be failed jobs and an uploaded file.
    if (!clip && own.length === 0) return null
    yield* checkVersion(tx, id, ifMatch, CLIP_PARTS)
    const active = related.find(isActive)
    if (active)
      throw new AppError(
        "conflict",
        `Couldn't delete clip '${id}': job '${active.id}' is ${active.status}. Cancel the job or wait until it ends.`,
      )
    const used = yield* all(tx.db.select({ hash: topics.hash }).from(topics).where(eq(topics.clipId, id)))
    const speech = yield* listSpeechHashes(tx, id)
    for (const batch of inBatches(own.map((job) => job.id)))
      yield* run(tx.db.delete(jobs).where(inArray(jobs.id, batch)))
    yield* run(tx.db.delete(clips).where(eq(clips.id, id)))
    yield* deleteUnusedVectors(tx, [...new Set([...used.map((topic) => topic.hash), ...speech])])
    yield* deleteUnusedSpeech(tx, speech)
    yield* incrementMapRevision(tx)
    if (clip) yield* recordClipDeletion(tx, id, clip.title)
    const referenced = new Set((yield* listJobsOfClip(tx, id)).flatMap(uploadPaths))
    return { uploads: [...new Set(own.flatMap(uploadPaths))].filter((path) => !referenced.has(path)) }
  })
