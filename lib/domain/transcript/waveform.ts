import * as z from "zod"

/** The loudness of a recording in equal time slices, from 0 (silence) to 255 (the loudest moment of the recording). */
export const waveform = z.object({
  duration_s: z.number().min(0),
  peaks: z.array(z.int().min(0).max(255)),
})
export type Waveform = z.infer<typeof waveform>
