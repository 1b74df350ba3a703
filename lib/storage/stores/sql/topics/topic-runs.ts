import { and, desc, eq, notInArray } from "drizzle-orm"
import { newId } from "../../../../domain/ids.ts"
import type { PersistOutput } from "../../../../domain/jobs/job-state.ts"
import type { TopicSettings } from "../../../../domain/jobs/jobs.ts"
import { flattenTree } from "../../../../domain/topics/flatten-tree.ts"
import type { TopicRun, TopicRunEntry } from "../../../../domain/topics/topic-runs.ts"
import type { clips, topicRuns } from "../../../database/schema/index.ts"
import type { SqlDatabase, Transaction } from "../database.ts"
import { all, get, type Operation, run } from "../statements.ts"

const MAX_RUNS_PER_CLIP = 20

export type RunInfo = {
  readonly runId: string
  /** The settings that produced the tree, if they are known. */
  readonly settings: TopicSettings | null
}

const newestFirst = ({ tables: { topicRuns } }: Transaction) => [desc(topicRuns.createdAt), desc(topicRuns.id)] as const

const toRun = (row: typeof topicRuns.$inferSelect): TopicRun => ({
  id: row.id,
  clip_id: row.clipId,
  created_at: new Date(row.createdAt).toISOString(),
  provider: row.provider,
  llm_model: row.llmModel,
  settings: row.settings,
  topics: flattenTree(row.tree).length,
  tree: row.tree,
})

/**
 * Stores a tree as the newest topic run of a clip and deletes the oldest runs beyond the limit. A tree that was written
 * before runs were stored becomes the first run.
 */
export function* saveTopicRun(
  tx: Transaction,
  before: typeof clips.$inferSelect,
  output: PersistOutput,
  { runId, settings }: RunInfo,
): Operation<void> {
  const { db } = tx
  const { topicRuns } = tx.tables
  const clipId = before.id
  const isOfClip = eq(topicRuns.clipId, clipId)
  const existing = yield* get(db.select({ id: topicRuns.id }).from(topicRuns).where(isOfClip).limit(1))
  if (!existing && before.tree) {
    const { createdAt, provider, llmModel, tree } = before
    yield* run(db.insert(topicRuns).values({ id: newId(), clipId, createdAt, provider, llmModel, tree }))
  }
  const set = {
    clipId,
    createdAt: tx.now,
    provider: output.provider,
    llmModel: output.llm_model,
    settings,
    tree: output.tree,
  }
  yield* run(
    db
      .insert(topicRuns)
      .values({ id: runId, ...set })
      .onConflictDoUpdate({ target: topicRuns.id, set }),
  )
  const newest = db.select({ id: topicRuns.id }).from(topicRuns).where(isOfClip)
  const kept = yield* all(newest.orderBy(...newestFirst(tx)).limit(MAX_RUNS_PER_CLIP))
  const keptIds = kept.map((row) => row.id)
  yield* run(db.delete(topicRuns).where(and(isOfClip, notInArray(topicRuns.id, keptIds))))
}

export const listTopicRuns = async (database: SqlDatabase, clipId: string): Promise<TopicRunEntry[] | null> => {
  const rows = await database.read(function* (tx) {
    const { clips, topicRuns } = tx.tables
    if (!(yield* get(tx.db.select({ id: clips.id }).from(clips).where(eq(clips.id, clipId))))) return null
    const ofClip = tx.db.select().from(topicRuns).where(eq(topicRuns.clipId, clipId))
    return yield* all(ofClip.orderBy(...newestFirst(tx)))
  })
  return rows?.map(toRun).map(({ tree: _, ...entry }) => entry) ?? null
}

export const getTopicRun = async (database: SqlDatabase, runId: string): Promise<TopicRun | null> => {
  const row = await database.read(({ db, tables: { topicRuns } }) =>
    get(db.select().from(topicRuns).where(eq(topicRuns.id, runId))),
  )
  return row ? toRun(row) : null
}
