import { and, asc, desc, eq, gt, ne } from "drizzle-orm"
import { type LiveWord, type LiveWords, MAX_LIVE_BATCHES } from "../../../../domain/jobs/live-words.ts"
import type { Claim } from "../../ports/stages.ts"
import { jobLockKey, type SqlDatabase, type Transaction } from "../database.ts"
import { all, get, type Operation, run } from "../statements.ts"
import { loadHeldClaim } from "./claims.ts"

/** Appends a batch. The first one removes the words of earlier attempts. */
export const addLiveWords = (
  database: SqlDatabase,
  claim: Claim,
  batch: number,
  words: readonly LiveWord[],
): Promise<void> =>
  database.write([jobLockKey(claim.jobId)], function* (tx) {
    if (!(yield* loadHeldClaim(tx, claim))) return
    const { liveWords } = tx.tables
    const { jobId, attempt } = claim
    if (batch === 1)
      yield* run(tx.db.delete(liveWords).where(and(eq(liveWords.jobId, jobId), ne(liveWords.attempt, attempt))))
    yield* run(tx.db.insert(liveWords).values({ jobId, attempt, batch, words }).onConflictDoNothing())
  })

export const removeLiveWords = ({ db, tables: { liveWords } }: Transaction, jobId: string): Operation<number> =>
  run(db.delete(liveWords).where(eq(liveWords.jobId, jobId)))

export const listLiveWords = (database: SqlDatabase, jobId: string, after: string): Promise<LiveWords> =>
  database.read(function* ({ db, tables: { liveWords } }) {
    const [attemptRead = 0, batchRead = 0] = after === "" ? [] : after.split("-").map(Number)
    const newest = yield* get(
      db
        .select({ attempt: liveWords.attempt })
        .from(liveWords)
        .where(eq(liveWords.jobId, jobId))
        .orderBy(desc(liveWords.attempt))
        .limit(1),
    )
    if (!newest) return { words: [], next: after, restarted: false }
    const { attempt } = newest
    const restarted = attempt !== attemptRead
    const rows = yield* all(
      db
        .select({ batch: liveWords.batch, words: liveWords.words })
        .from(liveWords)
        .where(
          and(
            eq(liveWords.jobId, jobId),
            eq(liveWords.attempt, attempt),
            gt(liveWords.batch, restarted ? 0 : batchRead),
          ),
        )
        .orderBy(asc(liveWords.batch))
        .limit(MAX_LIVE_BATCHES),
    )
    const last = rows.at(-1)?.batch ?? batchRead
    return { words: rows.flatMap((row) => row.words), next: `${attempt}-${last}`, restarted: restarted && after !== "" }
  })
