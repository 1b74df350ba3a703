/** How long a key is kept after the first request that used it. */
export const IDEMPOTENCY_KEY_LIFETIME_MS = 24 * 3_600_000

/** A request with an idempotency key. Equal requests, and only these, have the same fingerprint. */
export type KeyedRequest = { readonly key: string; readonly fingerprint: string }

/** The response to a request, as later requests with the same key receive it. */
export type StoredResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What is stored about a key. */
export type KeyRecord = {
  readonly fingerprint: string
  /** Identifies what the request does. A request that repeats one without a stored response has the same ID. */
  readonly operationId: string
  /** Identifies the request that runs; null if none does. */
  readonly owner: string | null
  /** Until this time the owner may still be working. */
  readonly leaseUntil: number
  /** The response of the request that succeeded. */
  readonly response: StoredResponse | null
  /** The time of the first request, in Unix milliseconds. */
  readonly createdAt: number
}

/** What to do with a request that has a key. */
export type KeyDecision =
  /** Run it, as a new operation or as a repetition of the one in `repeats`, whose outcome is unknown. */
  | { readonly kind: "run"; readonly repeats: KeyRecord | null }
  | { readonly kind: "replay"; readonly response: StoredResponse }
  /** Reject it, because a request with the key is still running. */
  | { readonly kind: "running" }
  /** Reject it, because the key belongs to another request. */
  | { readonly kind: "reused" }

/** Decides what to do with a request whose key has this record. */
export const decideKeyedRequest = (
  record: KeyRecord | undefined,
  { fingerprint }: Pick<KeyedRequest, "fingerprint">,
  now: number,
): KeyDecision => {
  if (!record) return { kind: "run", repeats: null }
  const { owner, leaseUntil, response, createdAt } = record
  if (owner !== null && leaseUntil > now) return { kind: "running" }
  if (createdAt <= now - IDEMPOTENCY_KEY_LIFETIME_MS) return { kind: "run", repeats: null }
  if (record.fingerprint === fingerprint)
    return response ? { kind: "replay", response } : { kind: "run", repeats: record }
  const hasFailed = owner === null && response === null
  return hasFailed ? { kind: "run", repeats: null } : { kind: "reused" }
}
