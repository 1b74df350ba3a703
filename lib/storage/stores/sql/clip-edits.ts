import { and, asc, desc, eq, inArray, lt, or, sql } from "drizzle-orm"
import type { Clip, ClipList, ClipPatch, ClipsQuery } from "../../../domain/clips.ts"
import { AppError } from "../../../domain/errors.ts"
import type { DeletedClip } from "../ports/clips.ts"
import { chunks } from "./chunks.ts"
import { clipRows, toClip, toEntry } from "./clips.ts"
import { type Context, clipLockKey, jobLockKey, type Tx } from "./context.ts"
import { decodeCursor, encodeCursor } from "./cursor.ts"
import { clipIdOf, isActive, type JobRow } from "./job-rows.ts"
import { raiseMapRevision } from "./map-revision.ts"
import { all, get, lock, run, type Steps } from "./steps.ts"

export const listClips = async (c: Context, { limit, cursor }: ClipsQuery): Promise<ClipList> => {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const { rows, flat } = await c.read(function* ({ db, t: { clips, topics } }) {
    const rows = yield* all(
      db
        .select()
        .from(clips)
        .where(after && or(lt(clips.createdAt, after.at), and(eq(clips.createdAt, after.at), lt(clips.id, after.id))))
        .orderBy(desc(clips.createdAt), desc(clips.id))
        .limit(limit + 1),
    )
    const ids = rows.map((row) => row.id)
    const flat = db.select().from(topics).where(inArray(topics.clipId, ids)).orderBy(asc(topics.ordinal))
    return { rows, flat: yield* all(flat) }
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const topicsOf = new Map<string, typeof flat>(page.map((row) => [row.id, []]))
  for (const topic of flat) topicsOf.get(topic.clipId)?.push(topic)
  return {
    clips: page.map((row) => toEntry(row, topicsOf.get(row.id)!)),
    ...(rows.length > limit && last && { next_cursor: encodeCursor({ at: last.createdAt, id: last.id }) }),
  }
}

const withoutEmpty = (names: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(names).filter(([, name]) => name !== ""))

export const editClip = async (c: Context, id: string, { title, speakers }: ClipPatch): Promise<Clip | null> => {
  const found = await c.write([clipLockKey(id)], function* (tx) {
    const { clips } = tx.t
    const before = yield* get(tx.db.select({ speakers: clips.speakers }).from(clips).where(eq(clips.id, id)))
    if (!before) return null
    const set = {
      ...(title !== undefined && { title }),
      ...(speakers && { speakers: withoutEmpty({ ...before.speakers, ...speakers }) }),
    }
    if (Object.keys(set).length > 0) {
      yield* run(tx.db.update(clips).set(set).where(eq(clips.id, id)))
      yield* raiseMapRevision(tx)
    }
    return yield* clipRows(tx, id)
  })
  return found && toClip(found)
}

/** Jobs whose work goes into the clip, and those whose source was taken for it at submission. */
const jobsAt = ({ db, t: { jobs } }: Tx, id: string): Steps<JobRow[]> =>
  all(
    db
      .select()
      .from(jobs)
      .where(or(eq(jobs.sessionId, id), eq(jobs.resultSessionId, id)))
      .orderBy(asc(jobs.id)),
  )

/** Vectors are shared by equal texts: only those go that no other clip's topic has. */
function* dropVectors({ db, t: { topics, vectors } }: Tx, hashes: readonly string[]): Steps<void> {
  const unused = sql`not exists (select 1 from ${topics} where ${topics.hash} = ${vectors.hash})`
  for (const part of chunks(hashes)) yield* run(db.delete(vectors).where(and(inArray(vectors.hash, part), unused)))
}

const uploadOf = ({ source }: Pick<JobRow, "source">): string[] => (source.kind === "upload" ? [source.path] : [])

export const deleteClip = (c: Context, id: string): Promise<DeletedClip | null> =>
  c.write([], function* (tx) {
    const { clips, jobs, topics } = tx.t
    // Jobs before their clip, as a stage that ends does.
    for (const job of yield* jobsAt(tx, id)) yield* lock(jobLockKey(job.id))
    yield* lock(clipLockKey(id))
    const clip = yield* get(tx.db.select({ id: clips.id }).from(clips).where(eq(clips.id, id)))
    const near = yield* jobsAt(tx, id)
    const own = near.filter((job) => clipIdOf(job) === id)
    // A recording that was never heard has no clip, but runs that failed, and the file that was sent.
    if (!clip && own.length === 0) return null
    const active = near.find(isActive)
    if (active)
      throw new AppError(
        "conflict",
        `job '${active.id}' is ${active.status}: cancel it or wait for its end before its clip '${id}' is deleted`,
      )
    const hashes = yield* all(tx.db.select({ hash: topics.hash }).from(topics).where(eq(topics.clipId, id)))
    for (const part of chunks(own.map((job) => job.id))) yield* run(tx.db.delete(jobs).where(inArray(jobs.id, part)))
    yield* run(tx.db.delete(clips).where(eq(clips.id, id)))
    yield* dropVectors(tx, [...new Set(hashes.map((t) => t.hash))])
    yield* raiseMapRevision(tx)
    const stillNamed = new Set((yield* jobsAt(tx, id)).flatMap(uploadOf))
    return { uploads: [...new Set(own.flatMap(uploadOf))].filter((path) => !stillNamed.has(path)) }
  })
