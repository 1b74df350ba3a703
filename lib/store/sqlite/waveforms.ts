import { and, eq } from "drizzle-orm"
import type { Waveform } from "../../contracts/waveform.ts"
import { clips, waveforms } from "../../db/schema/index.ts"
import { withRead, withWrite } from "../../db/transact.ts"
import type { Context } from "./context.ts"

export const getWaveform = ({ handle }: Context, clipId: string, stamp: string): Waveform | null => {
  const of = and(eq(waveforms.clipId, clipId), eq(waveforms.stamp, stamp))
  const row = withRead(handle, (tx) => tx.select().from(waveforms).where(of).get())
  return row ? { duration_s: row.durationS, peaks: [...row.peaks] } : null
}

/** A clip that was removed meanwhile gets none. */
export const putWaveform = ({ handle }: Context, clipId: string, stamp: string, waveform: Waveform): void =>
  withWrite(handle, (tx) => {
    if (!tx.select({ id: clips.id }).from(clips).where(eq(clips.id, clipId)).get()) return
    const set = { stamp, durationS: waveform.duration_s, peaks: Buffer.from(waveform.peaks) }
    tx.insert(waveforms)
      .values({ clipId, ...set })
      .onConflictDoUpdate({ target: waveforms.clipId, set })
      .run()
  })
