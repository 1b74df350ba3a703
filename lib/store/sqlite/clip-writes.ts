import { eq, sql } from "drizzle-orm"
import type { TopicSettings } from "../../contracts/jobs.ts"
import type { PersistOutput } from "../../contracts/state.ts"
import type { TopicTree } from "../../contracts/topics.ts"
import { clips, topics, transcripts } from "../../db/schema/index.ts"
import type { Tx } from "../../db/transact.ts"
import { embeddedText, sha256 } from "../../ids.ts"
import type { NewClip, TranscriptColumns } from "../types.ts"
import { chunks } from "./chunks.ts"
import { flatten } from "./flatten.ts"
import { raiseMapRevision } from "./map-revision.ts"
import { shownTree } from "./topic-edits.ts"
import { keepRun } from "./topic-runs.ts"
import { insertVectors } from "./vectors.ts"
import { corrected } from "./word-edits.ts"

type Transcript = TranscriptColumns & { readonly json: string }

export const prepareTranscript = (columns: TranscriptColumns): Transcript => ({
  ...columns,
  json: JSON.stringify(columns.words),
})

/** First writer wins for what names the clip; a file that became known later is filled in. Corrections stay. */
export const writeTranscript = (tx: Tx, id: string, clip: NewClip, transcript: Transcript, at: number): void => {
  const { words, voices, heard } = corrected(tx, id, transcript)
  const columns = {
    voices,
    durationS: transcript.duration_s,
    language: transcript.language,
    speechEngine: transcript.speech_engine,
    whisperModel: transcript.whisper_model,
  }
  const filePath = transcript.file_path ?? clip.file_path
  tx.insert(clips)
    .values({ id, title: clip.title, sourceUrl: clip.source_url, filePath, createdAt: at, ...columns })
    .onConflictDoUpdate({
      target: clips.id,
      set: { ...columns, filePath: sql`coalesce(${clips.filePath}, excluded.file_path)` },
    })
    .run()
  tx.insert(transcripts)
    .values({ clipId: id, words, heard })
    .onConflictDoUpdate({ target: transcripts.clipId, set: { words, heard } })
    .run()
}

/** The rows by which lists, map and search know the topics: those of the tree that people see. */
export const writeTopicRows = (tx: Tx, id: string, shown: TopicTree): void => {
  tx.delete(topics).where(eq(topics.clipId, id)).run()
  const rows = flatten(shown).map(({ start_s, duration_s, ...topic }, ordinal) => ({
    ...topic,
    hash: sha256(embeddedText(topic)),
    clipId: id,
    ordinal,
    startS: start_s,
    durationS: duration_s,
  }))
  for (const part of chunks(rows)) tx.insert(topics).values(part).run()
  raiseMapRevision(tx)
}

/** Who made a tree, for the list of runs. `at`: milliseconds since the epoch. */
export type RunInfo = { readonly runId: string; readonly at: number; readonly settings: TopicSettings | null }

/**
 * Replaces tree, topics and the columns that tell who made them, and keeps the tree as a run. What people wrote over the
 * topics is laid over the new ones. False, with nothing written: unknown clip.
 */
export const writeTopics = (tx: Tx, id: string, output: PersistOutput, run: RunInfo): boolean => {
  const before = tx.select().from(clips).where(eq(clips.id, id)).get()
  if (!before) return false
  keepRun(tx, before, output, run)
  tx.update(clips)
    .set({
      tree: output.tree,
      provider: output.provider,
      llmModel: output.llm_model,
      embedModel: output.embed_model,
    })
    .where(eq(clips.id, id))
    .run()
  writeTopicRows(tx, id, shownTree(tx, id, output.tree).tree)
  insertVectors(tx, output.embed_model, output.vectors)
  return true
}
