import { and, asc, eq, inArray } from "drizzle-orm"
import { applyTopicEdits } from "../../../../domain/topics/apply-topic-edits.ts"
import type { StoredStructureEdit, StoredTopicEdit } from "../../../../domain/topics/topic-edits.ts"
import type { FlatTopic, TopicTree } from "../../../../domain/topics/topic-tree.ts"
import type { topicEdits, topics } from "../../../database/schema/index.ts"
import type { Transaction } from "../database.ts"
import { all, inBatches, type Operation, run } from "../statements.ts"
import type { TopicEditChange } from "./topic-edit-steps.ts"

export const toFlatTopic = (row: typeof topics.$inferSelect): FlatTopic => ({
  title: row.title,
  level: row.level,
  number: row.number,
  summary: row.summary,
  start_s: row.startS,
  duration_s: row.durationS,
})

const toEdit = (row: typeof topicEdits.$inferSelect): StoredTopicEdit => {
  const common = { id: row.id, edited_at: row.editedAt }
  switch (row.kind) {
    case "text":
      return {
        kind: "text",
        level: row.level!,
        start_s: row.startS!,
        end_s: row.endS!,
        title: row.title,
        summary: row.summary,
        ...common,
      }
    case "border":
      return { kind: "border", from_s: row.fromS!, to_s: row.toS!, ...common }
    case "structure":
      return {
        kind: "structure",
        from_s: row.fromS!,
        after_s: row.afterS!,
        before_s: row.beforeS!,
        at_s: row.toS!,
        level: row.level as StoredStructureEdit["level"],
        labels: row.labels ?? {},
        ...common,
      }
  }
}

const toColumns = (edit: StoredTopicEdit) => {
  switch (edit.kind) {
    case "text":
      return { level: edit.level, startS: edit.start_s, endS: edit.end_s, title: edit.title, summary: edit.summary }
    case "border":
      return { fromS: edit.from_s, toS: edit.to_s }
    case "structure": {
      const { from_s: fromS, at_s: toS, after_s: afterS, before_s: beforeS, level, labels } = edit
      return { fromS, toS, afterS, beforeS, level, labels }
    }
  }
}

const toEditRow = (clipId: string, edit: StoredTopicEdit): typeof topicEdits.$inferInsert => ({
  id: edit.id,
  clipId,
  kind: edit.kind,
  editedAt: edit.edited_at,
  ...toColumns(edit),
})

/** Lists the topic edits of a clip, oldest first. */
export function* listTopicEdits(
  { db, dialect, tables: { topicEdits } }: Transaction,
  clipId: string,
): Operation<StoredTopicEdit[]> {
  const rows = yield* all(
    db
      .select()
      .from(topicEdits)
      .where(eq(topicEdits.clipId, clipId))
      .orderBy(asc(topicEdits.editedAt), dialect.insertionOrder),
  )
  return rows.map(toEdit)
}

/** Stores what a change removed and added. An edit that changed is in both lists, with the same ID. */
export function* writeTopicEdits(
  { db, tables: { topicEdits } }: Transaction,
  clipId: string,
  { removed, added }: TopicEditChange,
): Operation<void> {
  const isRemoved = (ids: string[]) => and(eq(topicEdits.clipId, clipId), inArray(topicEdits.id, ids))
  for (const batch of inBatches(removed)) yield* run(db.delete(topicEdits).where(isRemoved(batch.map(({ id }) => id))))
  for (const batch of inBatches(added))
    yield* run(db.insert(topicEdits).values(batch.map((edit) => toEditRow(clipId, edit))))
}

/** Returns a tree of a clip with its stored topic edits applied. */
export function* applyStoredEdits(
  tx: Transaction,
  clipId: string,
  tree: TopicTree,
): Operation<ReturnType<typeof applyTopicEdits>> {
  return applyTopicEdits(tree, yield* listTopicEdits(tx, clipId))
}
