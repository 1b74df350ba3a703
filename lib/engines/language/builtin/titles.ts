import { MAX_TITLE_CHARS } from "../../../domain/constants.ts"
import { formatClock } from "../../../domain/text/format-clock.ts"
import { detectStopWords, isFiller, STOP_WORDS } from "../../../domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "../../../domain/text/tokens.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { Span } from "../types.ts"
import { findWordRange } from "../word-range.ts"
import { classifyTokens, type Phrase } from "./noun-phrases.ts"
import { rankTitleCandidates, type TitleCandidate } from "./title-candidates.ts"

/** A second phrase needs this share of the first one's score. */
const MIN_SECOND_SHARE = 0.5
/** Limit for two phrases together. */
const MAX_TITLE_WORDS = 5

const overlaps = (a: Phrase, b: Phrase): boolean => a.stems.some((s) => b.stems.includes(s))

/** Chooses a different head phrase for each node. Nodes with the highest scores choose first. */
const chooseHeads = (candidates: readonly TitleCandidate[][]): (TitleCandidate | undefined)[] => {
  const heads: (TitleCandidate | undefined)[] = candidates.map(() => undefined)
  const taken = new Set<string>()
  const ranked = candidates
    .flatMap((list, node) => list.map((candidate) => ({ node, candidate })))
    .sort((a, b) => b.candidate.score - a.candidate.score || a.node - b.node)
  for (const { node, candidate } of ranked) {
    if (heads[node] || taken.has(candidate.key)) continue
    heads[node] = candidate
    taken.add(candidate.key)
  }
  return heads
}

/** Identifies a title by its phrases, in any order. */
const identify = (parts: readonly TitleCandidate[]): string =>
  parts
    .map(({ key }) => key)
    .sort()
    .join(" + ")

/** Adds to each head the best other phrase if it is nearly as strong, so that no two nodes have the same phrases. */
const addSecondPhrases = (
  heads: readonly (TitleCandidate | undefined)[],
  candidates: readonly TitleCandidate[][],
): (readonly TitleCandidate[])[] => {
  const used = new Set<string>()
  return heads.map((head, i) => {
    if (!head) return []
    const second = candidates[i]!.find(
      (c) =>
        !overlaps(c.phrase, head.phrase) &&
        c.score > 0 &&
        c.score >= MIN_SECOND_SHARE * head.score &&
        c.phrase.stems.length + head.phrase.stems.length <= MAX_TITLE_WORDS &&
        !used.has(identify([head, c])),
    )
    const parts = second ? [head, second] : [head]
    used.add(identify(parts))
    return parts
  })
}

const capitalize = (word: string): string =>
  /^\p{Ll}[\p{Ll}'’-]*$/u.test(word) ? word[0]!.toUpperCase() + word.slice(1) : word
const titleCase = (text: string, everyWord: boolean): string =>
  text
    .split(" ")
    .map((word, i) => (i === 0 || everyWord ? capitalize(word) : word))
    .join(" ")

/** Truncates a title to `MAX_TITLE_CHARS` characters at the end of a word. */
export const truncateTitle = (title: string): string => {
  if (title.length <= MAX_TITLE_CHARS) return title
  const cut = title.slice(0, MAX_TITLE_CHARS - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), MAX_TITLE_CHARS >> 1)).trimEnd()}…`
}

/** Returns a title for a section without content words: its first words, or "Silence". */
const createFallbackTitle = (words: readonly WordSpan[], first: number, end: number): string => {
  const spoken = words
    .slice(first, end)
    .flatMap((w) => splitWords(w.word))
    .filter((w) => !isFiller(normalizeWord(w)))
    .slice(0, 6)
    .join(" ")
  return spoken === "" ? "Silence" : titleCase(spoken, false)
}

const appendTimes = (titles: string[], nodes: readonly Span[]): string[] => {
  const seen = new Set<string>()
  return titles.map((title, i) => {
    const short = title.slice(0, MAX_TITLE_CHARS - 14).trimEnd()
    let own = seen.has(title.toLowerCase()) ? `${short} (${formatClock(nodes[i]!.start_s)})` : title
    for (let n = 2; seen.has(own.toLowerCase()); n++) own = `${short} (${n})`
    seen.add(own.toLowerCase())
    return own
  })
}

const computeTitles = (words: readonly WordSpan[], nodes: readonly Span[]): string[] => {
  const stop = detectStopWords(words.slice(0, 5000).flatMap((w) => splitWords(w.word).map(normalizeWord)))
  const english = stop === STOP_WORDS
  const tokens = classifyTokens(words, stop)
  const ranges = nodes.map((node) => findWordRange(words, node))
  const candidates = ranges.map(([first, end]) =>
    rankTitleCandidates(
      tokens.filter(({ span }) => span >= first && span < end),
      english,
    ),
  )
  const titles = addSecondPhrases(chooseHeads(candidates), candidates).map((parts, i) =>
    parts.length === 0
      ? createFallbackTitle(words, ...ranges[i]!)
      : truncateTitle(parts.map(({ form }) => titleCase(form, english)).join(english ? " and " : ", ")),
  )
  return appendTimes(titles, nodes)
}

/** The latest results per transcript, because each node of a level requests the titles of all its siblings. */
const cache = new WeakMap<readonly WordSpan[], Map<string, string[]>>()
const MAX_CACHED_LEVELS = 4

/**
 * Returns a title for each node of one level: the noun phrases that the node keeps returning to. Titles are distinct and have at most 120 characters.
 */
export const generateTitles = (words: readonly WordSpan[], nodes: readonly Span[]): readonly string[] => {
  const key = nodes.map((n) => `${n.start_s}-${n.end_s}`).join(" ")
  const levels = cache.get(words) ?? new Map<string, string[]>()
  cache.set(words, levels)
  const known = levels.get(key)
  if (known) return known
  const titles = computeTitles(words, nodes)
  if (levels.size >= MAX_CACHED_LEVELS) levels.clear()
  levels.set(key, titles)
  return titles
}
