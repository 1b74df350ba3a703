import * as z from "zod"
import { searchQuery } from "../../domain/search.ts"
import { formatTime } from "../times.ts"
import { defineTool, READ_ONLY } from "../tool.ts"

const output = z.object({
  titles: z.array(z.object({ clip_id: z.string(), clip_title: z.string() })),
  topics: z.array(
    z.object({
      clip_id: z.string(),
      clip_title: z.string(),
      number: z.string().describe('Position in the outline, such as "1.2"'),
      title: z.string(),
      start_s: z.number(),
      text: z.string().describe("The matching title, or an excerpt of what is said in the topic"),
    }),
  ),
  passages: z.array(
    z.object({
      clip_id: z.string(),
      clip_title: z.string(),
      start_s: z.number(),
      speaker: z.string(),
      text: z.string(),
    }),
  ),
})
type Found = z.infer<typeof output>

const section = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", `${heading}:`, ...lines]

const describe = (query: string, { titles, topics, passages }: Found): string => {
  if (titles.length + topics.length + passages.length === 0) return `No recording matches "${query}".`
  return [
    `Matches for "${query}", best first in each list.`,
    ...section(
      "Recordings by title",
      titles.map((hit) => `- ${hit.clip_title} [clip_id ${hit.clip_id}]`),
    ),
    ...section(
      "Topics",
      topics.map(
        (hit) =>
          `- ${hit.number} ${hit.title}, at ${formatTime(hit.start_s)} in "${hit.clip_title}" [clip_id ${hit.clip_id}]${hit.text === hit.title ? "" : `: ${hit.text}`}`,
      ),
    ),
    ...section(
      "Passages of transcripts",
      passages.map(
        (hit) => `- ${formatTime(hit.start_s)} in "${hit.clip_title}" [clip_id ${hit.clip_id}]: ${hit.text}`,
      ),
    ),
  ].join("\n")
}

export const searchRecordings = defineTool({
  name: "search_recordings",
  title: "Search recordings",
  description:
    "Searches the titles, topics and transcripts of all recordings by words. Returns the recordings, topics and passages that match, with the second at which each begins. Read more around a match with get_transcript.",
  input: z.object({
    query: searchQuery.shape.q.describe("Words to search for"),
    limit: z.int().min(1).max(50).default(10).describe("Maximum number of matches of each kind"),
  }),
  output,
  annotations: READ_ONLY,
  run: async (api, { query, limit }, signal) => {
    const { titles, topics, words } = await api.search({ q: query, limit }, { signal })
    const data = {
      titles: titles.map(({ clip_id, clip_title }) => ({ clip_id, clip_title })),
      topics: topics.map(({ marks: _, ...hit }) => hit),
      passages: words.map(({ marks: _, ...hit }) => hit),
    }
    return { text: describe(query, data), data }
  },
})
