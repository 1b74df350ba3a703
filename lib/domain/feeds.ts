import * as z from "zod"
import { isoTime } from "./schemas.ts"

/** A podcast episode. `url` can be the source of a job. */
export const episode = z.object({
  title: z.string(),
  url: z.string(),
  published_at: isoTime.nullable(),
  duration_s: z.number().nullable(),
  /** The ID of the clip that a job for this episode creates. */
  session_id: z.string(),
})
export type Episode = z.infer<typeof episode>

export const feed = z.object({
  title: z.string(),
  /** The first episodes in the order of the feed, usually newest first. */
  episodes: z.array(episode),
  /** The number of audio episodes in the whole feed. */
  total: z.int().min(0),
})
export type Feed = z.infer<typeof feed>
