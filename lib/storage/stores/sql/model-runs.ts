import { inArray, sql } from "drizzle-orm"
import { STATE_KEY } from "../../../domain/jobs/job-state.ts"
import type { ResourceStore } from "../ports/resources.ts"
import type { Context, Tx } from "./context.ts"
import { all, run, type Steps } from "./steps.ts"

/** The stages that talk to the language model are those that write the job's state. */
const TOPIC_STAGES = Object.keys(STATE_KEY)

const MODELS = "models"

export const holdModel = (c: Context, held: Parameters<ResourceStore["holdModel"]>[0]): Promise<void> =>
  c.write([MODELS], function* ({ db, t: { modelRuns } }) {
    yield* run(db.insert(modelRuns).values(held).onConflictDoNothing())
  })

/**
 * A run holds its model until its last topic stage is done or its job has ended and nobody is at work on it any more:
 * a call in flight would load the model anew after its eviction.
 */
export const claimEvictableModels = async (c: Context): Promise<string[]> => {
  // Asked after every stage and mostly in vain: only what is there to be taken needs the write lock.
  if ((await c.read(freeModels)).length === 0) return []
  return c.write([MODELS], function* (tx) {
    const free = yield* freeModels(tx)
    const { modelRuns } = tx.t
    if (free.length > 0) yield* run(tx.db.delete(modelRuns).where(inArray(modelRuns.model, free)))
    return free
  })
}

function* freeModels({ db, at, t: { jobs, jobStages, modelRuns } }: Tx): Steps<string[]> {
  const ofRun = sql`${jobStages.jobId} = ${modelRuns.jobId}`
  const runs = yield* all(
    db
      .select({
        model: modelRuns.model,
        busy: sql<number | boolean>`
          exists (select 1 from ${jobs} where ${jobs.id} = ${modelRuns.jobId} and ${jobs.status} in ('queued', 'running')
            and not exists (select 1 from ${jobStages} where ${ofRun} and ${jobStages.stage} = 'l0' and ${jobStages.state} = 'done'))
          or exists (select 1 from ${jobStages} where ${ofRun} and ${inArray(jobStages.stage, TOPIC_STAGES as [])}
            and ${jobStages.owner} is not null and ${jobStages.leaseUntil} > ${at})`,
      })
      .from(modelRuns),
  )
  const inUse = new Set(runs.filter((r) => r.busy).map((r) => r.model))
  return [...new Set(runs.map((r) => r.model))].filter((model) => !inUse.has(model))
}
