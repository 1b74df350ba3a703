import { and, eq } from "drizzle-orm"
import { decideKeyedRequest, type KeyedRequest, type StoredResponse } from "../../../domain/idempotency.ts"
import { newId } from "../../../domain/ids.ts"
import type { KeyClaim, KeyClaimResult } from "../ports/idempotency.ts"
import type { SqlDatabase, Transaction } from "./database.ts"
import { get, run } from "./statements.ts"

const lockKeyOf = (key: string): string => `idempotency key ${key}`

export const claimKey = (
  database: SqlDatabase,
  request: KeyedRequest,
  { leaseMs }: { readonly leaseMs: number },
): Promise<KeyClaimResult> =>
  database.write([lockKeyOf(request.key)], function* ({ db, now, tables: { idempotencyKeys: keys } }) {
    const record = yield* get(db.select().from(keys).where(eq(keys.key, request.key)))
    const decision = decideKeyedRequest(record, request, now)
    if (decision.kind !== "run") return decision
    const { operationId, createdAt } = decision.repeats ?? { operationId: newId(), createdAt: now }
    const claim = { key: request.key, owner: newId() }
    const { fingerprint } = request
    const set = { fingerprint, operationId, createdAt, owner: claim.owner, leaseUntil: now + leaseMs, response: null }
    yield* run(
      db
        .insert(keys)
        .values({ key: request.key, ...set })
        .onConflictDoUpdate({ target: keys.key, set }),
    )
    return { kind: "run", claim, operationId }
  })

const isClaimed = ({ tables: { idempotencyKeys } }: Transaction, { key, owner }: KeyClaim) =>
  and(eq(idempotencyKeys.key, key), eq(idempotencyKeys.owner, owner))

type KeyColumns = Partial<Transaction["tables"]["idempotencyKeys"]["$inferInsert"]>

const setClaimed = async (
  database: SqlDatabase,
  claim: KeyClaim,
  columnsAt: (now: number) => KeyColumns,
): Promise<void> => {
  await database.write([lockKeyOf(claim.key)], (tx) =>
    run(tx.db.update(tx.tables.idempotencyKeys).set(columnsAt(tx.now)).where(isClaimed(tx, claim))),
  )
}

export const renewKey = (database: SqlDatabase, claim: KeyClaim, { leaseMs }: { readonly leaseMs: number }) =>
  setClaimed(database, claim, (now) => ({ leaseUntil: now + leaseMs }))

export const completeKey = (database: SqlDatabase, claim: KeyClaim, response: StoredResponse): Promise<void> =>
  setClaimed(database, claim, () => ({ response, owner: null }))

export const releaseKey = (database: SqlDatabase, claim: KeyClaim): Promise<void> =>
  setClaimed(database, claim, () => ({ owner: null }))
