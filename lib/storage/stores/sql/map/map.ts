import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm"
import { AppError } from "../../../../domain/errors.ts"
import { findLeadingSpeakers } from "../../../../domain/topics/topic-speakers.ts"
import { topicEmbeddingText } from "../../../../domain/topics/topic-tree.ts"
import type { MapSnapshot } from "../../ports/map.ts"
import { clipLockKey, type SqlDatabase, type Transaction } from "../database.ts"
import { all, get, inBatches, type Operation, run } from "../statements.ts"
import { toFlatTopic } from "../topics/topic-rows.ts"

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

/** Clears the speakers of a clip's topics after a change of its words. The next snapshot computes them. */
export function* clearTopicSpeakers(tx: Transaction, clipId: string): Operation<void> {
  const { topics } = tx.tables
  const changed = yield* run(tx.db.update(topics).set({ speaker: null }).where(eq(topics.clipId, clipId)))
  if (changed > 0) yield* incrementMapRevision(tx)
}

/** Computes the missing speakers of a clip's topics. The map revision stays, because it stands for unknown speakers too. */
export const computeTopicSpeakers = (database: SqlDatabase, clipId: string): Promise<void> =>
  database.write([clipLockKey(clipId)], function* (tx) {
    const { topics, transcripts } = tx.tables
    const isMissing = and(eq(topics.clipId, clipId), isNull(topics.speaker))
    const rows = yield* all(tx.db.select().from(topics).where(isMissing).orderBy(asc(topics.ordinal)))
    if (rows.length === 0) return
    const words = (yield* get(tx.db.select().from(transcripts).where(eq(transcripts.clipId, clipId))))?.words
    const spans = rows.map((row) => ({ start_s: row.startS, duration_s: row.durationS }))
    const leading = findLeadingSpeakers(words === undefined ? [] : JSON.parse(words), spans)
    const speakers = rows.map((_, i) => leading[i] ?? NO_SPEAKER)
    // One statement per speaker instead of one per topic, because each is a round trip.
    for (const speaker of new Set(speakers)) {
      const ordinals = rows.filter((_, i) => speakers[i] === speaker).map((row) => row.ordinal)
      for (const batch of inBatches(ordinals)) {
        const isInBatch = and(eq(topics.clipId, clipId), inArray(topics.ordinal, batch))
        yield* run(tx.db.update(topics).set({ speaker }).where(isInBatch))
      }
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

/** Computes missing speakers, once per change of a clip. In a read-only database they stay unknown. */
const fillMissingSpeakers = async (database: SqlDatabase, read: MapRows): Promise<MapRows> => {
  const clipIds = new Set(read.rows.filter((r) => r.topic.speaker === null).map((r) => r.topic.clipId))
  if (clipIds.size === 0) return read
  try {
    for (const id of clipIds) await computeTopicSpeakers(database, id)
  } catch (error) {
    if (AppError.is(error)) return read
    throw error
  }
  return readMapRows(database)
}

export const getMapSnapshot = async (database: SqlDatabase): Promise<MapSnapshot> => {
  const { revision, rows } = await fillMissingSpeakers(database, await readMapRows(database))
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
      text: topicEmbeddingText(topic),
    })),
  }
}
