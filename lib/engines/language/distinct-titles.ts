import { MAX_TITLE_CHARS } from "../../domain/constants.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import { formatMinutes } from "./boundary-text.ts"
import { generateTitles } from "./builtin/titles.ts"
import type { NodeSpan, Summary } from "./types.ts"

/** Normalizes a title for comparison: lower case, without punctuation. */
const normalizeTitle = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/**
 * Makes the titles of sibling nodes distinct, regardless of case and punctuation. Of equal titles the first stays. The
 * others get, after a colon, the builtin title, or the start time or the node ID if that is not distinct either.
 */
export const makeTitlesDistinct = (
  words: readonly WordSpan[],
  nodes: readonly NodeSpan[],
  summaries: readonly Summary[],
): Summary[] => {
  if (new Set(summaries.map(({ title }) => normalizeTitle(title))).size === summaries.length) return [...summaries]
  const builtinTitles = generateTitles(words, nodes)
  const used = new Set<string>()
  return summaries.map((summary, i) => {
    const suffixes = [builtinTitles[i]!, formatMinutes(nodes[i]!.start_s), nodes[i]!.id]
    const candidates = [
      summary.title,
      ...suffixes.map((s) => `${summary.title.slice(0, Math.max(0, MAX_TITLE_CHARS - s.length - 2))}: ${s}`),
    ].map((title) => title.slice(0, MAX_TITLE_CHARS))
    const title = candidates.find((t) => !used.has(normalizeTitle(t))) ?? summary.title
    used.add(normalizeTitle(title))
    return { ...summary, title }
  })
}
