import { and, asc, count, eq, sql } from "drizzle-orm"
import type { IfMatch } from "../../../../domain/clip-version.ts"
import { MAX_WORD_EDITS } from "../../../../domain/constants.ts"
import { AppError } from "../../../../domain/errors.ts"
import { applyWordEdits } from "../../../../domain/transcript/apply-word-edits.ts"
import type { StoredWordEdit, WordEdit } from "../../../../domain/transcript/word-edits.ts"
import type { WordSpan } from "../../../../domain/transcript/words.ts"
import type { wordEdits } from "../../../database/schema/index.ts"
import type { NewClip, TranscriptColumns } from "../../ports/clips.ts"
import { clipLockKey, type SqlDatabase, type Transaction } from "../database.ts"
import { clearTopicSpeech } from "../map/map.ts"
import { updateQuotes } from "../notes.ts"
import { PEOPLE_LOCK } from "../people/links.ts"
import { writeEmbeddings } from "../people/recognition.ts"
import { all, get, inBatches, type Operation, run } from "../statements.ts"
import { checkVersion, countChange } from "./versions.ts"

type SerializedTranscript = TranscriptColumns & { readonly json: string }

export const serializeTranscript = (columns: TranscriptColumns): SerializedTranscript => ({
  ...columns,
  json: JSON.stringify(columns.words),
})

export const saveTranscript = async (
  database: SqlDatabase,
  id: string,
  clip: NewClip,
  columns: TranscriptColumns,
): Promise<void> => {
  const transcript = serializeTranscript(columns)
  await database.write([clipLockKey(id), PEOPLE_LOCK], (tx) => writeTranscript(tx, id, clip, transcript))
}

/**
 * Writes a transcript with the stored word edits applied. An existing clip keeps its title and source; only a missing file
 * path is filled in. Speakers that are known people get their names. Needs the locks of the clip and of people.
 */
export function* writeTranscript(
  tx: Transaction,
  id: string,
  clip: NewClip,
  transcript: SerializedTranscript,
): Operation<void> {
  const { db } = tx
  const { clips, transcripts } = tx.tables
  const { words, voices, heard } = yield* applyStoredEdits(tx, id, transcript)
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
      .values({ id, title: clip.title, sourceUrl: clip.source_url, filePath, createdAt: tx.now, ...columns })
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
  yield* updateQuotes(tx, id, () => JSON.parse(words))
  yield* writeEmbeddings(tx, id, transcript.speaker_embeddings)
  yield* countChange(tx, id, ["transcript"])
  yield* clearTopicSpeech(tx, id)
}

type EditRow = typeof wordEdits.$inferSelect

const countSpeakers = (words: readonly WordSpan[]): number => new Set(words.map((w) => w.speaker)).size

export const readEditRows = ({ db, tables: { wordEdits } }: Transaction, clipId: string): Operation<EditRow[]> =>
  all(db.select().from(wordEdits).where(eq(wordEdits.clipId, clipId)).orderBy(asc(wordEdits.id)))

const toStoredEdit = (row: EditRow): StoredWordEdit => ({
  id: row.id,
  at: new Date(row.at).toISOString(),
  edit: row.edit,
})

/**
 * Applies the stored edits of a clip to a new transcript. Deletes edits that merge speakers, because each transcription
 * numbers the speakers anew. `heard` is the unedited transcript, or null if there are no edits.
 */
function* applyStoredEdits(
  tx: Transaction,
  clipId: string,
  { words, json }: SerializedTranscript,
): Operation<{ words: string; voices: number; heard: string | null }> {
  const { wordEdits } = tx.tables
  const isMerge = sql`${tx.dialect.jsonText(wordEdits.edit, "kind")} = 'merge'`
  yield* run(tx.db.delete(wordEdits).where(and(eq(wordEdits.clipId, clipId), isMerge)))
  const edits = (yield* readEditRows(tx, clipId)).map((row) => row.edit)
  if (edits.length === 0) return { words: json, voices: countSpeakers(words), heard: null }
  const edited = applyWordEdits(words, edits)
  return { words: JSON.stringify(edited), voices: countSpeakers(edited), heard: json }
}

