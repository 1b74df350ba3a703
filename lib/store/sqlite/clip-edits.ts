import { and, asc, desc, eq, inArray, lt, or, sql } from "drizzle-orm"
import type { Clip, ClipList, ClipPatch, ClipsQuery } from "../../contracts/clips.ts"
import { clips, jobs, topics, vectors } from "../../db/schema/index.ts"
import { type Tx, withRead, withWrite } from "../../db/transact.ts"
import { AppError } from "../../errors.ts"
import type { DeletedClip } from "../types.ts"
import { chunks } from "./chunks.ts"
import { clipRows, toClip, toEntry } from "./clips.ts"
import type { Context } from "./context.ts"
import { decodeCursor, encodeCursor } from "./cursor.ts"
import { clipIdOf, isActive, type JobRow } from "./job-rows.ts"
import { raiseMapRevision } from "./map-revision.ts"

export const listClips = ({ handle }: Context, { limit, cursor }: ClipsQuery): ClipList => {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const { rows, flat } = withRead(handle, (tx) => {
    const rows = tx
      .select()
      .from(clips)
      .where(after && or(lt(clips.createdAt, after.at), and(eq(clips.createdAt, after.at), lt(clips.id, after.id))))
      .orderBy(desc(clips.createdAt), desc(clips.id))
      .limit(limit + 1)
      .all()
    const ids = rows.map((row) => row.id)
    return {
      rows,
      flat: tx.select().from(topics).where(inArray(topics.clipId, ids)).orderBy(asc(topics.ordinal)).all(),
    }
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

export const editClip = ({ handle }: Context, id: string, { title, speakers }: ClipPatch): Clip | null => {
  const found = withWrite(handle, (tx) => {
    const before = tx.select({ speakers: clips.speakers }).from(clips).where(eq(clips.id, id)).get()
    if (!before) return null
    const set = {
      ...(title !== undefined && { title }),
      ...(speakers && { speakers: withoutEmpty({ ...before.speakers, ...speakers }) }),
    }
    if (Object.keys(set).length > 0) {
      tx.update(clips).set(set).where(eq(clips.id, id)).run()
      raiseMapRevision(tx)
    }
    return clipRows(tx, id)
  })
  return found && toClip(found)
}

/** Jobs whose work goes into the clip, and those whose source was taken for it at submission. */
const jobsAt = (tx: Tx, id: string): JobRow[] =>
  tx
    .select()
    .from(jobs)
    .where(or(eq(jobs.sessionId, id), eq(jobs.resultSessionId, id)))
    .all()

/** Vectors are shared by equal texts: only those go that no other clip's topic has. */
const dropVectors = (tx: Tx, hashes: readonly string[]): void => {
  for (const part of chunks(hashes))
    tx.delete(vectors)
      .where(
        and(
          inArray(vectors.hash, part),
          sql`not exists (select 1 from ${topics} where ${topics.hash} = ${vectors.hash})`,
        ),
      )
      .run()
}

const uploadOf = ({ source }: Pick<JobRow, "source">): string[] => (source.kind === "upload" ? [source.path] : [])

export const deleteClip = ({ handle }: Context, id: string): DeletedClip | null =>
  withWrite(handle, (tx) => {
    if (!tx.select({ id: clips.id }).from(clips).where(eq(clips.id, id)).get()) return null
    const near = jobsAt(tx, id)
    const active = near.find(isActive)
    if (active)
      throw new AppError(
        "conflict",
        `job '${active.id}' is ${active.status}: cancel it or wait for its end before its clip '${id}' is deleted`,
      )
    const own = near.filter((job) => clipIdOf(job) === id)
    const hashes = tx.select({ hash: topics.hash }).from(topics).where(eq(topics.clipId, id)).all()
    for (const part of chunks(own.map((job) => job.id))) tx.delete(jobs).where(inArray(jobs.id, part)).run()
    tx.delete(clips).where(eq(clips.id, id)).run()
    dropVectors(tx, [...new Set(hashes.map((t) => t.hash))])
    raiseMapRevision(tx)
    const stillNamed = new Set(jobsAt(tx, id).flatMap(uploadOf))
    return { uploads: [...new Set(own.flatMap(uploadOf))].filter((path) => !stillNamed.has(path)) }
  })
