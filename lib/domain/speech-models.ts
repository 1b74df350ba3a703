import * as z from "zod"

/** A speech model that is installed or can be downloaded. */
export const speechModel = z.object({
  name: z.string(),
  use: z.string(),
  purpose: z.string(),
  /** The installed size, or the approximate download size. */
  bytes: z.number(),
  /** The bytes that a running or interrupted download has received. */
  fetched_bytes: z.number(),
  /** Language codes. Null if the model is language-independent or its languages are unknown. */
  languages: z.array(z.string()).nullable(),
  licence: z.string(),
  /** `own` is a folder that the user added. */
  state: z.enum(["absent", "partial", "present", "own"]),
  /** True while the service downloads it. */
  pulling: z.boolean(),
  /** Why the last download failed. */
  problem: z.string().optional(),
})
export type SpeechModel = z.infer<typeof speechModel>
