import { and, desc, eq, notInArray } from "drizzle-orm"
import type { PersistOutput } from "../../contracts/state.ts"
import type { TopicRun, TopicRunEntry } from "../../contracts/topic-runs.ts"
import { clips, topicRuns } from "../../db/schema/index.ts"
import { type Tx, withRead } from "../../db/transact.ts"
import { newId } from "../../ids.ts"
import type { RunInfo } from "./clip-writes.ts"
import type { Context } from "./context.ts"
import { flatten } from "./flatten.ts"

/** Runs that are kept of a clip: more than anybody compares. */
const KEPT = 20

type Row = typeof topicRuns.$inferSelect

const newestFirst = [desc(topicRuns.createdAt), desc(topicRuns.id)] as const

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
export const keepRun = (
  tx: Tx,
  before: typeof clips.$inferSelect,
  output: PersistOutput,
  { runId, at, settings }: RunInfo,
): void => {
  const clipId = before.id
  const ofClip = eq(topicRuns.clipId, clipId)
  const known = tx.select({ id: topicRuns.id }).from(topicRuns).where(ofClip).limit(1).get()
  if (!known && before.tree) {
    const { createdAt, provider, llmModel, tree } = before
    tx.insert(topicRuns).values({ id: newId(), clipId, createdAt, provider, llmModel, tree }).run()
  }
  const made = { createdAt: at, provider: output.provider, llmModel: output.llm_model, settings, tree: output.tree }
  tx.insert(topicRuns)
    .values({ id: runId, clipId, ...made })
    .onConflictDoUpdate({ target: topicRuns.id, set: { clipId, ...made } })
    .run()
  const kept = tx
    .select({ id: topicRuns.id })
    .from(topicRuns)
    .where(ofClip)
    .orderBy(...newestFirst)
    .limit(KEPT)
    .all()
  tx.delete(topicRuns)
    .where(
      and(
        ofClip,
        notInArray(
          topicRuns.id,
          kept.map((r) => r.id),
        ),
      ),
    )
    .run()
}

export const listTopicRuns = ({ handle }: Context, id: string): TopicRunEntry[] | null => {
  const rows = withRead(handle, (tx) =>
    tx.select({ id: clips.id }).from(clips).where(eq(clips.id, id)).get()
      ? tx
          .select()
          .from(topicRuns)
          .where(eq(topicRuns.clipId, id))
          .orderBy(...newestFirst)
          .all()
      : null,
  )
  return rows?.map(toRun).map(({ tree: _, ...entry }) => entry) ?? null
}

export const getTopicRun = ({ handle }: Context, run: string): TopicRun | null => {
  const row = withRead(handle, (tx) => tx.select().from(topicRuns).where(eq(topicRuns.id, run)).get())
  return row ? toRun(row) : null
}
