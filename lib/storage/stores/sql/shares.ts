import { count, desc, eq } from "drizzle-orm"
import { AppError } from "../../../domain/errors.ts"
import type { NewShare, StoredShare } from "../ports/shares.ts"
import type { SqlDatabase } from "./database.ts"
import { all, get, run } from "./statements.ts"

const MAX_SHARES_PER_CLIP = 100
/** More than anybody reads; older links are listed with their clip. */
const MAX_LISTED = 1000
const OPENED_INTERVAL_MS = 60_000
const SHARES_LOCK = "shares"

export const createShare = (database: SqlDatabase, share: NewShare): Promise<StoredShare | null> =>
  database.write([SHARES_LOCK], function* ({ db, now, tables: { clips, shares } }) {
    if (!(yield* get(db.select({ id: clips.id }).from(clips).where(eq(clips.id, share.clipId))))) return null
    const stored = (yield* get(db.select({ n: count() }).from(shares).where(eq(shares.clipId, share.clipId))))!.n
    if (stored >= MAX_SHARES_PER_CLIP)
      throw new AppError(
        "conflict",
        `The recording has ${stored} share links, the maximum. Revoke those that are not needed.`,
      )
    const row = { ...share, createdAt: now, lastOpenedAt: null }
    yield* run(db.insert(shares).values(row))
    return row
  })

export const listShares = (
  database: SqlDatabase,
  { clipId }: { readonly clipId?: string | undefined },
): Promise<StoredShare[]> =>
  database.read(({ db, tables: { shares } }) =>
    all(
      db
        .select()
        .from(shares)
        .where(clipId === undefined ? undefined : eq(shares.clipId, clipId))
        .orderBy(desc(shares.createdAt), desc(shares.id))
        .limit(MAX_LISTED),
    ),
  )

export const revokeShare = (database: SqlDatabase, id: string): Promise<boolean> =>
  database.write([SHARES_LOCK], function* ({ db, tables: { shares } }) {
    return (yield* run(db.delete(shares).where(eq(shares.id, id)))) > 0
  })

const readShare = (database: SqlDatabase, secret: string): Promise<{ share: StoredShare | undefined; now: number }> =>
  database.read(function* ({ db, now, tables: { shares } }) {
    return { share: yield* get(db.select().from(shares).where(eq(shares.secret, secret))), now }
  })

export const openShare = async (database: SqlDatabase, secret: string): Promise<StoredShare | null> => {
  const { share, now } = await readShare(database, secret)
  if (!share || (share.expiresAt !== null && share.expiresAt <= now)) return null
  if (share.lastOpenedAt !== null && now - share.lastOpenedAt < OPENED_INTERVAL_MS) return share
  return database.write([], function* ({ db, now: lastOpenedAt, tables: { shares } }) {
    const isOpened = yield* run(db.update(shares).set({ lastOpenedAt }).where(eq(shares.id, share.id)))
    return isOpened > 0 ? { ...share, lastOpenedAt } : null
  })
}
