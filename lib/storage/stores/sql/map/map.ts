import { and, asc, eq, isNull, or, sql } from "drizzle-orm"
import { AppError } from "../../../../domain/errors.ts"
import { describeSpeech } from "../../../../domain/topics/speech.ts"
import { findLeadingSpeakers } from "../../../../domain/topics/topic-speakers.ts"
import { topicEmbeddingText } from "../../../../domain/topics/topic-tree.ts"
import type { WordSpan } from "../../../../domain/transcript/words.ts"
import type { MapSnapshot } from "../../ports/map.ts"
import { clipLockKey, type SqlDatabase, type Transaction } from "../database.ts"
import { all, get, type Operation, run } from "../statements.ts"
import { toFlatTopic } from "../topics/topic-rows.ts"
import { deleteUnusedSpeech, insertSpeech, listSpeechHashes } from "./speech.ts"

const REVISION_COUNTER = "map_revision"

function* readMapRevision({ db, tables: { counters } }: Transaction): Operation<number> {
  return (yield* get(db.select().from(counters).where(eq(counters.name, REVISION_COUNTER))))?.value ?? 0
}

/** Increments the map revision in the transaction of a change, so that a reader of the new number sees the change. */
export const incrementMapRevision = ({ db, tables: { counters } }: Transaction): Operation<number> =>
  run(
    db
      .insert(counters)
      .values({ name: REVISION_COUNTER, value: 1 })
      .onConflictDoUpdate({ target: counters.name, set: { value: sql`${counters.value} + 1` } }),
  )

export const getMapRevision = (database: SqlDatabase): Promise<number> => database.read(readMapRevision)

/** Stored as the speaker of a topic in which nobody speaks. Null means that the speaker is not computed yet. */
const NO_SPEAKER = ""

/** Clears what was computed from the words of a clip's topics, after the words have changed. */
export function* clearTopicSpeech(tx: Transaction, clipId: string): Operation<void> {
  const { topics } = tx.tables
  const before = yield* listSpeechHashes(tx, clipId)
  const changed = yield* run(
    tx.db.update(topics).set({ speaker: null, speechHash: null }).where(eq(topics.clipId, clipId)),
  )
  yield* deleteUnusedSpeech(tx, before)
  if (changed > 0) yield* incrementMapRevision(tx)
}

/**
 * Computes the missing speakers and speech of the topics of a clip. The map revision does not change, because every reader
 * computes them before it shows the map.
 */
export const computeTopicSpeech = (database: SqlDatabase, clipId: string): Promise<void> =>
  database.write([clipLockKey(clipId)], function* (tx) {
    const { topics, transcripts } = tx.tables
    const isMissing = and(eq(topics.clipId, clipId), or(isNull(topics.speaker), isNull(topics.speechHash)))
    const rows = yield* all(tx.db.select().from(topics).where(isMissing).orderBy(asc(topics.ordinal)))
    if (rows.length === 0) return
    const json = (yield* get(tx.db.select().from(transcripts).where(eq(transcripts.clipId, clipId))))?.words
    const words: readonly WordSpan[] = json === undefined ? [] : JSON.parse(json)
    const spans = rows.map(toFlatTopic)
    const speakers = findLeadingSpeakers(words, spans)
    const speech = describeSpeech(words, spans)
    yield* insertSpeech(tx, speech)
    for (const [i, { ordinal }] of rows.entries()) {
      const isTopic = and(eq(topics.clipId, clipId), eq(topics.ordinal, ordinal))
      const set = { speaker: speakers[i] ?? NO_SPEAKER, speechHash: speech[i]!.hash }
      yield* run(tx.db.update(topics).set(set).where(isTopic))
    }
  })

/** Reads the revision and the topics of all clips. Clips without topics are not on the map. */
const readMapRows = (database: SqlDatabase) =>
  database.read(function* (tx) {
    const { clips, topics } = tx.tables
    const { title, speakers, createdAt, publishedAt } = clips
    const withClips = tx.db
      .select({ topic: topics, clip: { title, speakers, createdAt, publishedAt } })
      .from(topics)
      .innerJoin(clips, eq(clips.id, topics.clipId))
    return {
      revision: yield* readMapRevision(tx),
      rows: yield* all(withClips.orderBy(asc(clips.createdAt), asc(clips.id), asc(topics.ordinal))),
    }
  })

type MapRows = Awaited<ReturnType<typeof readMapRows>>

/** Computes missing speakers and speech, once per change of a clip. In a read-only database they stay unknown. */
const fillMissingSpeech = async (database: SqlDatabase, read: MapRows): Promise<MapRows> => {
  const clipIds = new Set(
    read.rows.filter(({ topic }) => topic.speaker === null || topic.speechHash === null).map((r) => r.topic.clipId),
  )
  if (clipIds.size === 0) return read
  try {
    for (const id of clipIds) await computeTopicSpeech(database, id)
  } catch (error) {
    if (AppError.is(error)) return read
    throw error
  }
  return readMapRows(database)
}

export const getMapSnapshot = async (database: SqlDatabase): Promise<MapSnapshot> => {
  const { revision, rows } = await fillMissingSpeech(database, await readMapRows(database))
  const clips = new Map(rows.map((row) => [row.topic.clipId, row.clip]))
  return {
    revision,
    clips: [...clips].map(([id, { title, speakers, createdAt, publishedAt }]) => ({
      id,
      title,
      speakers,
      date: new Date(publishedAt ?? createdAt).toISOString(),
    })),
    topics: rows.map(({ topic }) => ({
      ...toFlatTopic(topic),
      clip_id: topic.clipId,
      speaker: topic.speaker || null,
      hash: topic.hash,
      speechHash: topic.speechHash ?? topic.hash,
      text: topicEmbeddingText(topic),
    })),
  }
}