/** Writes the words of a transcript after its edits have changed. `heard` is the unedited one, or null without edits. */
export function* writeEditedWords(
  tx: Transaction,
  clipId: string,
  words: readonly WordSpan[],
  heard: string | null,
): Operation<void> {
  const { clips, transcripts } = tx.tables
  const set = { words: JSON.stringify(words), heard }
  yield* run(tx.db.update(transcripts).set(set).where(eq(transcripts.clipId, clipId)))
  const voices = countSpeakers(words)
  yield* run(tx.db.update(clips).set({ voices }).where(eq(clips.id, clipId)))
  yield* updateQuotes(tx, clipId, () => words)
  yield* countChange(tx, clipId, ["transcript"])
  yield* clearTopicSpeech(tx, clipId)
}

/** Reads the transcript of a clip. Returns undefined for an unknown clip; the words are null without a transcript. */
export const readTranscript = ({ db, tables: { clips, transcripts } }: Transaction, clipId: string) =>
  get(
    db
      .select({ words: transcripts.words, heard: transcripts.heard })
      .from(clips)
      .leftJoin(transcripts, eq(transcripts.clipId, clips.id))
      .where(eq(clips.id, clipId)),
  )

export const listWordEdits = async (database: SqlDatabase, clipId: string): Promise<StoredWordEdit[] | null> => {
  const rows = await database.read(function* (tx) {
    return (yield* readTranscript(tx, clipId)) ? yield* readEditRows(tx, clipId) : null
  })
  return rows?.map(toStoredEdit) ?? null
}

export function* countEdits({ db, tables: { wordEdits } }: Transaction, clipId: string): Operation<number> {
  return (yield* get(db.select({ stored: count() }).from(wordEdits).where(eq(wordEdits.clipId, clipId))))?.stored ?? 0
}

const tooManyEdits = (stored: number): AppError =>
  new AppError(
    "invalid",
    `edits: the recording has ${stored} corrections, and at most ${MAX_WORD_EDITS} can be stored. Remove some, or submit the corrected transcript as 'transcription'.`,
  )

export const editWords = async (
  database: SqlDatabase,
  clipId: string,
  edits: readonly WordEdit[],
  ifMatch?: IfMatch,
): Promise<StoredWordEdit[] | null> => {
  const rows = await database.write([clipLockKey(clipId)], function* (tx) {
    const before = yield* readTranscript(tx, clipId)
    if (!before) return null
    yield* checkVersion(tx, clipId, ifMatch, ["transcript"])
    if (before.words === null) return []
    const stored = yield* countEdits(tx, clipId)
    if (stored + edits.length > MAX_WORD_EDITS) throw tooManyEdits(stored)
    yield* writeEditedWords(tx, clipId, applyWordEdits(JSON.parse(before.words), edits), before.heard ?? before.words)
    const inserted: EditRow[] = []
    for (const batch of inBatches(edits)) {
      const rows = batch.map((edit) => ({ clipId, at: tx.now, edit }))
      inserted.push(...(yield* all(tx.db.insert(tx.tables.wordEdits).values(rows).returning())))
    }
    return inserted.sort((a, b) => a.id - b.id)
  })
  return rows?.map(toStoredEdit) ?? null
}

export const removeWordEdit = (
  database: SqlDatabase,
  clipId: string,
  id: number,
  ifMatch?: IfMatch,
): Promise<boolean> =>
  database.write([clipLockKey(clipId)], function* (tx) {
    const { wordEdits } = tx.tables
    const isRemoved = and(eq(wordEdits.clipId, clipId), eq(wordEdits.id, id))
    const before = yield* readTranscript(tx, clipId)
    if (!before?.heard || !(yield* get(tx.db.select().from(wordEdits).where(isRemoved)))) return false
    yield* checkVersion(tx, clipId, ifMatch, ["transcript"])
    const remaining = (yield* readEditRows(tx, clipId)).filter((row) => row.id !== id)
    const words = applyWordEdits(
      JSON.parse(before.heard),
      remaining.map((row) => row.edit),
    )
    yield* writeEditedWords(tx, clipId, words, remaining.length > 0 ? before.heard : null)
    yield* run(tx.db.delete(wordEdits).where(isRemoved))
    return true
  })
