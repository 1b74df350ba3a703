import { decideKeyedRequest, IDEMPOTENCY_KEY_LIFETIME_MS, type KeyRecord } from "../../../domain/idempotency.ts"
import { newId } from "../../../domain/ids.ts"
import type { IdempotencyStore, KeyClaim } from "../ports/idempotency.ts"

/** Creates a store of idempotency keys in memory, for a service without a database. */
export const createMemoryIdempotencyStore = (now: () => number = Date.now): IdempotencyStore => {
  /** Oldest first. */
  const records = new Map<string, KeyRecord>()
  const deleteExpired = (): void => {
    for (const [key, { createdAt, owner }] of records) {
      if (createdAt > now() - IDEMPOTENCY_KEY_LIFETIME_MS) return
      if (owner === null) records.delete(key)
    }
  }
  const update = async ({ key, owner }: KeyClaim, changes: Partial<KeyRecord>): Promise<void> => {
    const record = records.get(key)
    if (record?.owner === owner) records.set(key, { ...record, ...changes })
  }
  return {
    claim: async ({ key, fingerprint }, { leaseMs }) => {
      deleteExpired()
      const decision = decideKeyedRequest(records.get(key), { fingerprint }, now())
      if (decision.kind !== "run") return decision
      const { operationId, createdAt } = decision.repeats ?? { operationId: newId(), createdAt: now() }
      const claim = { key, owner: newId() }
      const leaseUntil = now() + leaseMs
      // A new operation moves to the end.
      if (decision.repeats === null) records.delete(key)
      records.set(key, { fingerprint, operationId, createdAt, owner: claim.owner, leaseUntil, response: null })
      return { kind: "run", claim, operationId }
    },
    renew: (claim, { leaseMs }) => update(claim, { leaseUntil: now() + leaseMs }),
    complete: (claim, response) => update(claim, { response, owner: null }),
    release: (claim) => update(claim, { owner: null }),
  }
}
