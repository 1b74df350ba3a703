import { and, asc, eq, inArray, isNull } from "drizzle-orm"
import { leadingSpeakers } from "../../../domain/topics/topic-speakers.ts"
import { chunks } from "./chunks.ts"
import { type Context, clipLockKey, type Tx } from "./context.ts"
import { raiseMapRevision } from "./map-revision.ts"
import { all, get, run, type Steps } from "./steps.ts"

/** Nobody speaks in the topic; null says that nobody has looked yet. */
export const NO_SPEAKER = ""

/** To be called when the words of a clip change: who leads its topics is looked up when the map is asked for next. */
export function* forgetSpeakers(tx: Tx, clipId: string): Steps<void> {
  const { topics } = tx.t
  const shown = yield* run(tx.db.update(topics).set({ speaker: null }).where(eq(topics.clipId, clipId)))
  if (shown > 0) yield* raiseMapRevision(tx)
}

/** Looks up who leads the topics of a clip. The map has the same revision before and after: what it says was unknown. */
export const computeTopicSpeakers = (c: Context, clipId: string): Promise<void> =>
  c.write([clipLockKey(clipId)], function* (tx) {
    const { topics, transcripts } = tx.t
    const unknown = and(eq(topics.clipId, clipId), isNull(topics.speaker))
    const rows = yield* all(tx.db.select().from(topics).where(unknown).orderBy(asc(topics.ordinal)))
    if (rows.length === 0) return
    const words = (yield* get(tx.db.select().from(transcripts).where(eq(transcripts.clipId, clipId))))?.words
    const spans = rows.map((row) => ({ start_s: row.startS, duration_s: row.durationS }))
    const leading = leadingSpeakers(words === undefined ? [] : JSON.parse(words), spans)
    // A statement a voice, not a topic: each is a round trip.
    for (const voice of new Set(rows.map((_, i) => leading[i] ?? NO_SPEAKER))) {
      const led = rows.flatMap(({ ordinal }, i) => ((leading[i] ?? NO_SPEAKER) === voice ? [ordinal] : []))
      for (const part of chunks(led)) {
        const those = and(eq(topics.clipId, clipId), inArray(topics.ordinal, part))
        yield* run(tx.db.update(topics).set({ speaker: voice }).where(those))
      }
    }
  })
