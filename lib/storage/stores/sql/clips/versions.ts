import { eq, sql } from "drizzle-orm"
import {
  type ClipPart,
  type ClipVersion,
  clipEtag,
  type IfMatch,
  requireUnchanged,
} from "../../../../domain/clip-version.ts"
import { AppError } from "../../../../domain/errors.ts"
import type { SqlDatabase, Transaction } from "../database.ts"
import { get, type Operation, run } from "../statements.ts"
import { recordClipUpdate } from "../webhooks/events.ts"

/** Returns the version of a clip, or null for an unknown clip. */
export function* readVersion(
  { db, tables: { clips, clipVersions } }: Transaction,
  clipId: string,
): Operation<ClipVersion | null> {
  const row = yield* get(
    db
      .select({ createdAt: clips.createdAt, version: clipVersions })
      .from(clips)
      .leftJoin(clipVersions, eq(clipVersions.clipId, clips.id))
      .where(eq(clips.id, clipId)),
  )
  if (!row) return null
  const { createdAt, version } = row
  return {
    createdAt,
    updatedAt: version?.updatedAt ?? createdAt,
    title: version?.title ?? 0,
    speakers: version?.speakers ?? 0,
    transcript: version?.transcript ?? 0,
    topics: version?.topics ?? 0,
    tags: version?.tags ?? 0,
  }
}

/** Returns the ETag of some parts of a clip that exists. */
export function* readEtag(tx: Transaction, clipId: string, parts?: readonly ClipPart[]): Operation<string> {
  return clipEtag((yield* readVersion(tx, clipId))!, parts)
}

export const getVersion = (database: SqlDatabase, clipId: string): Promise<ClipVersion | null> =>
  database.read((tx) => readVersion(tx, clipId))

/**
 * Checks in the transaction of a change that the parts which it concerns are those that the caller has read.
 * @throws AppError `precondition_failed`
 */
export function* checkVersion(
  tx: Transaction,
  clipId: string,
  ifMatch: IfMatch | undefined,
  parts: readonly ClipPart[],
): Operation<void> {
  if (ifMatch === undefined) return
  const version = yield* readVersion(tx, clipId)
  if (version) return requireUnchanged(version, ifMatch, parts)
  throw new AppError("precondition_failed", `clip '${clipId}' has no version yet that If-Match could name`)
}

/** Counts a change of some parts of a clip and records it for the webhooks, in the transaction of the change. */
export function* countChange(tx: Transaction, clipId: string, parts: readonly ClipPart[]): Operation<void> {
  const { db, now } = tx
  const { clipVersions } = tx.tables
  const first = Object.fromEntries(parts.map((part) => [part, 1]))
  const next = Object.fromEntries(parts.map((part) => [part, sql`${clipVersions[part]} + 1`]))
  yield* run(
    db
      .insert(clipVersions)
      .values({ clipId, ...first, updatedAt: now })
      .onConflictDoUpdate({ target: clipVersions.clipId, set: { ...next, updatedAt: now } }),
  )
  yield* recordClipUpdate(tx, clipId, parts)
}
