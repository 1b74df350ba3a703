import { formatClock } from "../../../domain/text/format-clock.ts"
import { stem } from "../../../domain/text/stem.ts"
import { normalizeWord, splitWords } from "../../../domain/text/tokens.ts"
import type { Span, Summary, TopicModel } from "../types.ts"
import { findWordRange } from "../word-range.ts"
import { prepareSection, splitIntoTopics } from "./boundaries.ts"
import { extractSummary } from "./summaries.ts"
import { generateTitles, truncateTitle } from "./titles.ts"

const SILENCE = "Nothing was said here."
const MAX_SUMMARY_SENTENCES = 2
const MAX_OVERVIEW_SENTENCES = 4
/** Maximum number of topics in the title of a recording. */
const MAX_TITLE_TOPICS = 3

const joinList = (items: readonly string[]): string =>
  items.length < 2 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`

const durationOf = (span: Span): number => span.end_s - span.start_s
/** Returns the first phrase of a title such as "Window Highlighter and Main Thread", which is the strongest. */
const getHeadPhrase = (title: string): string => title.split(" and ")[0]!

/** Factor for topics whose first phrase is a single word, which is less specific. */
const SINGLE_WORD_FACTOR = 0.5
/** If the title of a recording is longer, it names two topics only. */
const MAX_LIST_CHARS = 72

const listStems = (text: string): string[] => splitWords(text).map((word) => stem(normalizeWord(word)))

/** Builds the title of a recording from the first phrases of its longest topics, in order of time, without common words. */
const buildRecordingTitle = (topics: readonly (Span & { readonly title: string })[]): string => {
  const named = topics.map((t, at) => ({ at, head: getHeadPhrase(t.title), span: t }))
  const weight = ({ head, span }: (typeof named)[number]): number =>
    durationOf(span) * (head.includes(" ") ? 1 : SINGLE_WORD_FACTOR)
  const used = new Set<string>()
  const ranked = [...named]
    .sort((a, b) => weight(b) - weight(a) || a.at - b.at)
    .filter(({ head }) => {
      const stems = listStems(head)
      const isNew = !stems.some((s) => used.has(s))
      if (isNew) for (const s of stems) used.add(s)
      return isNew
    })
  const title = (n: number): string => {
    const chosen = ranked.slice(0, n).sort((a, b) => a.at - b.at)
    return joinList(chosen.map(({ head }) => head))
  }
  const three = title(MAX_TITLE_TOPICS)
  return three.length > MAX_LIST_CHARS ? title(2) : three
}

/**
 * Creates the topic model that works without a language model: statistical text segmentation, key phrases
 * and extractive summaries. Results depend on the request only.
 */
export const createBuiltinTopicModel = (): TopicModel => ({
  provider: "builtin",
  model: null,
  check: async () => {},
  findBoundaries: async ({ words, within, level, detail }, { signal }) => {
    signal.throwIfAborted()
    return splitIntoTopics(prepareSection(words, within), { level, detail })
  },
  decide: async ({ words, node, detail }, { signal }) => {
    signal.throwIfAborted()
    const subtopics = splitIntoTopics(prepareSection(words, node), { level: 2, detail })
    if (subtopics.length < 2) return { subdivide: false, reason: "The vocabulary stays the same throughout." }
    const times = joinList(subtopics.slice(1).map((span) => formatClock(span.start_s)))
    return { subdivide: true, reason: `The vocabulary changes at ${times}.` }
  },
  summarize: async ({ words, node, siblings }, { signal }) => {
    signal.throwIfAborted()
    const at = siblings.findIndex((s) => s.id === node.id)
    const title = at >= 0 ? generateTitles(words, siblings)[at]! : generateTitles(words, [node])[0]!
    const sentences = extractSummary(words, ...findWordRange(words, node), MAX_SUMMARY_SENTENCES)
    return { title, summary: sentences.join(" ") || SILENCE }
  },
  summarizeRecording: async ({ words, topics }, { signal }): Promise<Summary> => {
    signal.throwIfAborted()
    const longest = [...topics].sort((a, b) => durationOf(b) - durationOf(a) || a.start_s - b.start_s)
    const inOrder = (n: number) => topics.filter((t) => longest.slice(0, n).includes(t))
    const whole = { start_s: 0, end_s: Number.POSITIVE_INFINITY }
    const sentences =
      topics.length > 1
        ? inOrder(MAX_OVERVIEW_SENTENCES).flatMap((t) => extractSummary(words, ...findWordRange(words, t), 1))
        : extractSummary(words, 0, words.length, MAX_SUMMARY_SENTENCES)
    return {
      title: truncateTitle(topics.length > 0 ? buildRecordingTitle(topics) : generateTitles(words, [whole])[0]!),
      summary: sentences.join(" ") || SILENCE,
    }
  },
  release: async () => {},
})
