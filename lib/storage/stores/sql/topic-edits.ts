import { asc, eq } from "drizzle-orm"
import { overlay } from "../../../domain/topics/overlay.ts"
import type { KeptEdit } from "../../../domain/topics/stored-edit.ts"
import type { TopicTree } from "../../../domain/topics/topic-tree.ts"
import type { topicEdits } from "../../database/schema/index.ts"
import type { Tx } from "./context.ts"
import { all, run, type Steps } from "./steps.ts"

type Row = typeof topicEdits.$inferSelect

const fromRow = (r: Row): KeptEdit =>
  r.kind === "text"
    ? {
        kind: "text",
        id: r.id,
        level: r.level!,
        start_s: r.startS!,
        end_s: r.endS!,
        title: r.title,
        summary: r.summary,
        edited_at: r.editedAt,
      }
    : { kind: "border", id: r.id, from_s: r.fromS!, to_s: r.toS!, edited_at: r.editedAt }

const toRow = (clipId: string, e: KeptEdit): typeof topicEdits.$inferInsert => ({
  id: e.id,
  clipId,
  kind: e.kind,
  editedAt: e.edited_at,
  ...(e.kind === "text"
    ? { level: e.level, startS: e.start_s, endS: e.end_s, title: e.title, summary: e.summary }
    : { fromS: e.from_s, toS: e.to_s }),
})

/** What people wrote over a clip's topics, oldest first. */
export function* keptEdits({ db, dialect, t: { topicEdits } }: Tx, clipId: string): Steps<KeptEdit[]> {
  const rows = yield* all(
    db
      .select()
      .from(topicEdits)
      .where(eq(topicEdits.clipId, clipId))
      .orderBy(asc(topicEdits.editedAt), dialect.asInserted),
  )
  return rows.map(fromRow)
}

/** A clip has as many edits as people made by hand: they are written anew as a whole. */
export function* replaceEdits({ db, t: { topicEdits } }: Tx, clipId: string, edits: readonly KeptEdit[]): Steps<void> {
  yield* run(db.delete(topicEdits).where(eq(topicEdits.clipId, clipId)))
  for (const edit of edits) yield* run(db.insert(topicEdits).values(toRow(clipId, edit)))
}

/** A tree as people see it. */
export function* shownTree(tx: Tx, clipId: string, tree: TopicTree): Steps<ReturnType<typeof overlay>> {
  return overlay(tree, yield* keptEdits(tx, clipId))
}
