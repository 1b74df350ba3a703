import { and, eq } from "drizzle-orm"
import type { Waveform } from "../../../../domain/transcript/waveform.ts"
import { clipLockKey, type SqlDatabase } from "../database.ts"
import { get, run } from "../statements.ts"

export const getWaveform = async (database: SqlDatabase, clipId: string, stamp: string): Promise<Waveform | null> => {
  const row = await database.read(({ db, tables: { waveforms } }) =>
    get(
      db
        .select()
        .from(waveforms)
        .where(and(eq(waveforms.clipId, clipId), eq(waveforms.stamp, stamp))),
    ),
  )
  return row ? { duration_s: row.durationS, peaks: [...row.peaks] } : null
}

/** Saves a waveform, unless the clip has been deleted meanwhile. */
export const saveWaveform = (database: SqlDatabase, clipId: string, stamp: string, waveform: Waveform): Promise<void> =>
  database.write([clipLockKey(clipId)], function* ({ db, tables: { clips, waveforms } }) {
    if (!(yield* get(db.select({ id: clips.id }).from(clips).where(eq(clips.id, clipId))))) return
    const set = { stamp, durationS: waveform.duration_s, peaks: Buffer.from(waveform.peaks) }
    yield* run(
      db
        .insert(waveforms)
        .values({ clipId, ...set })
        .onConflictDoUpdate({ target: waveforms.clipId, set }),
    )
  })
