import { eq } from "drizzle-orm"
import type { IfMatch } from "../../../../domain/clip-version.ts"
import { AppError } from "../../../../domain/errors.ts"
import { newId, sha256 } from "../../../../domain/ids.ts"
import type { PersistOutput } from "../../../../domain/jobs/job-state.ts"
import type { TopicSettings } from "../../../../domain/jobs/jobs.ts"
import { addTopicEdit } from "../../../../domain/topics/add-topic-edit.ts"
import { flattenTree } from "../../../../domain/topics/flatten-tree.ts"
import type { ClipTopics, StoredTopicEdit, TopicPatch } from "../../../../domain/topics/topic-edits.ts"
import type { TopicTree } from "../../../../domain/topics/topic-tree.ts"
import { topicEmbeddingText } from "../../../../domain/topics/topic-tree.ts"
import type { WordSpan } from "../../../../domain/transcript/words.ts"
import { checkVersion, countChange, readEtag } from "../clips/versions.ts"
import { clipLockKey, type SqlDatabase, type Transaction } from "../database.ts"
import { incrementMapRevision } from "../map/map.ts"
import { deleteUnusedSpeech, listSpeechHashes } from "../map/speech.ts"
import { insertVectors } from "../map/vectors.ts"
import { get, inBatches, type Operation, run } from "../statements.ts"
import { applyStoredEdits, listTopicEdits, replaceTopicEdits } from "./topic-rows.ts"
import { type RunInfo, saveTopicRun } from "./topic-runs.ts"

/** Reads the unedited tree of the latest topic run. Returns null for an unknown clip. */
function* readTree({ db, tables: { clips } }: Transaction, clipId: string): Operation<TopicTree | null> {
  const clip = yield* get(db.select({ tree: clips.tree }).from(clips).where(eq(clips.id, clipId)))
  return clip ? (clip.tree ?? { topics: [] }) : null
}

export const getTopics = (database: SqlDatabase, clipId: string): Promise<ClipTopics | null> =>
  database.read(function* (tx) {
    const tree = yield* readTree(tx, clipId)
    if (!tree) return null
    const etag = yield* readEtag(tx, clipId, ["topics"])
    return { clip_id: clipId, ...(yield* applyStoredEdits(tx, clipId, tree)), etag }
  })

export const saveTopics = (
  database: SqlDatabase,
  clipId: string,
  output: PersistOutput,
  settings: TopicSettings | null = null,
): Promise<boolean> =>
  database.write([clipLockKey(clipId)], (tx) => writeTopics(tx, clipId, output, { runId: newId(), settings }))

/**
 * Replaces the tree, topics and vectors of a clip and stores the tree as a topic run. Topic edits are applied to the new
 * topics. Returns false, with nothing written, for an unknown clip.
 */
export function* writeTopics(
  tx: Transaction,
  clipId: string,
  output: PersistOutput,
  info: RunInfo,
): Operation<boolean> {
  const { clips } = tx.tables
  const before = yield* get(tx.db.select().from(clips).where(eq(clips.id, clipId)))
  if (!before) return false
  yield* saveTopicRun(tx, before, output, info)
  const { tree, provider, llm_model: llmModel, embed_model: embedModel } = output
  yield* run(tx.db.update(clips).set({ tree, provider, llmModel, embedModel }).where(eq(clips.id, clipId)))
  yield* writeTopicRows(tx, clipId, (yield* applyStoredEdits(tx, clipId, tree)).tree)
  yield* insertVectors(tx, embedModel, output.vectors)
  return true
}

/** Derives the rows of `topics`, which lists, map and search query, from an edited tree. */
function* writeTopicRows(tx: Transaction, clipId: string, tree: TopicTree): Operation<void> {
  const { topics } = tx.tables
  const speechBefore = yield* listSpeechHashes(tx, clipId)
  yield* run(tx.db.delete(topics).where(eq(topics.clipId, clipId)))
  const rows = flattenTree(tree).map(({ start_s, duration_s, ...topic }, ordinal) => ({
    ...topic,
    hash: sha256(topicEmbeddingText(topic)),
    clipId,
    ordinal,
    startS: start_s,
    durationS: Math.max(0, duration_s),
  }))
  for (const batch of inBatches(rows)) yield* run(tx.db.insert(topics).values(batch))
  yield* deleteUnusedSpeech(tx, speechBefore)
  yield* countChange(tx, clipId, ["topics"])
  yield* incrementMapRevision(tx)
}

type ChangeEdits = (tree: TopicTree, edits: readonly StoredTopicEdit[], now: number) => readonly StoredTopicEdit[]

const changeTopicEdits = (
  database: SqlDatabase,
  clipId: string,
  ifMatch: IfMatch | undefined,
  changeEdits: ChangeEdits,
): Promise<ClipTopics | null> =>
  database.write([clipLockKey(clipId)], function* (tx) {
    const tree = yield* readTree(tx, clipId)
    if (!tree) return null
    yield* checkVersion(tx, clipId, ifMatch, ["topics"])
    yield* replaceTopicEdits(tx, clipId, changeEdits(tree, yield* listTopicEdits(tx, clipId), tx.now))
    const edited = yield* applyStoredEdits(tx, clipId, tree)
    yield* writeTopicRows(tx, clipId, edited.tree)
    return { clip_id: clipId, ...edited, etag: yield* readEtag(tx, clipId, ["topics"]) }
  })

/** Reads a transcript, before the transaction takes the write lock: half a million words take a while to parse. */
const readWords = async (database: SqlDatabase, clipId: string): Promise<readonly WordSpan[]> => {
  const row = await database.read(({ db, tables: { transcripts } }) =>
    get(db.select().from(transcripts).where(eq(transcripts.clipId, clipId))),
  )
  return row === undefined ? [] : JSON.parse(row.words)
}

export const editTopic = async (
  database: SqlDatabase,
  clipId: string,
  topic: string,
  patch: TopicPatch,
  ifMatch?: IfMatch,
): Promise<ClipTopics | null> => {
  const movesBoundary = typeof patch.start_s === "number" || typeof patch.end_s === "number"
  const words = movesBoundary ? await readWords(database, clipId) : []
  return changeTopicEdits(database, clipId, ifMatch, (tree, edits, now) =>
    addTopicEdit({ tree, edits, topic, patch, words, now, newId }),
  )
}

export const removeTopicEdit = (
  database: SqlDatabase,
  clipId: string,
  editId: string,
  ifMatch?: IfMatch,
): Promise<ClipTopics | null> =>
  changeTopicEdits(database, clipId, ifMatch, (_, edits) => {
    const remaining = edits.filter((edit) => edit.id !== editId)
    if (remaining.length === edits.length)
      throw new AppError("not_found", `unknown edit '${editId}' of clip '${clipId}'`)
    return remaining
  })
