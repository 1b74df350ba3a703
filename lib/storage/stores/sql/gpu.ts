import { and, eq, gt, lte, ne, or, sql } from "drizzle-orm"
import { canAcquireGpu } from "../gpu-turns.ts"
import type { GpuRequest } from "../ports/resources.ts"
import type { Claim } from "../ports/stages.ts"
import type { Context, Tx } from "./context.ts"
import { all, run, type Steps } from "./steps.ts"

/** A tenant lives by the lease of its stage: whoever died, or lost it to another attempt, is gone from the GPU, too. */
const removeDead = ({ db, at, t: { gpuTenants, jobStages } }: Tx, gpu: string, lingerMs: number): Steps<number> => {
  const alive = sql`exists (select 1 from ${jobStages} where ${jobStages.jobId} = ${gpuTenants.jobId}
    and ${jobStages.stage} = ${gpuTenants.stage} and ${jobStages.attempt} = ${gpuTenants.attempt}
    and ${jobStages.owner} is not null and ${jobStages.leaseUntil} > ${at})`
  // One who left in the future did so before the clock was set back.
  const gone = or(
    and(eq(gpuTenants.state, "left"), or(lte(gpuTenants.since, at - lingerMs), gt(gpuTenants.since, at + lingerMs))),
    and(ne(gpuTenants.state, "left"), sql`not ${alive}`),
  )
  return run(db.delete(gpuTenants).where(and(eq(gpuTenants.gpu, gpu), gone)))
}

export const enterGpu = (c: Context, { claim, gpu, kind, turnMs, lingerMs }: GpuRequest): Promise<boolean> =>
  c.write([`gpu ${gpu}`], function* (tx) {
    const { db, at } = tx
    const { gpuTenants } = tx.t
    yield* removeDead(tx, gpu, lingerMs)
    const rows = yield* all(db.select().from(gpuTenants).where(eq(gpuTenants.gpu, gpu)))
    const mine = rows.find((r) => r.jobId === claim.jobId && r.stage === claim.stage && r.attempt === claim.attempt)
    if (mine?.state === "holding") return true
    const since = mine?.state === "waiting" ? Math.min(mine.since, at) : at
    const enters = canAcquireGpu(
      { kind, since },
      rows.filter((r) => r !== mine),
      at,
      turnMs,
    )
    const state = enters ? ("holding" as const) : ("waiting" as const)
    const set = { attempt: claim.attempt, gpu, kind, state, since: enters ? at : since }
    const insert = db
      .insert(gpuTenants)
      .values({ jobId: claim.jobId, stage: claim.stage, ...set })
      .onConflictDoUpdate({ target: [gpuTenants.jobId, gpuTenants.stage], set })
    yield* run(insert)
    return enters
  })

export const leaveGpu = (c: Context, { jobId, stage, attempt }: Claim): Promise<void> =>
  c.write([], function* ({ db, at, t: { gpuTenants } }) {
    const own = and(eq(gpuTenants.jobId, jobId), eq(gpuTenants.stage, stage), eq(gpuTenants.attempt, attempt))
    yield* run(db.delete(gpuTenants).where(and(own, eq(gpuTenants.state, "waiting"))))
    yield* run(db.update(gpuTenants).set({ state: "left", since: at }).where(own))
  })
