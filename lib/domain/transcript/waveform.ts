import * as z from "zod"

/** The loudness of a recording in equal time slices, from 0 (silence) to 255 (the loudest moment of the recording). */
export const waveform = z.object({
  duration_s: z.number().min(0).describe("The length of the recording in seconds"),
  peaks: z
    .array(z.int().min(0).max(255))
    .describe("The loudness of equal slices of time, from 0 (silence) to 255 (the loudest moment)"),
})
export type Waveform = z.infer<typeof waveform>
