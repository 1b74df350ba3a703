import type { Summary, TopicModel } from "../types.ts"
import { partsWithin } from "./boundaries.ts"
import { clock } from "./clock.ts"
import { extract } from "./summaries.ts"
import { MAX_TITLE, titlesOf } from "./titles.ts"
import { rangeWithin } from "./window.ts"

const SILENCE = "Nothing was said here."
const MAX_SUMMARY_SENTENCES = 2
const MAX_OVERVIEW_SENTENCES = 4

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? "") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`

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
    return partsWithin(words, within, level)
  },
  decide: async ({ words, node }, { signal }) => {
    signal.throwIfAborted()
    const parts = partsWithin(words, node, 2)
    if (parts.length < 2) return { subdivide: false, reason: "The vocabulary stays the same throughout." }
    const cuts = joined(parts.slice(1).map((p) => clock(p.start_s)))
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
    const longest = [...topics].sort((a, b) => b.end_s - b.start_s - (a.end_s - a.start_s)).slice(0, 3)
    const heads = topics.filter((t) => longest.includes(t)).map((t) => t.title)
    const title =
      heads.length > 0 ? joined(heads) : titlesOf(words, [{ start_s: 0, end_s: Number.POSITIVE_INFINITY }])[0]!
    const sentences = extract(words, 0, words.length, MAX_OVERVIEW_SENTENCES)
    return {
      title: title.length <= MAX_TITLE ? title : `${title.slice(0, MAX_TITLE - 1).trimEnd()}…`,
      summary: sentences.join(" ") || SILENCE,
    }
  },
  release: async () => {},
})
