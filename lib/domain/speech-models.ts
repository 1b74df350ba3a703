import * as z from "zod"

/** A model for hearing that is here or can be fetched. */
export const speechModel = z.object({
  name: z.string(),
  use: z.string(),
  purpose: z.string(),
  /** On this machine, or about what a pull fetches. */
  bytes: z.number(),
  /** What has come of one that is being fetched, or whose fetching was broken off. */
  fetched_bytes: z.number(),
  /** Codes; null: it does not depend on the language, or nobody knows. */
  languages: z.array(z.string()).nullable(),
  licence: z.string(),
  /** `own`: a folder that somebody put there. */
  state: z.enum(["absent", "partial", "present", "own"]),
  /** Whether the service fetches it just now. */
  pulling: z.boolean(),
  /** Why the last try to fetch it failed. */
  problem: z.string().optional(),
})
export type SpeechModel = z.infer<typeof speechModel>
