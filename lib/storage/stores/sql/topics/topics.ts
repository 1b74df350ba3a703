import { eq } from "drizzle-orm"
import type { IfMatch } from "../../../../domain/clip-version.ts"
import { MAX_TOPIC_EDITS } from "../../../../domain/constants.ts"
import { AppError } from "../../../../domain/errors.ts"
import { newId, sha256 } from "../../../../domain/ids.ts"
import type { PersistOutput } from "../../../../domain/jobs/job-state.ts"
import type { TopicSettings } from "../../../../domain/jobs/jobs.ts"
import { addTopicEdit, resetTopicEdits } from "../../../../domain/topics/add-topic-edit.ts"
import type { applyTopicEdits } from "../../../../domain/topics/apply-topic-edits.ts"
import { changeStructure } from "../../../../domain/topics/change-structure.ts"
import { flattenTree } from "../../../../domain/topics/flatten-tree.ts"
import { keepTextsInPlace } from "../../../../domain/topics/outline.ts"
import type {
  ClipTopics,
  StoredTopicEdit,
  StructureChange,
  TopicPatch,
  TopicText,
} from "../../../../domain/topics/topic-edits.ts"
import type { TopicTree } from "../../../../domain/topics/topic-tree.ts"
import { topicEmbeddingText } from "../../../../domain/topics/topic-tree.ts"
import type { WordSpan } from "../../../../domain/transcript/words.ts"
import { checkVersion, countChange, readEtag } from "../clips/versions.ts"
import { clipLockKey, type SqlDatabase, type Transaction } from "../database.ts"
import { incrementMapRevision } from "../map/map.ts"
import { deleteUnusedSpeech, listSpeechHashes } from "../map/speech.ts"
import { insertVectors } from "../map/vectors.ts"
import { get, inBatches, type Operation, run } from "../statements.ts"
import { diffTopicEdits, readSteps, recordStep, type TopicEditChange, takeStep } from "./topic-edit-steps.ts"
import { applyStoredEdits, listTopicEdits, writeTopicEdits } from "./topic-rows.ts"
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
    return yield* readTopics(tx, clipId, yield* applyStoredEdits(tx, clipId, tree))
  })

function* readTopics(
  tx: Transaction,
  clipId: string,
  edited: ReturnType<typeof applyTopicEdits>,
): Operation<ClipTopics> {
  const steps = yield* readSteps(tx, clipId)
  return { clip_id: clipId, ...edited, ...steps, etag: yield* readEtag(tx, clipId, ["topics"]) }
}

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

/** Changes the topic edits of a clip and derives the rows of its topics. */
const changeTopicEdits = (
  database: SqlDatabase,
  clipId: string,
  ifMatch: IfMatch | undefined,
  change: (tx: Transaction, tree: TopicTree, edits: readonly StoredTopicEdit[]) => Operation<TopicEditChange>,
): Promise<ClipTopics | null> =>
  database.write([clipLockKey(clipId)], function* (tx) {
    const tree = yield* readTree(tx, clipId)
    if (!tree) return null
    yield* checkVersion(tx, clipId, ifMatch, ["topics"])
    yield* writeTopicEdits(tx, clipId, yield* change(tx, tree, yield* listTopicEdits(tx, clipId)))
    const edited = yield* applyStoredEdits(tx, clipId, tree)
    yield* writeTopicRows(tx, clipId, edited.tree)
    return yield* readTopics(tx, clipId, edited)
  })

type MakeEdits = (tree: TopicTree, edits: readonly StoredTopicEdit[], now: number) => readonly StoredTopicEdit[]

/** Makes a change that can be undone. */
const makeTopicEdits = (
  database: SqlDatabase,
  clipId: string,
  ifMatch: IfMatch | undefined,
  make: MakeEdits,
): Promise<ClipTopics | null> =>
  changeTopicEdits(database, clipId, ifMatch, function* (tx, tree, before) {
    const after = make(tree, before, tx.now)
    if (after.length > MAX_TOPIC_EDITS && after.length > before.length)
      throw new AppError(
        "invalid",
        `the clip has ${before.length} topic edits, and at most ${MAX_TOPIC_EDITS} can be stored. Reset some topics, or find the topics again with other settings`,
      )
    const change = diffTopicEdits(before, after)
    if (change.removed.length + change.added.length > 0) yield* recordStep(tx, clipId, change)
    return change
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
  return makeTopicEdits(database, clipId, ifMatch, (tree, edits, now) =>
    addTopicEdit({ tree, edits, topic, patch, words, now, newId }),
  )
}

export const changeTopics = async (
  database: SqlDatabase,
  clipId: string,
  change: StructureChange,
  { suggested, ifMatch }: { readonly suggested?: TopicText | undefined; readonly ifMatch?: IfMatch | undefined } = {},
): Promise<ClipTopics | null> => {
  const words = change.action === "add" || change.action === "split" ? await readWords(database, clipId) : []
  return makeTopicEdits(database, clipId, ifMatch, (tree, edits, now) =>
    changeStructure({ tree, edits, change, suggested, words, now, newId }),
  )
}

export const resetTopic = (
  database: SqlDatabase,
  clipId: string,
  topic: string,
  ifMatch?: IfMatch,
): Promise<ClipTopics | null> =>
  makeTopicEdits(database, clipId, ifMatch, (tree, edits, now) => resetTopicEdits({ tree, edits, topic, now, newId }))

export const removeTopicEdit = (
  database: SqlDatabase,
  clipId: string,
  editId: string,
  ifMatch?: IfMatch,
): Promise<ClipTopics | null> =>
  makeTopicEdits(database, clipId, ifMatch, (tree, edits) => {
    if (!edits.some((edit) => edit.id === editId))
      throw new AppError("not_found", `unknown edit '${editId}' of clip '${clipId}'`)
    return keepTextsInPlace(tree, edits, "keep", (all) => all.filter((edit) => edit.id !== editId))
  })

export const stepTopicEdits = (
  database: SqlDatabase,
  clipId: string,
  direction: "undo" | "redo",
  ifMatch?: IfMatch,
): Promise<ClipTopics | null> =>
  changeTopicEdits(database, clipId, ifMatch, function* (tx) {
    const change = yield* takeStep(tx, clipId, direction)
    if (change) return change
    throw new AppError("conflict", `there is no change of the topics of clip '${clipId}' to ${direction}`)
  })
