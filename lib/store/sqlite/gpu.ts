import { and, eq, gt, lte, ne, or, sql } from "drizzle-orm"
import { gpuTenants, jobStages } from "../../db/schema/index.ts"
import { type Tx, withWrite } from "../../db/transact.ts"
import { mayEnter } from "../gpu-turns.ts"
import type { Claim, Store } from "../types.ts"
import type { Context } from "./context.ts"

const of = ({ jobId, stage }: Claim) => and(eq(gpuTenants.jobId, jobId), eq(gpuTenants.stage, stage))

/** A tenant lives by the lease of its stage: whoever died, or lost it to another attempt, is gone from the GPU, too. */
const removeDead = (tx: Tx, gpu: string, at: number, lingerMs: number): void => {
  const alive = sql`exists (select 1 from ${jobStages} where ${jobStages.jobId} = ${gpuTenants.jobId}
    and ${jobStages.stage} = ${gpuTenants.stage} and ${jobStages.attempt} = ${gpuTenants.attempt}
    and ${jobStages.owner} is not null and ${jobStages.leaseUntil} > ${at})`
  // One who left in the future did so before the clock was set back.
  const gone = or(
    and(eq(gpuTenants.state, "left"), or(lte(gpuTenants.since, at - lingerMs), gt(gpuTenants.since, at + lingerMs))),
    and(ne(gpuTenants.state, "left"), sql`not ${alive}`),
  )
  tx.delete(gpuTenants)
    .where(and(eq(gpuTenants.gpu, gpu), gone))
    .run()
}

export const enterGpu = (
  { handle, now }: Context,
  { claim, gpu, kind, turnMs, lingerMs }: Parameters<Store["enterGpu"]>[0],
): boolean =>
  withWrite(handle, (tx) => {
    const at = now()
    removeDead(tx, gpu, at, lingerMs)
    const rows = tx.select().from(gpuTenants).where(eq(gpuTenants.gpu, gpu)).all()
    const mine = rows.find((r) => r.jobId === claim.jobId && r.stage === claim.stage && r.attempt === claim.attempt)
    if (mine?.state === "holding") return true
    const since = mine?.state === "waiting" ? Math.min(mine.since, at) : at
    const enters = mayEnter(
      { kind, since },
      rows.filter((r) => r !== mine),
      at,
      turnMs,
    )
    const state = enters ? ("holding" as const) : ("waiting" as const)
    const set = { attempt: claim.attempt, gpu, kind, state, since: enters ? at : since }
    tx.insert(gpuTenants)
      .values({ jobId: claim.jobId, stage: claim.stage, ...set })
      .onConflictDoUpdate({ target: [gpuTenants.jobId, gpuTenants.stage], set })
      .run()
    return enters
  })

export const leaveGpu = ({ handle, now }: Context, claim: Claim): void =>
  withWrite(handle, (tx) => {
    const own = and(of(claim), eq(gpuTenants.attempt, claim.attempt))
    tx.delete(gpuTenants)
      .where(and(own, eq(gpuTenants.state, "waiting")))
      .run()
    tx.update(gpuTenants).set({ state: "left", since: now() }).where(own).run()
  })
