import { inArray, sql } from "drizzle-orm"
import { STATE_KEY } from "../../../../domain/jobs/job-state.ts"
import type { ResourceStore } from "../../ports/resources.ts"
import type { SqlDatabase, Transaction } from "../database.ts"
import { all, type Operation, run } from "../statements.ts"

/** The stages that use the language model are those that write the state of the job. */
const TOPIC_STAGES = Object.keys(STATE_KEY)

const MODELS_LOCK_KEY = "models"

export const holdModel = (database: SqlDatabase, use: Parameters<ResourceStore["holdModel"]>[0]): Promise<void> =>
  database.write([MODELS_LOCK_KEY], function* ({ db, tables: { modelRuns } }) {
    yield* run(db.insert(modelRuns).values(use).onConflictDoNothing())
  })

export const claimEvictableModels = async (database: SqlDatabase): Promise<string[]> => {
  // Called after every stage, mostly without a model to evict, so the write lock is taken only if there is one.
  if ((await database.read(listUnusedModels)).length === 0) return []
  return database.write([MODELS_LOCK_KEY], function* (tx) {
    const unused = yield* listUnusedModels(tx)
    const { modelRuns } = tx.tables
    if (unused.length > 0) yield* run(tx.db.delete(modelRuns).where(inArray(modelRuns.model, unused)))
    return unused
  })
}

/**
 * Lists the models that no job uses. A job uses its model until its last topic stage is done or the job has ended, and no
 * worker executes one of its stages: a request in flight would load the model again after its eviction.
 */
function* listUnusedModels({ db, now, tables: { jobs, jobStages, modelRuns } }: Transaction): Operation<string[]> {
  const isOfJob = sql`${jobStages.jobId} = ${modelRuns.jobId}`
  const uses = yield* all(
    db
      .select({
        model: modelRuns.model,
        isInUse: sql<number | boolean>`
          exists (select 1 from ${jobs} where ${jobs.id} = ${modelRuns.jobId} and ${jobs.status} in ('queued', 'running')
            and not exists (select 1 from ${jobStages} where ${isOfJob} and ${jobStages.stage} = 'l0' and ${jobStages.state} = 'done'))
          or exists (select 1 from ${jobStages} where ${isOfJob} and ${inArray(jobStages.stage, TOPIC_STAGES as [])}
            and ${jobStages.owner} is not null and ${jobStages.leaseUntil} > ${now})`,
      })
      .from(modelRuns),
  )
  const inUse = new Set(uses.filter((use) => use.isInUse).map((use) => use.model))
  return [...new Set(uses.map((use) => use.model))].filter((model) => !inUse.has(model))
}
