import { eq } from "drizzle-orm"
import type { ClipTopics, TopicPatch } from "../../contracts/topic-edits.ts"
import type { TopicTree } from "../../contracts/topics.ts"
import type { WordSpan } from "../../contracts/words.ts"
import { clips, transcripts } from "../../db/schema/index.ts"
import { type Tx, withRead, withWrite } from "../../db/transact.ts"
import { AppError } from "../../errors.ts"
import { newId } from "../../ids.ts"
import { withEdit } from "../../topics/edit.ts"
import type { KeptEdit } from "../../topics/types.ts"
import { writeTopicRows } from "./clip-writes.ts"
import type { Context } from "./context.ts"
import { keptEdits, replaceEdits, shownTree } from "./topic-edits.ts"

/** As the last run made it. Null: unknown clip. */
const madeTree = (tx: Tx, id: string): TopicTree | null => {
  const clip = tx.select({ tree: clips.tree }).from(clips).where(eq(clips.id, id)).get()
  return clip ? (clip.tree ?? { topics: [] }) : null
}

export const getTopics = ({ handle }: Context, id: string): ClipTopics | null =>
  withRead(handle, (tx) => {
    const tree = madeTree(tx, id)
    return tree && { clip_id: id, ...shownTree(tx, id, tree) }
  })

const change = (
  { handle }: Context,
  id: string,
  edited: (tree: TopicTree, edits: readonly KeptEdit[]) => readonly KeptEdit[],
): ClipTopics | null =>
  withWrite(handle, (tx) => {
    const tree = madeTree(tx, id)
    if (!tree) return null
    replaceEdits(tx, id, edited(tree, keptEdits(tx, id)))
    const shown = shownTree(tx, id, tree)
    writeTopicRows(tx, id, shown.tree)
    return { clip_id: id, ...shown }
  })

export const editTopic = (c: Context, id: string, topic: string, patch: TopicPatch): ClipTopics | null => {
  const moved = typeof patch.start_s === "number" || typeof patch.end_s === "number"
  // Read and parsed before the write lock is taken: half a million words take a while.
  const json = moved
    ? withRead(c.handle, (tx) => tx.select().from(transcripts).where(eq(transcripts.clipId, id)).get()?.words)
    : undefined
  const words: readonly WordSpan[] = json === undefined ? [] : JSON.parse(json)
  return change(c, id, (tree, edits) => withEdit({ tree, edits, topic, patch, words, now: c.now(), newId }))
}

export const removeTopicEdit = (c: Context, id: string, edit: string): ClipTopics | null =>
  change(c, id, (_, edits) => {
    const rest = edits.filter((e) => e.id !== edit)
    if (rest.length === edits.length) throw new AppError("not_found", `unknown edit '${edit}' of clip '${id}'`)
    return rest
  })
