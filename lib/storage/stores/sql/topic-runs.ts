import { and, desc, eq, notInArray } from "drizzle-orm"
import { newId } from "../../../domain/ids.ts"
import type { PersistOutput } from "../../../domain/jobs/job-state.ts"
import type { TopicRun, TopicRunEntry } from "../../../domain/topics/topic-runs.ts"
import type { clips, topicRuns } from "../../database/schema/index.ts"
import type { RunInfo } from "./clip-writes.ts"
import type { Context, Tx } from "./context.ts"
import { flatten } from "./flatten.ts"
import { all, get, run, type Steps } from "./steps.ts"

/** Runs that are kept of a clip: more than anybody compares. */
const KEPT = 20

type Row = typeof topicRuns.$inferSelect

const newestFirst = ({ t: { topicRuns } }: Tx) => [desc(topicRuns.createdAt), desc(topicRuns.id)] as const

const toRun = (row: Row): TopicRun => ({
  id: row.id,
  clip_id: row.clipId,
  created_at: new Date(row.createdAt).toISOString(),
  provider: row.provider,
  llm_model: row.llmModel,
  settings: row.settings,
  topics: flatten(row.tree).length,
  tree: row.tree,
})

/** Keeps a tree as the newest run of a clip. A tree that was made before runs were kept becomes its first. */
export function* keepRun(
  tx: Tx,
  before: typeof clips.$inferSelect,
  output: PersistOutput,
  { runId, settings }: RunInfo,
): Steps<void> {
  const { db } = tx
  const { topicRuns } = tx.t
  const clipId = before.id
  const ofClip = eq(topicRuns.clipId, clipId)
  const known = yield* get(db.select({ id: topicRuns.id }).from(topicRuns).where(ofClip).limit(1))
  if (!known && before.tree) {
    const { createdAt, provider, llmModel, tree } = before
    yield* run(db.insert(topicRuns).values({ id: newId(), clipId, createdAt, provider, llmModel, tree }))
  }
  const made = { createdAt: tx.at, provider: output.provider, llmModel: output.llm_model, settings, tree: output.tree }
  const set = { clipId, ...made }
  yield* run(
    db
      .insert(topicRuns)
      .values({ id: runId, ...set })
      .onConflictDoUpdate({ target: topicRuns.id, set }),
  )
  const ids = db.select({ id: topicRuns.id }).from(topicRuns).where(ofClip)
  const kept = (yield* all(ids.orderBy(...newestFirst(tx)).limit(KEPT))).map((r) => r.id)
  yield* run(db.delete(topicRuns).where(and(ofClip, notInArray(topicRuns.id, kept))))
}

export const listTopicRuns = async (c: Context, id: string): Promise<TopicRunEntry[] | null> => {
  const rows = await c.read(function* (tx) {
    const { clips, topicRuns } = tx.t
    if (!(yield* get(tx.db.select({ id: clips.id }).from(clips).where(eq(clips.id, id))))) return null
    const ofClip = tx.db.select().from(topicRuns).where(eq(topicRuns.clipId, id))
    return yield* all(ofClip.orderBy(...newestFirst(tx)))
  })
  return rows?.map(toRun).map(({ tree: _, ...entry }) => entry) ?? null
}

export const getTopicRun = async (c: Context, id: string): Promise<TopicRun | null> => {
  const row = await c.read(({ db, t: { topicRuns } }) => get(db.select().from(topicRuns).where(eq(topicRuns.id, id))))
  return row ? toRun(row) : null
}
