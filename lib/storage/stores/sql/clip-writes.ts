import { eq, sql } from "drizzle-orm"
import { embeddedText, sha256 } from "../../../domain/ids.ts"
import type { PersistOutput } from "../../../domain/jobs/job-state.ts"
import type { TopicSettings } from "../../../domain/jobs/jobs.ts"
import type { TopicTree } from "../../../domain/topics/topic-tree.ts"
import type { NewClip, TranscriptColumns } from "../ports/clips.ts"
import { chunks } from "./chunks.ts"
import type { Tx } from "./context.ts"
import { flatten } from "./flatten.ts"
import { raiseMapRevision } from "./map-revision.ts"
import { forgetSpeakers } from "./speakers.ts"
import { get, run, type Steps } from "./steps.ts"
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
export function* writeTranscript(tx: Tx, id: string, clip: NewClip, transcript: Transcript): Steps<void> {
  const { db } = tx
  const { clips, transcripts } = tx.t
  const { words, voices, heard } = yield* corrected(tx, id, transcript)
  const columns = {
    voices,
    durationS: transcript.duration_s,
    language: transcript.language,
    speechEngine: transcript.speech_engine,
    whisperModel: transcript.whisper_model,
    channel: transcript.about?.channel ?? null,
    publishedAt: transcript.about?.published_at ? Date.parse(transcript.about.published_at) : null,
    diarized: transcript.diarized ?? null,
    estimatedTimes: transcript.estimated_times ?? null,
    transcriptNotes: transcript.transcript_notes ?? [],
  }
  const filePath = transcript.file_path ?? clip.file_path
  yield* run(
    db
      .insert(clips)
      .values({ id, title: clip.title, sourceUrl: clip.source_url, filePath, createdAt: tx.at, ...columns })
      .onConflictDoUpdate({
        target: clips.id,
        set: { ...columns, filePath: sql`coalesce(${clips.filePath}, excluded.file_path)` },
      }),
  )
  yield* run(
    db
      .insert(transcripts)
      .values({ clipId: id, words, heard })
      .onConflictDoUpdate({ target: transcripts.clipId, set: { words, heard } }),
  )
  yield* forgetSpeakers(tx, id)
}

/** The rows by which lists, map and search know the topics: those of the tree that people see. */
export function* writeTopicRows(tx: Tx, id: string, shown: TopicTree): Steps<void> {
  const { topics } = tx.t
  yield* run(tx.db.delete(topics).where(eq(topics.clipId, id)))
  const rows = flatten(shown).map(({ start_s, duration_s, ...topic }, ordinal) => ({
    ...topic,
    hash: sha256(embeddedText(topic)),
    clipId: id,
    ordinal,
    startS: start_s,
    durationS: duration_s,
  }))
  for (const part of chunks(rows)) yield* run(tx.db.insert(topics).values(part))
  yield* raiseMapRevision(tx)
}

/** Who made a tree, for the list of runs. */
export type RunInfo = { readonly runId: string; readonly settings: TopicSettings | null }

/**
 * Replaces tree, topics and the columns that tell who made them, and keeps the tree as a run. What people wrote over the
 * topics is laid over the new ones. False, with nothing written: unknown clip.
 */
export function* writeTopics(tx: Tx, id: string, output: PersistOutput, info: RunInfo): Steps<boolean> {
  const { clips } = tx.t
  const before = yield* get(tx.db.select().from(clips).where(eq(clips.id, id)))
  if (!before) return false
  yield* keepRun(tx, before, output, info)
  const { tree, provider, llm_model: llmModel, embed_model: embedModel } = output
  yield* run(tx.db.update(clips).set({ tree, provider, llmModel, embedModel }).where(eq(clips.id, id)))
  yield* writeTopicRows(tx, id, (yield* shownTree(tx, id, tree)).tree)
  yield* insertVectors(tx, embedModel, output.vectors)
  return true
}
