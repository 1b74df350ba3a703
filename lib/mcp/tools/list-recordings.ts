import * as z from "zod"
import { formatClock } from "../../domain/text/format-clock.ts"
import { defineTool, READ_ONLY } from "../tool.ts"

const output = z.object({
  recordings: z.array(
    z.object({
      clip_id: z.string(),
      title: z.string(),
      duration_s: z.number(),
      added_at: z.string(),
      published_at: z.string().nullable(),
      speakers: z.array(z.string()).describe("Names of the speakers who have one"),
      tags: z.array(z.string()),
      favorite: z.boolean(),
    }),
  ),
  next_cursor: z.string().optional(),
})

export const listRecordings = defineTool({
  name: "list_recordings",
  title: "List recordings",
  description: "Lists the recordings, newest first. Use search_recordings to find what was said.",
  input: z.object({
    limit: z.int().min(1).max(100).default(20),
    tag: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe("Only recordings with this tag, or all of several separated by commas"),
    favorite: z.boolean().optional().describe("Only favorites, or only recordings that are none"),
    cursor: z.string().min(1).max(200).optional().describe("next_cursor of the previous page"),
  }),
  output,
  annotations: READ_ONLY,
  run: async (api, { limit, cursor, tag, favorite }, signal) => {
    const filters = { tag, favorite: favorite === undefined ? undefined : favorite ? "true" : "false" } as const
    const { clips, next_cursor } = await api.clips({ limit, cursor, ...filters }, { signal })
    const recordings = clips.map(({ id, title, duration_s, created_at, published_at, speakers, tags, favorite }) => ({
      clip_id: id,
      title,
      duration_s,
      added_at: created_at,
      published_at,
      speakers: Object.values(speakers),
      tags,
      favorite,
    }))
    const lines = recordings.map(
      (r) =>
        `- ${r.title} (${formatClock(r.duration_s)}, added ${r.added_at.slice(0, 10)}${r.tags.length > 0 ? `, tags: ${r.tags.join(", ")}` : ""}) [clip_id ${r.clip_id}]`,
    )
    const more = next_cursor === undefined ? [] : [`There are more: call list_recordings with cursor "${next_cursor}".`]
    return {
      text: recordings.length === 0 ? "There are no recordings." : [...lines, ...more].join("\n"),
      data: { recordings, ...(next_cursor !== undefined && { next_cursor }) },
    }
  },
})
