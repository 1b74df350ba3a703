import type { KeyedRequest, StoredResponse } from "../../../domain/idempotency.ts"

/** The right to run a request with a key, until the lease ends. */
export type KeyClaim = { readonly key: string; readonly owner: string }

export type KeyClaimResult =
  /** The caller runs the request. `operationId` is the same for each repetition of a request without a known outcome. */
  | { readonly kind: "run"; readonly claim: KeyClaim; readonly operationId: string }
  | { readonly kind: "replay"; readonly response: StoredResponse }
  | { readonly kind: "running" }
  | { readonly kind: "reused" }

/** Stores the idempotency keys of requests with the responses, for 24 hours. Each key is claimed by one request at a time. */
export interface IdempotencyStore {
  /** Claims a key for a request, or returns why it must not run. */
  claim(request: KeyedRequest, options: { readonly leaseMs: number }): Promise<KeyClaimResult>
  /** Extends the lease of a claim. Does nothing if another request has claimed the key since. */
  renew(claim: KeyClaim, options: { readonly leaseMs: number }): Promise<void>
  /** Stores the response of a request that succeeded and ends its claim. Does nothing as `renew`. */
  complete(claim: KeyClaim, response: StoredResponse): Promise<void>
  /** Ends the claim of a request that failed, so that any request can use the key. Does nothing as `renew`. */
  release(claim: KeyClaim): Promise<void>
}
