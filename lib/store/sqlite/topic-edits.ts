import { asc, eq } from "drizzle-orm"
import type { TopicTree } from "../../contracts/topics.ts"
import { topicEdits } from "../../db/schema/index.ts"
import type { Tx } from "../../db/transact.ts"
import { overlay } from "../../topics/overlay.ts"
import type { KeptEdit } from "../../topics/types.ts"

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
export const keptEdits = (tx: Tx, clipId: string): KeptEdit[] =>
  tx
    .select()
    .from(topicEdits)
    .where(eq(topicEdits.clipId, clipId))
    .orderBy(asc(topicEdits.editedAt), asc(topicEdits.id))
    .all()
    .map(fromRow)

/** A clip has as many edits as people made by hand: they are written anew as a whole. */
export const replaceEdits = (tx: Tx, clipId: string, edits: readonly KeptEdit[]): void => {
  tx.delete(topicEdits).where(eq(topicEdits.clipId, clipId)).run()
  for (const edit of edits) tx.insert(topicEdits).values(toRow(clipId, edit)).run()
}

/** A tree as people see it. */
export const shownTree = (tx: Tx, clipId: string, tree: TopicTree): ReturnType<typeof overlay> =>
  overlay(tree, keptEdits(tx, clipId))
