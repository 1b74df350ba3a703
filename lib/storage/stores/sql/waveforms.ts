import { and, eq } from "drizzle-orm"
import type { Waveform } from "../../../domain/transcript/waveform.ts"
import { type Context, clipLockKey } from "./context.ts"
import { get, run } from "./steps.ts"

export const getWaveform = async (c: Context, clipId: string, stamp: string): Promise<Waveform | null> => {
  const row = await c.read(({ db, t: { waveforms } }) =>
    get(
      db
        .select()
        .from(waveforms)
        .where(and(eq(waveforms.clipId, clipId), eq(waveforms.stamp, stamp))),
    ),
  )
  return row ? { duration_s: row.durationS, peaks: [...row.peaks] } : null
}

/** A clip that was removed meanwhile gets none. */
export const putWaveform = (c: Context, clipId: string, stamp: string, waveform: Waveform): Promise<void> =>
  c.write([clipLockKey(clipId)], function* ({ db, t: { clips, waveforms } }) {
    if (!(yield* get(db.select({ id: clips.id }).from(clips).where(eq(clips.id, clipId))))) return
    const set = { stamp, durationS: waveform.duration_s, peaks: Buffer.from(waveform.peaks) }
    yield* run(
      db
        .insert(waveforms)
        .values({ clipId, ...set })
        .onConflictDoUpdate({ target: waveforms.clipId, set }),
    )
  })
