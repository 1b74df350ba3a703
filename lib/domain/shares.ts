import * as z from "zod"
import { isoTime } from "./schemas.ts"

/** A link that shows one recording, or one topic of it, to anybody who has the link. */
export const share = z.object({
  id: z.string().describe("The ID of the share link, by which it is revoked"),
  clip_id: z.string().describe("The ID of the clip that the link shows"),
  path: z.string().describe("The path of the shared page, `/share/<secret>`. Anybody who knows it can open the page"),
  title: z.string().describe("The title of the shared recording or topic"),
  start_s: z.number().nullable().describe("Where the shared topic starts, in seconds; null for a whole recording"),
  end_s: z.number().nullable().describe("Where the shared topic ends, in seconds; null for a whole recording"),
  with_audio: z.boolean().describe("True if the page plays the recording"),
  created_at: isoTime.describe("When the link was created"),
  expires_at: isoTime.nullable().describe("When the link stops working; null if never"),
  last_opened_at: isoTime.nullable().describe("When the page was last opened, accurate to a minute; null if never"),
})
export type Share = z.infer<typeof share>

export const shareRequest = z.object({
  topic: z
    .string()
    .regex(/^1(\.\d{1,5}){0,2}$/, { error: "must be the number of a topic, such as 1.2" })
    .nullable()
    .default(null)
    .describe("The number of the topic to share, as in the topics of the clip. Null or missing: the whole recording"),
  with_audio: z.boolean().default(true).describe("False to share only the text"),
  expires_at: isoTime.nullable().default(null).describe("The link never expires if this is null or missing"),
})
export type ShareRequest = z.infer<typeof shareRequest>
