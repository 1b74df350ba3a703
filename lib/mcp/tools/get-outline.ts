import * as z from "zod"
import { flattenTree } from "../../domain/topics/flatten-tree.ts"
import { flatTopic } from "../../domain/topics/topic-tree.ts"
import { formatTime } from "../times.ts"
import { defineTool, READ_ONLY } from "../tool.ts"
import { clipId } from "./clip-id.ts"

const output = z.object({
  clip_id: z.string(),
  title: z.string(),
  duration_s: z.number(),
  topics: z.array(flatTopic).describe("The recording itself, then its topics, each before its subtopics"),
})
type Outline = z.infer<typeof output>

const describe = ({ title, duration_s, topics }: Outline): string => {
  const lines = topics.map(({ level, number, title, summary, start_s }) => {
    const indent = "  ".repeat(level - 1)
    return `${indent}${number} ${title}, from ${formatTime(start_s)}${summary ? `\n${indent}  ${summary}` : ""}`
  })
  if (lines.length === 0) lines.push("The recording has no topics yet.")
  return [`${title}, ${formatTime(duration_s)}`, ...lines].join("\n")
}

export const getOutline = defineTool({
  name: "get_outline",
  title: "Outline of a recording",
  description:
    "Returns the topics and subtopics of a recording with titles, summaries and times. Use it to see what a recording is about before reading its transcript.",
  input: z.object({ clip_id: clipId }),
  output,
  annotations: READ_ONLY,
  run: async (api, { clip_id }, signal) => {
    const { title, duration_s, tree } = await api.clip(clip_id, { signal })
    const data = { clip_id, title, duration_s, topics: flattenTree(tree) }
    return { text: describe(data), data }
  },
})
