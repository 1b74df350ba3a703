import { asc, eq } from "drizzle-orm"
import { applyTopicEdits } from "../../../../domain/topics/apply-topic-edits.ts"
import type { StoredTopicEdit } from "../../../../domain/topics/topic-edits.ts"
import type { FlatTopic, TopicTree } from "../../../../domain/topics/topic-tree.ts"
import type { topicEdits, topics } from "../../../database/schema/index.ts"
import type { Transaction } from "../database.ts"
import { all, type Operation, run } from "../statements.ts"

export const toFlatTopic = (row: typeof topics.$inferSelect): FlatTopic => ({
  title: row.title,
  level: row.level,
  number: row.number,
  summary: row.summary,
  start_s: row.startS,
  duration_s: row.durationS,
})

const toEdit = (row: typeof topicEdits.$inferSelect): StoredTopicEdit =>
  row.kind === "text"
    ? {
        kind: "text",
        id: row.id,
        level: row.level!,
        start_s: row.startS!,
        end_s: row.endS!,
        title: row.title,
        summary: row.summary,
        edited_at: row.editedAt,
      }
    : { kind: "border", id: row.id, from_s: row.fromS!, to_s: row.toS!, edited_at: row.editedAt }

const toEditRow = (clipId: string, edit: StoredTopicEdit): typeof topicEdits.$inferInsert => ({
  id: edit.id,
  clipId,
  kind: edit.kind,
  editedAt: edit.edited_at,
  ...(edit.kind === "text"
    ? { level: edit.level, startS: edit.start_s, endS: edit.end_s, title: edit.title, summary: edit.summary }
    : { fromS: edit.from_s, toS: edit.to_s }),
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

/** Replaces all topic edits of a clip. People make them by hand, so they are few. */
export function* replaceTopicEdits(
  { db, tables: { topicEdits } }: Transaction,
  clipId: string,
  edits: readonly StoredTopicEdit[],
): Operation<void> {
  yield* run(db.delete(topicEdits).where(eq(topicEdits.clipId, clipId)))
  for (const edit of edits) yield* run(db.insert(topicEdits).values(toEditRow(clipId, edit)))
}

/** Returns a tree of a clip with its stored topic edits applied. */
export function* applyStoredEdits(
  tx: Transaction,
  clipId: string,
  tree: TopicTree,
): Operation<ReturnType<typeof applyTopicEdits>> {
  return applyTopicEdits(tree, yield* listTopicEdits(tx, clipId))
}
