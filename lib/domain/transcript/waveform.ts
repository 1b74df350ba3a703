import * as z from "zod"

/** How loud a recording is over its time: equal slices, each 0 (silence) to 255 (its loudest moment). */
export const waveform = z.object({
  duration_s: z.number().min(0),
  peaks: z.array(z.int().min(0).max(255)),
})
export type Waveform = z.infer<typeof waveform>
