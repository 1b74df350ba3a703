import type { StageName } from "../../../domain/jobs/stages.ts"

export type OutboxMessage = { readonly id: string; readonly stage: StageName; readonly body: string }

/** A lease that one of several processes holds under a name. */
export type NamedLease = { readonly name: string; readonly owner: string }

/** Holds the messages to publish, and the lease by which the workers elect one relay. */
export interface OutboxStore {
  /** Lists the unpublished messages that are due, oldest first, without those of some stages. */
  listDue(limit: number, options?: { readonly except?: readonly StageName[] }): Promise<OutboxMessage[]>
  /** Returns for each stage with unpublished messages since when the oldest is due, in Unix milliseconds. */
  getDueSince(): Promise<Partial<Record<StageName, number>>>
  markPublished(ids: readonly string[]): Promise<void>
  /** Calls `onChange` soon after a message is inserted, and perhaps after other changes. Returns a function that unsubscribes. */
  watch(onChange: () => void): () => void
  /** Acquires or renews a lease. Returns false if another owner holds it. */
  acquireLease(lease: NamedLease & { readonly ttlMs: number }): Promise<boolean>
  releaseLease(lease: NamedLease): Promise<void>
}
