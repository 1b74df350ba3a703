import type { Span, Summary, TopicModel } from "../types.ts"
import { partsOf, passageOf } from "./boundaries.ts"
import { clock } from "./format-time.ts"
import { extract } from "./summaries.ts"
import { clipTitle, titlesOf } from "./titles.ts"
import { rangeWithin } from "./words-within.ts"

const SILENCE = "Nothing was said here."
const MAX_SUMMARY_SENTENCES = 2
const MAX_OVERVIEW_SENTENCES = 4
/** How many topics the title of the whole names. */
const TITLE_TOPICS = 3

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`

const length = (span: Span): number => span.end_s - span.start_s
/** "Window Highlighter and Main Thread" begins with its strongest phrase. */
const headPhrase = (title: string): string => title.split(" and ")[0]!

/** A single word says less than a phrase of which topic it is: it counts for half. */
const WORD_SHARE = 0.5
/** A title for the whole of more characters than this names two topics. */
const LONG_TITLE = 72

/** The strongest phrases of the topics that take the most time and have a telling name, in the order of the recording. */
const wholeTitle = (topics: readonly (Span & { readonly title: string })[]): string => {
  const named = topics.map((t, at) => ({ at, head: headPhrase(t.title), span: t }))
  const weight = ({ head, span }: (typeof named)[number]): number =>
    length(span) * (head.includes(" ") ? 1 : WORD_SHARE)
  const ranked = [...named].sort((a, b) => weight(b) - weight(a) || a.at - b.at)
  const title = (n: number): string => {
    const chosen = ranked.slice(0, n).sort((a, b) => a.at - b.at)
    return listed(chosen.map(({ head }) => head))
  }
  const three = title(TITLE_TOPICS)
  return three.length > LONG_TITLE ? title(2) : three
}

/**
 * Topics without a model: classical text segmentation, contrasting key phrases and extractive summaries. Every method
 * is a pure function of its request.
 */
export const createBuiltinTopicModel = (): TopicModel => ({
  provider: "builtin",
  model: null,
  check: async () => {},
  boundaries: async ({ words, within, level }, { signal }) => {
    signal.throwIfAborted()
    return partsOf(passageOf(words, within), level)
  },
  decide: async ({ words, node }, { signal }) => {
    signal.throwIfAborted()
    const parts = partsOf(passageOf(words, node), 2)
    if (parts.length < 2) return { subdivide: false, reason: "The vocabulary stays the same throughout." }
    const cuts = listed(parts.slice(1).map((p) => clock(p.start_s)))
    return { subdivide: true, reason: `The vocabulary changes at ${cuts}.` }
  },
  summarize: async ({ words, node, siblings }, { signal }) => {
    signal.throwIfAborted()
    const at = siblings.findIndex((s) => s.id === node.id)
    const title = at >= 0 ? titlesOf(words, siblings)[at]! : titlesOf(words, [node])[0]!
    const sentences = extract(words, ...rangeWithin(words, node), MAX_SUMMARY_SENTENCES)
    return { title, summary: sentences.join(" ") || SILENCE }
  },
  overview: async ({ words, topics }, { signal }): Promise<Summary> => {
    signal.throwIfAborted()
    const longest = [...topics].sort((a, b) => length(b) - length(a) || a.start_s - b.start_s)
    const inOrder = (n: number) => topics.filter((t) => longest.slice(0, n).includes(t))
    const whole = { start_s: 0, end_s: Number.POSITIVE_INFINITY }
    const sentences =
      topics.length > 1
        ? inOrder(MAX_OVERVIEW_SENTENCES).flatMap((t) => extract(words, ...rangeWithin(words, t), 1))
        : extract(words, 0, words.length, MAX_SUMMARY_SENTENCES)
    return {
      title: clipTitle(topics.length > 0 ? wholeTitle(topics) : titlesOf(words, [whole])[0]!),
      summary: sentences.join(" ") || SILENCE,
    }
  },
  release: async () => {},
})
