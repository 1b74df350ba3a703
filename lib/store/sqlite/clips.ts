import { asc, eq } from "drizzle-orm"
import type { Clip, ClipEntry } from "../../contracts/clips.ts"
import type { TopicSettings } from "../../contracts/jobs.ts"
import type { PersistOutput } from "../../contracts/state.ts"
import type { FlatTopic } from "../../contracts/topics.ts"
import { clips, topics, transcripts } from "../../db/schema/index.ts"
import { type Tx, withRead, withWrite } from "../../db/transact.ts"
import { embeddedText, newId } from "../../ids.ts"
import { overlay } from "../../topics/overlay.ts"
import type { MapSnapshot, NewClip, TranscriptColumns } from "../types.ts"
import { prepareTranscript, writeTopics, writeTranscript } from "./clip-writes.ts"
import type { Context } from "./context.ts"
import { readMapRevision } from "./map-revision.ts"
import { keptEdits } from "./topic-edits.ts"

const toFlat = (row: typeof topics.$inferSelect): FlatTopic => ({
  title: row.title,
  level: row.level,
  number: row.number,
  summary: row.summary,
  start_s: row.startS,
  duration_s: row.durationS,
})

export const toEntry = (clip: typeof clips.$inferSelect, rows: readonly (typeof topics.$inferSelect)[]): ClipEntry => ({
  id: clip.id,
  title: clip.title,
  source_url: clip.sourceUrl,
  file_path: clip.filePath,
  created_at: new Date(clip.createdAt).toISOString(),
  duration_s: clip.durationS,
  language: clip.language,
  topics: rows.map(toFlat),
  speakers: clip.speakers,
  voices: clip.voices,
  speech_engine: clip.speechEngine,
  whisper_model: clip.whisperModel,
  provider: clip.provider,
  llm_model: clip.llmModel,
  embed_model: clip.embedModel,
})

/** The rows of a clip, read in one transaction; what they mean is made of them outside of it. */
export const clipRows = (tx: Tx, id: string) => {
  const clip = tx.select().from(clips).where(eq(clips.id, id)).get()
  if (!clip) return null
  return {
    clip,
    words: tx.select().from(transcripts).where(eq(transcripts.clipId, id)).get()?.words,
    topics: tx.select().from(topics).where(eq(topics.clipId, id)).orderBy(asc(topics.ordinal)).all(),
    edits: keptEdits(tx, id),
  }
}

export const toClip = ({ clip, words, topics: rows, edits }: NonNullable<ReturnType<typeof clipRows>>): Clip => ({
  ...toEntry(clip, rows),
  transcription: words === undefined ? [] : JSON.parse(words),
  tree: overlay(clip.tree ?? { topics: [] }, edits).tree,
})

export const getClip = ({ handle }: Context, id: string): Clip | null => {
  const found = withRead(handle, (tx) => clipRows(tx, id))
  return found && toClip(found)
}

export const saveTranscript = (
  { handle, now }: Context,
  id: string,
  clip: NewClip,
  columns: TranscriptColumns,
): void => {
  const transcript = prepareTranscript(columns)
  withWrite(handle, (tx) => writeTranscript(tx, id, clip, transcript, now()))
}

export const saveTopics = (
  { handle, now }: Context,
  id: string,
  output: PersistOutput,
  settings: TopicSettings | null = null,
): boolean => withWrite(handle, (tx) => writeTopics(tx, id, output, { runId: newId(), at: now(), settings }))

export const mapRevision = ({ handle }: Context): number => withRead(handle, readMapRevision)

/** Clips that have topics: the others are not on the map. */
export const mapSnapshot = ({ handle }: Context): MapSnapshot => {
  const found = withRead(handle, (tx) => ({
    revision: readMapRevision(tx),
    rows: tx
      .select({ topic: topics, clipTitle: clips.title })
      .from(topics)
      .innerJoin(clips, eq(clips.id, topics.clipId))
      .orderBy(asc(clips.createdAt), asc(clips.id), asc(topics.ordinal))
      .all(),
  }))
  const titles = new Map(found.rows.map((r) => [r.topic.clipId, r.clipTitle]))
  return {
    revision: found.revision,
    clips: [...titles].map(([id, title]) => ({ id, title })),
    topics: found.rows.map(({ topic }) => ({
      ...toFlat(topic),
      clip_id: topic.clipId,
      hash: topic.hash,
      text: embeddedText(topic),
    })),
  }
}
