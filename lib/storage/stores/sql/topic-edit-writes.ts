import { eq } from "drizzle-orm"
import { AppError } from "../../../domain/errors.ts"
import { newId } from "../../../domain/ids.ts"
import { withEdit } from "../../../domain/topics/edit-topics.ts"
import type { KeptEdit } from "../../../domain/topics/stored-edit.ts"
import type { ClipTopics, TopicPatch } from "../../../domain/topics/topic-edits.ts"
import type { TopicTree } from "../../../domain/topics/topic-tree.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import { writeTopicRows } from "./clip-writes.ts"
import { type Context, clipLockKey, type Tx } from "./context.ts"
import { get, type Steps } from "./steps.ts"
import { keptEdits, replaceEdits, shownTree } from "./topic-edits.ts"

/** As the last run made it. Null: unknown clip. */
function* madeTree({ db, t: { clips } }: Tx, id: string): Steps<TopicTree | null> {
  const clip = yield* get(db.select({ tree: clips.tree }).from(clips).where(eq(clips.id, id)))
  return clip ? (clip.tree ?? { topics: [] }) : null
}

export const getTopics = (c: Context, id: string): Promise<ClipTopics | null> =>
  c.read(function* (tx) {
    const tree = yield* madeTree(tx, id)
    return tree && { clip_id: id, ...(yield* shownTree(tx, id, tree)) }
  })

const change = (
  c: Context,
  id: string,
  edited: (tree: TopicTree, edits: readonly KeptEdit[], at: number) => readonly KeptEdit[],
): Promise<ClipTopics | null> =>
  c.write([clipLockKey(id)], function* (tx) {
    const tree = yield* madeTree(tx, id)
    if (!tree) return null
    yield* replaceEdits(tx, id, edited(tree, yield* keptEdits(tx, id), tx.at))
    const shown = yield* shownTree(tx, id, tree)
    yield* writeTopicRows(tx, id, shown.tree)
    return { clip_id: id, ...shown }
  })

export const editTopic = async (
  c: Context,
  id: string,
  topic: string,
  patch: TopicPatch,
): Promise<ClipTopics | null> => {
  const moved = typeof patch.start_s === "number" || typeof patch.end_s === "number"
  // Read and parsed before the write lock is taken: half a million words take a while.
  const row = moved
    ? await c.read(({ db, t: { transcripts } }) => get(db.select().from(transcripts).where(eq(transcripts.clipId, id))))
    : undefined
  const words: readonly WordSpan[] = row === undefined ? [] : JSON.parse(row.words)
  return change(c, id, (tree, edits, now) => withEdit({ tree, edits, topic, patch, words, now, newId }))
}

export const removeTopicEdit = (c: Context, id: string, edit: string): Promise<ClipTopics | null> =>
  change(c, id, (_, edits) => {
    const rest = edits.filter((e) => e.id !== edit)
    if (rest.length === edits.length) throw new AppError("not_found", `unknown edit '${edit}' of clip '${id}'`)
    return rest
  })
