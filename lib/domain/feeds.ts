import * as z from "zod"
import { isoTime } from "./schemas.ts"

/** An episode of a podcast: `url` is what a job takes as its source. */
export const episode = z.object({
  title: z.string(),
  url: z.string(),
  published_at: isoTime.nullable(),
  duration_s: z.number().nullable(),
  /** The clip that a job for it makes or has made. */
  session_id: z.string(),
})
export type Episode = z.infer<typeof episode>

export const feed = z.object({
  title: z.string(),
  /** The first of them, as the feed orders them, which is mostly newest first. */
  episodes: z.array(episode),
  /** How many episodes with sound the feed has in all. */
  total: z.int().min(0),
})
export type Feed = z.infer<typeof feed>
