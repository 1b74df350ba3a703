import { and, asc, count, desc, eq, gt, inArray, isNull, lte, or } from "drizzle-orm"
import { AppError } from "../../../domain/errors.ts"
import type { Credentials, NewToken, StoredSession, StoredToken } from "../ports/tokens.ts"
import type { SqlDatabase, Transaction } from "./database.ts"
import { all, get, type Operation, run } from "./statements.ts"

/** Requests are checked against all tokens and sessions in memory, so their number is limited. */
export const MAX_TOKENS = 500
export const MAX_SESSIONS = 1000
const USE_INTERVAL_MS = 60_000

const TOKENS_LOCK = "api tokens"

const listTokenRows = ({ db, tables: { apiTokens } }: Transaction): Operation<StoredToken[]> =>
  all(db.select().from(apiTokens).orderBy(asc(apiTokens.createdAt), asc(apiTokens.id)))

export const createToken = (database: SqlDatabase, token: NewToken): Promise<StoredToken> =>
  database.write([TOKENS_LOCK], function* ({ db, now, tables: { apiTokens } }) {
    const stored = (yield* get(db.select({ n: count() }).from(apiTokens)))?.n ?? 0
    if (stored >= MAX_TOKENS)
      throw new AppError("conflict", `There are ${stored} tokens, the maximum. Revoke those that are no longer used.`)
    const row = { ...token, createdAt: now, lastUsedAt: null }
    yield* run(db.insert(apiTokens).values(row))
    return row
  })

export const listTokens = (database: SqlDatabase): Promise<StoredToken[]> => database.read(listTokenRows)

export const revokeToken = (database: SqlDatabase, id: string): Promise<boolean> =>
  database.write([TOKENS_LOCK], function* ({ db, tables: { apiTokens } }) {
    return (yield* run(db.delete(apiTokens).where(eq(apiTokens.id, id)))) > 0
  })

export const recordTokenUse = (database: SqlDatabase, id: string): Promise<void> =>
  database.write([], function* ({ db, now, tables: { apiTokens } }) {
    const isDue = or(isNull(apiTokens.lastUsedAt), lte(apiTokens.lastUsedAt, now - USE_INTERVAL_MS))
    yield* run(
      db
        .update(apiTokens)
        .set({ lastUsedAt: now })
        .where(and(eq(apiTokens.id, id), isDue)),
    )
  })

export const getCredentials = (database: SqlDatabase): Promise<Credentials> =>
  database.read(function* (tx) {
    const { tokenSessions } = tx.tables
    const tokens = yield* listTokenRows(tx)
    const sessions = yield* all(tx.db.select().from(tokenSessions).where(gt(tokenSessions.expiresAt, tx.now)))
    return { tokens, sessions }
  })

export const openSession = (database: SqlDatabase, session: StoredSession): Promise<boolean> =>
  database.write([TOKENS_LOCK], function* ({ db, now, tables: { apiTokens, tokenSessions } }) {
    const token = db.select({ id: apiTokens.id }).from(apiTokens).where(eq(apiTokens.id, session.tokenId))
    if (!(yield* get(token))) return false
    yield* run(db.delete(tokenSessions).where(lte(tokenSessions.expiresAt, now)))
    const surplus = db
      .select({ hash: tokenSessions.hash })
      .from(tokenSessions)
      .orderBy(desc(tokenSessions.expiresAt))
      .limit(MAX_SESSIONS)
      .offset(MAX_SESSIONS - 1)
    const hashes = (yield* all(surplus)).map(({ hash }) => hash)
    if (hashes.length > 0) yield* run(db.delete(tokenSessions).where(inArray(tokenSessions.hash, hashes)))
    yield* run(db.insert(tokenSessions).values(session))
    return true
  })

export const closeSession = (database: SqlDatabase, hash: string): Promise<void> =>
  database.write([], function* ({ db, tables: { tokenSessions } }) {
    yield* run(db.delete(tokenSessions).where(eq(tokenSessions.hash, hash)))
  })
