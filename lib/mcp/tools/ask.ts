import * as z from "zod"
import { queryRequest } from "../../api/documents.ts"
import { queryFilter, queryScope } from "../../domain/documents.ts"
import { formatTime } from "../times.ts"
import { defineTool, READ_ONLY } from "../tool.ts"

const source = z.object({
  number: z.int().describe("The n of [n] in the answer"),
  title: z.string(),
  clip_id: z.string().optional().describe("For a recording"),
  start_s: z.number().optional().describe("For a recording: when it is said"),
  path: z.string().optional().describe("For a document"),
  page: z.int().optional(),
  text: z.string(),
})
type Source = z.infer<typeof source>

const positionOf = ({ clip_id, start_s, path, page }: Source): string =>
  clip_id === undefined
    ? `${path}${page === undefined ? "" : `, page ${page}`}`
    : `at ${formatTime(start_s ?? 0)} [clip_id ${clip_id}]`

export const ask = defineTool({
  name: "ask",
  title: "Ask the recordings",
  description:
    "Answers a question from the recordings and documents, with numbered sources. A [n] in the answer refers to the n-th source. Without a language model, the answer consists of quoted sentences.",
  input: z.object({
    question: queryRequest.shape.question.describe("A question in full words"),
    scope: queryScope.default("all").describe("Where to look: recordings (clips), documents, or both"),
    filter: queryFilter
      .optional()
      .describe(
        "Restricts the answer. Every field that is given must match; of a list, one entry has to. list_recordings has the IDs, tags and speakers",
      ),
    max_sources: z.int().min(1).max(20).default(5),
  }),
  output: z.object({
    answer: z.string(),
    sources: z.array(source),
    provider: z.string(),
    model: z.string().nullable().describe("The language model that wrote the answer"),
  }),
  annotations: READ_ONLY,
  run: async (api, { question, scope, filter, max_sources }, signal) => {
    const result = await api.query({ question, scope, filter, top_k: max_sources }, { signal })
    const sources = result.sources.map(({ chunk: { text, metadata } }, i): Source => {
      const number = i + 1
      const isSpoken = metadata.start_s !== undefined
      const cited = result.citations.find((citation) => citation.source === number)?.start_s
      return {
        number,
        title: metadata.title ?? metadata.source,
        ...(isSpoken
          ? { clip_id: metadata.source, start_s: cited ?? metadata.start_s }
          : { path: metadata.source, ...(metadata.page !== undefined && { page: metadata.page }) }),
        text,
      }
    })
    const list = sources.map((s) => `[${s.number}] ${s.title}, ${positionOf(s)}`)
    const { answer, provider, model } = result
    return {
      text: [answer, ...(list.length > 0 ? ["", "Sources:", ...list] : [])].join("\n"),
      data: { answer, sources, provider, model },
    }
  },
})
