import { MAX_TITLE_CHARS } from "../../../domain/constants.ts"
import { isFiller } from "../../../domain/text/fillers.ts"
import { formatClock } from "../../../domain/text/format-clock.ts"
import { detectStopWords, STOP_WORDS } from "../../../domain/text/stop-words.ts"
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

/** Identifies a title by its phrases, in any order. */
const identify = (parts: readonly TitleCandidate[]): string =>
  parts
    .map(({ key }) => key)
    .sort()
    .join(" + ")

const canFollow = (second: TitleCandidate, head: TitleCandidate): boolean =>
  second.score > 0 &&
  !overlaps(second.phrase, head.phrase) &&
  second.phrase.stems.length + head.phrase.stems.length <= MAX_TITLE_WORDS

/** Lists the possible titles of a node, best first: the strongest phrase and a second one if it is nearly as strong. */
function* listTitles(candidates: readonly TitleCandidate[]): Generator<readonly TitleCandidate[]> {
  for (const head of candidates) {
    const seconds = candidates.filter((c) => canFollow(c, head))
    const strong = seconds.filter((c) => c.score >= MIN_SECOND_SHARE * head.score)
    if (strong.length === 0) yield [head]
    for (const second of seconds) yield [head, second]
  }
}

/**
 * Chooses the phrases of each node's title so that no two titles have the same phrases. Nodes with the highest scores
 * choose first. A phrase that another title already begins with comes second.
 */
const choosePhrases = (candidates: readonly TitleCandidate[][]): (readonly TitleCandidate[])[] => {
  const chosen: (readonly TitleCandidate[])[] = candidates.map(() => [])
  const used = new Set<string>()
  const begun = new Set<string>()
  const order = [...candidates.keys()].sort(
    (a, b) => (candidates[b]![0]?.score ?? 0) - (candidates[a]![0]?.score ?? 0) || a - b,
  )
  for (const node of order) {
    for (const parts of listTitles(candidates[node]!)) {
      if (used.has(identify(parts))) continue
      used.add(identify(parts))
      chosen[node] = begun.has(parts[0]!.key) ? [...parts].reverse() : parts
      begun.add(chosen[node]![0]!.key)
      break
    }
  }
  return chosen
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
  const titles = choosePhrases(candidates).map((parts, i) =>
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
