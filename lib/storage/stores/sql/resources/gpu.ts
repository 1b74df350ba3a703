import { and, eq, gt, lte, ne, or, sql } from "drizzle-orm"
import type { GpuKind, GpuRequest } from "../../ports/resources.ts"
import type { Claim } from "../../ports/stages.ts"
import type { SqlDatabase, Transaction } from "../database.ts"
import { loadHeldClaim } from "../stages/claims.ts"
import { all, type Operation, run } from "../statements.ts"

export type GpuTenant = {
  readonly kind: GpuKind
  /**
   * - `waiting`: asks for the GPU.
   * - `holding`: uses the GPU.
   * - `left`: has just released the GPU. It stays reserved for this kind for a moment, because the next stage of a batch
   *   comes soon and a change of kind costs the loading of a model.
   */
  readonly state: "waiting" | "holding" | "left"
  /** When the state began, as Unix milliseconds. */
  readonly since: number
}

/**
 * Returns true if a waiting tenant may use the GPU together with the other tenants.
 *
 * Nobody waits longer than `turnMs` plus the work that was running by then. A tenant that has waited that long keeps new
 * tenants of the other kind out and ignores the reservation of those that have left. When the GPU is free, the tenant that
 * has waited longest goes first.
 */
export const canAcquireGpu = (
  tenant: Pick<GpuTenant, "kind" | "since">,
  others: readonly GpuTenant[],
  now: number,
  turnMs: number,
): boolean => {
  const sameKind = others.filter((t) => t.kind === tenant.kind)
  const otherKind = others.filter((t) => t.kind !== tenant.kind)
  const isOverdue = ({ since }: Pick<GpuTenant, "since">) => now - since >= turnMs

  if (otherKind.some((t) => t.state === "holding")) return false
  if (otherKind.some((t) => t.state === "left") && !isOverdue(tenant)) return false
  const waitingLonger = otherKind.filter((t) => t.state === "waiting" && t.since < tenant.since)
  if (waitingLonger.some(isOverdue)) return false
  const isPartOfBatch = sameKind.some((t) => t.state !== "waiting")
  return isPartOfBatch || waitingLonger.length === 0
}

/** Deletes tenants whose stage no longer holds its lease, and those that left more than `lingerMs` ago. */
const deleteExpiredTenants = (
  { db, now, tables: { gpuTenants, jobStages } }: Transaction,
  gpu: string,
  lingerMs: number,
): Operation<number> => {
  const isAlive = sql`exists (select 1 from ${jobStages} where ${jobStages.jobId} = ${gpuTenants.jobId}
    and ${jobStages.stage} = ${gpuTenants.stage} and ${jobStages.attempt} = ${gpuTenants.attempt}
    and ${jobStages.owner} is not null and ${jobStages.leaseUntil} > ${now})`
  const isExpired = or(
    // A tenant that left in the future did so before the clock was set back.
    and(eq(gpuTenants.state, "left"), or(lte(gpuTenants.since, now - lingerMs), gt(gpuTenants.since, now + lingerMs))),
    and(ne(gpuTenants.state, "left"), sql`not ${isAlive}`),
  )
  return run(db.delete(gpuTenants).where(and(eq(gpuTenants.gpu, gpu), isExpired)))
}

export const acquireGpu = (
  database: SqlDatabase,
  { claim, gpu, kind, turnMs, lingerMs }: GpuRequest,
): Promise<boolean> =>
  database.write([`gpu ${gpu}`], function* (tx) {
    const { db, now } = tx
    const { gpuTenants } = tx.tables
    // A stage has one place, which belongs to its newest attempt.
    if (!(yield* loadHeldClaim(tx, claim))) return false
    yield* deleteExpiredTenants(tx, gpu, lingerMs)
    const rows = yield* all(db.select().from(gpuTenants).where(eq(gpuTenants.gpu, gpu)))
    const own = rows.find((r) => r.jobId === claim.jobId && r.stage === claim.stage && r.attempt === claim.attempt)
    if (own?.state === "holding") return true
    const since = own?.state === "waiting" ? Math.min(own.since, now) : now
    const isAcquired = canAcquireGpu(
      { kind, since },
      rows.filter((r) => r !== own),
      now,
      turnMs,
    )
    const state = isAcquired ? ("holding" as const) : ("waiting" as const)
    const set = { attempt: claim.attempt, gpu, kind, state, since: isAcquired ? now : since }
    const insert = db
      .insert(gpuTenants)
      .values({ jobId: claim.jobId, stage: claim.stage, ...set })
      .onConflictDoUpdate({ target: [gpuTenants.jobId, gpuTenants.stage], set })
    yield* run(insert)
    return isAcquired
  })

export const releaseGpu = (database: SqlDatabase, { jobId, stage, attempt }: Claim): Promise<void> =>
  database.write([], function* ({ db, now, tables: { gpuTenants } }) {
    const isOwn = and(eq(gpuTenants.jobId, jobId), eq(gpuTenants.stage, stage), eq(gpuTenants.attempt, attempt))
    yield* run(db.delete(gpuTenants).where(and(isOwn, eq(gpuTenants.state, "waiting"))))
    yield* run(db.update(gpuTenants).set({ state: "left", since: now }).where(isOwn))
  })
