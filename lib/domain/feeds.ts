import * as z from "zod"
import { isoTime } from "./schemas.ts"

/** A podcast episode. `url` can be the source of a job. */
export const episode = z.object({
  title: z.string().describe("The title of the episode"),
  url: z.string().describe("The URL of the recording, which can be the source of a job"),
  published_at: isoTime.nullable().describe("When the episode was published, if the feed says so"),
  duration_s: z.number().nullable().describe("The length that the feed states, in seconds"),
  session_id: z.string().describe("The ID of the clip that a job for this episode creates"),
})
export type Episode = z.infer<typeof episode>

export const feed = z.object({
  title: z.string().describe("The title of the feed"),
  episodes: z.array(episode).describe("The first episodes in the order of the feed, usually newest first"),
  total: z.int().min(0).describe("The number of audio episodes in the whole feed"),
})
export type Feed = z.infer<typeof feed>
