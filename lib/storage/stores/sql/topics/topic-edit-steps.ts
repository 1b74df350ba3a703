import { and, asc, desc, eq, lte } from "drizzle-orm"
import type { StoredTopicEdit } from "../../../../domain/topics/topic-edits.ts"
import type { Transaction } from "../database.ts"
import { get, type Operation, run } from "../statements.ts"

/** The number of changes of a clip that can be undone. */
const MAX_STEPS_PER_CLIP = 100

/** The edits that a change removed and those that it added. A changed edit is in both, with the same ID. */
export type TopicEditChange = {
  readonly removed: readonly StoredTopicEdit[]
  readonly added: readonly StoredTopicEdit[]
}

const contentOf = ({ edited_at: _, ...edit }: StoredTopicEdit): string => JSON.stringify(edit)

/** Compares the edits of a clip before and after a change. An edit that is made again as it was has not changed. */
export const diffTopicEdits = (
  before: readonly StoredTopicEdit[],
  after: readonly StoredTopicEdit[],
): TopicEditChange => {
  const [old, now] = [before, after].map((edits) => new Map(edits.map((edit) => [edit.id, contentOf(edit)])))
  return {
    removed: before.filter(({ id }) => old!.get(id) !== now!.get(id)),
    added: after.filter(({ id }) => old!.get(id) !== now!.get(id)),
  }
}

const ofClip = ({ tables: { topicEditSteps } }: Transaction, clipId: string, isUndone: boolean) =>
  and(eq(topicEditSteps.clipId, clipId), eq(topicEditSteps.isUndone, isUndone))

/** Records a change as the last one of a clip. What was undone before cannot be made again. */
export function* recordStep(tx: Transaction, clipId: string, change: TopicEditChange): Operation<void> {
  const { db } = tx
  const { topicEditSteps } = tx.tables
  yield* run(db.delete(topicEditSteps).where(ofClip(tx, clipId, true)))
  yield* run(db.insert(topicEditSteps).values({ clipId, ...change }))
  const newest = db
    .select({ id: topicEditSteps.id })
    .from(topicEditSteps)
    .where(ofClip(tx, clipId, false))
  const oldest = yield* get(newest.orderBy(desc(topicEditSteps.id)).limit(1).offset(MAX_STEPS_PER_CLIP))
  if (oldest)
    yield* run(db.delete(topicEditSteps).where(and(ofClip(tx, clipId, false), lte(topicEditSteps.id, oldest.id))))
}

/** Marks the last change as undone, or the last undone one as made again, and returns it. */
export function* takeStep(
  tx: Transaction,
  clipId: string,
  direction: "undo" | "redo",
): Operation<TopicEditChange | undefined> {
  const { db } = tx
  const { topicEditSteps } = tx.tables
  const isUndo = direction === "undo"
  const order = isUndo ? desc(topicEditSteps.id) : asc(topicEditSteps.id)
  const step = yield* get(
    db
      .select()
      .from(topicEditSteps)
      .where(ofClip(tx, clipId, !isUndo))
      .orderBy(order)
      .limit(1),
  )
  if (!step) return undefined
  yield* run(db.update(topicEditSteps).set({ isUndone: isUndo }).where(eq(topicEditSteps.id, step.id)))
  const { removed, added } = step
  return isUndo ? { removed: added, added: removed } : { removed, added }
}

/** Returns whether a change of a clip can be undone, and whether an undone one can be made again. */
export function* readSteps(tx: Transaction, clipId: string): Operation<{ can_undo: boolean; can_redo: boolean }> {
  const { db } = tx
  const { topicEditSteps } = tx.tables
  const first = (isUndone: boolean) =>
    get(
      db
        .select({ id: topicEditSteps.id })
        .from(topicEditSteps)
        .where(ofClip(tx, clipId, isUndone))
        .limit(1),
    )
  return { can_undo: (yield* first(false)) !== undefined, can_redo: (yield* first(true)) !== undefined }
}
