import { asc, eq } from "drizzle-orm"
import type { Clip, ClipEntry } from "../../../domain/clips.ts"
import { AppError } from "../../../domain/errors.ts"
import { embeddedText, newId } from "../../../domain/ids.ts"
import type { PersistOutput } from "../../../domain/jobs/job-state.ts"
import type { TopicSettings } from "../../../domain/jobs/jobs.ts"
import { overlay } from "../../../domain/topics/overlay.ts"
import type { KeptEdit } from "../../../domain/topics/stored-edit.ts"
import type { FlatTopic, TopicTree } from "../../../domain/topics/topic-tree.ts"
import type { clips, topics } from "../../database/schema/index.ts"
import type { NewClip, TranscriptColumns } from "../ports/clips.ts"
import type { MapSnapshot } from "../ports/map.ts"
import { prepareTranscript, writeTopics, writeTranscript } from "./clip-writes.ts"
import { type Context, clipLockKey, type Tx } from "./context.ts"
import { readMapRevision } from "./map-revision.ts"
import { computeTopicSpeakers } from "./speakers.ts"
import { all, get, type Steps } from "./steps.ts"
import { keptEdits } from "./topic-edits.ts"

type ClipRow = typeof clips.$inferSelect
type TopicRow = typeof topics.$inferSelect

const toFlat = (row: TopicRow): FlatTopic => ({
  title: row.title,
  level: row.level,
  number: row.number,
  summary: row.summary,
  start_s: row.startS,
  duration_s: row.durationS,
})

export const toEntry = (clip: ClipRow, rows: readonly TopicRow[]): ClipEntry => ({
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
  diarized: clip.diarized,
  estimated_times: clip.estimatedTimes,
  transcript_notes: clip.transcriptNotes,
  channel: clip.channel,
  published_at: clip.publishedAt === null ? null : new Date(clip.publishedAt).toISOString(),
  provider: clip.provider,
  llm_model: clip.llmModel,
  embed_model: clip.embedModel,
})

type ClipRows = {
  readonly clip: ClipRow
  readonly words: string | undefined
  readonly topics: readonly TopicRow[]
  readonly edits: readonly KeptEdit[]
}

/** The rows of a clip, read in one transaction; what they mean is made of them outside of it. */
export function* clipRows(tx: Tx, id: string): Steps<ClipRows | null> {
  const { clips, topics, transcripts } = tx.t
  const clip = yield* get(tx.db.select().from(clips).where(eq(clips.id, id)))
  if (!clip) return null
  return {
    clip,
    words: (yield* get(tx.db.select().from(transcripts).where(eq(transcripts.clipId, id))))?.words,
    topics: yield* all(tx.db.select().from(topics).where(eq(topics.clipId, id)).orderBy(asc(topics.ordinal))),
    edits: yield* keptEdits(tx, id),
  }
}

export const toClip = ({ clip, words, topics: rows, edits }: ClipRows): Clip => {
  const tree: TopicTree = clip.tree ?? { topics: [] }
  return {
    ...toEntry(clip, rows),
    transcription: words === undefined ? [] : JSON.parse(words),
    tree: overlay(tree, edits).tree,
  }
}

export const getClip = async (c: Context, id: string): Promise<Clip | null> => {
  const found = await c.read((tx) => clipRows(tx, id))
  return found && toClip(found)
}

export const clipTitle = async (c: Context, id: string): Promise<string | null> => {
  const row = await c.read(({ db, t: { clips } }) =>
    get(db.select({ title: clips.title }).from(clips).where(eq(clips.id, id))),
  )
  return row?.title ?? null
}

export const saveTranscript = async (
  c: Context,
  id: string,
  clip: NewClip,
  columns: TranscriptColumns,
): Promise<void> => {
  const transcript = prepareTranscript(columns)
  await c.write([clipLockKey(id)], (tx) => writeTranscript(tx, id, clip, transcript))
}

export const saveTopics = (
  c: Context,
  id: string,
  output: PersistOutput,
  settings: TopicSettings | null = null,
): Promise<boolean> => c.write([clipLockKey(id)], (tx) => writeTopics(tx, id, output, { runId: newId(), settings }))

export const mapRevision = (c: Context): Promise<number> => c.read(readMapRevision)

/** Clips that have topics: the others are not on the map. */
const readMap = (c: Context) =>
  c.read(function* (tx) {
    const { clips, topics } = tx.t
    const { title, speakers, createdAt, publishedAt } = clips
    const ofClips = tx.db
      .select({ topic: topics, clip: { title, speakers, createdAt, publishedAt } })
      .from(topics)
      .innerJoin(clips, eq(clips.id, topics.clipId))
    return {
      revision: yield* readMapRevision(tx),
      rows: yield* all(ofClips.orderBy(asc(clips.createdAt), asc(clips.id), asc(topics.ordinal))),
    }
  })

type MapRows = Awaited<ReturnType<typeof readMap>>

/** Who leads the topics is found out here, once for each change of a clip. A database that takes no writes leaves it open. */
const withSpeakers = async (c: Context, found: MapRows): Promise<MapRows> => {
  const unknown = new Set(found.rows.filter((r) => r.topic.speaker === null).map((r) => r.topic.clipId))
  if (unknown.size === 0) return found
  try {
    for (const id of unknown) await computeTopicSpeakers(c, id)
  } catch (error) {
    if (AppError.is(error)) return found
    throw error
  }
  return readMap(c)
}

export const mapSnapshot = async (c: Context): Promise<MapSnapshot> => {
  const found = await withSpeakers(c, await readMap(c))
  const clips = new Map(found.rows.map((r) => [r.topic.clipId, r.clip]))
  return {
    revision: found.revision,
    clips: [...clips].map(([id, { title, speakers, createdAt, publishedAt }]) => ({
      id,
      title,
      speakers,
      date: new Date(publishedAt ?? createdAt).toISOString(),
    })),
    topics: found.rows.map(({ topic }) => ({
      ...toFlat(topic),
      clip_id: topic.clipId,
      speaker: topic.speaker || null,
      hash: topic.hash,
      text: embeddedText(topic),
    })),
  }
}
