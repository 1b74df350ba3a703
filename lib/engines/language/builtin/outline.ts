import type { TopicDetail } from "../../../domain/jobs/jobs.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { Span } from "../types.ts"
import { prepareSection, splitIntoTopics } from "./boundaries.ts"
import { generateTitles } from "./titles.ts"

export type OutlineRequest = {
  /** All words of the recording. Starts must not decrease. */
  readonly words: readonly WordSpan[]
  readonly duration_s: number
  readonly detail: TopicDetail
  /** Topics shorter than this many seconds get no subtopics. */
  readonly minSubdivideDuration_s: number
}

export type OutlineTopic = Span & { readonly title: string; readonly children: readonly OutlineTopic[] }

const withTitles = (words: readonly WordSpan[], spans: readonly Span[]) => {
  const titles = spans.length > 0 ? generateTitles(words, spans) : []
  return spans.map((span, i) => ({ ...span, title: titles[i]! }))
}

/** Finds the topics and subtopics of a recording and their titles, as the stages do with the builtin provider. */
export const outlineTopics = ({
  words,
  duration_s,
  detail,
  minSubdivideDuration_s,
}: OutlineRequest): OutlineTopic[] => {
  if (words.length === 0) return []
  const spans = splitIntoTopics(prepareSection(words, { start_s: 0, end_s: duration_s }), { level: 1, detail })
  const parts = spans.map((span) =>
    span.end_s - span.start_s < minSubdivideDuration_s
      ? []
      : splitIntoTopics(prepareSection(words, span), { level: 2, detail }),
  )
  const subtopics = withTitles(
    words,
    parts.flatMap((list) => (list.length > 1 ? list : [])),
  )
  const topics = withTitles(words, spans).map((topic) => ({
    ...topic,
    children: subtopics
      .filter((part) => part.start_s >= topic.start_s && part.end_s <= topic.end_s)
      .map((part) => ({ ...part, children: [] })),
  }))
  return topics.length === 1 ? topics[0]!.children : topics
}
