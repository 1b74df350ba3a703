import { inArray, sql } from "drizzle-orm"
import { STATE_KEY } from "../../contracts/state.ts"
import { jobStages, jobs, modelRuns } from "../../db/schema/index.ts"
import { type Tx, withRead, withWrite } from "../../db/transact.ts"
import type { Store } from "../types.ts"
import type { Context } from "./context.ts"

/** The stages that talk to the language model are those that write the job's state. */
const TOPIC_STAGES = Object.keys(STATE_KEY)

export const holdModel = ({ handle }: Context, run: Parameters<Store["holdModel"]>[0]): void =>
  withWrite(handle, (tx) => {
    tx.insert(modelRuns).values(run).onConflictDoNothing().run()
  })

/**
 * A run holds its model until its last topic stage is done or its job has ended and nobody is at work on it any more:
 * a call in flight would load the model anew after its eviction.
 */
export const takeEvictions = (c: Context): string[] => {
  // Asked after every stage and mostly in vain: only what is there to be taken needs the write lock.
  if (withRead(c.handle, (tx) => freeModels(tx, c.now())).length === 0) return []
  return withWrite(c.handle, (tx) => {
    const free = freeModels(tx, c.now())
    if (free.length > 0) tx.delete(modelRuns).where(inArray(modelRuns.model, free)).run()
    return free
  })
}

const freeModels = (tx: Tx, at: number): string[] => {
  const ofRun = sql`${jobStages.jobId} = ${modelRuns.jobId}`
  const runs = tx
    .select({
      model: modelRuns.model,
      busy: sql<number>`
          exists (select 1 from ${jobs} where ${jobs.id} = ${modelRuns.jobId} and ${jobs.status} in ('queued', 'running')
            and not exists (select 1 from ${jobStages} where ${ofRun} and ${jobStages.stage} = 'l0' and ${jobStages.state} = 'done'))
          or exists (select 1 from ${jobStages} where ${ofRun} and ${inArray(jobStages.stage, TOPIC_STAGES as [])}
            and ${jobStages.owner} is not null and ${jobStages.leaseUntil} > ${at})`,
    })
    .from(modelRuns)
    .all()
  const inUse = new Set(runs.filter((r) => r.busy).map((r) => r.model))
  return [...new Set(runs.map((r) => r.model))].filter((model) => !inUse.has(model))
}
