import { MAX_TITLE_CHARS } from "../../../domain/constants.ts"
import { formatClock } from "../../../domain/text/format-clock.ts"
import { detectStopWords, isFiller, STOP_WORDS } from "../../../domain/text/stop-words.ts"
import { normalizeWord, splitWords } from "../../../domain/text/tokens.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { Span } from "../types.ts"
import { findWordRange } from "../word-range.ts"
import { classifyTokens, type Phrase } from "./noun-phrases.ts"
import { countWords, isUninformative, rankTitleCandidates, type TitleCandidate } from "./title-candidates.ts"

/**
 * Returns the share of the first phrase's score that a second phrase needs to be added. It is low if the first phrase is a
 * single word, and high if a single word would follow a longer phrase.
 */
const minSecondShare = (head: Phrase, second: Phrase): number => {
  if (second.stems.length > 1) return head.stems.length > 1 ? 0.6 : 0.4
  return head.stems.length > 1 ? 0.75 : 0.55
}
/** A longer phrase replaces a single word that it contains if it has at least this share of its score. */
const MIN_EXTENSION_SHARE = 0.3
/** Limit for two phrases together. */
const MAX_TITLE_WORDS = 5
/** Factor for the score of a phrase that shares a word with a sibling's title. */
const SHARED_FACTOR = 0.5

const overlaps = (a: Phrase, b: Phrase): boolean => a.stems.some((s) => b.stems.includes(s))

/** Replaces a single word by a longer candidate that contains it: "filters" becomes "Wiener filters". */
const extendHead = (
  head: TitleCandidate,
  list: readonly TitleCandidate[],
  keys: ReadonlySet<string>,
): TitleCandidate =>
  head.phrase.stems.length > 1
    ? head
    : (list.find(
        (c) =>
          c.phrase.stems.length > 1 &&
          c.phrase.stems.includes(head.key) &&
          c.score >= MIN_EXTENSION_SHARE * head.score &&
          !keys.has(c.key),
      ) ?? head)

/**
 * Chooses a different head phrase for each node. Nodes with the highest scores choose first. Words of other titles are
 * avoided if another phrase is nearly as good.
 */
const chooseHeads = (candidates: readonly TitleCandidate[][]): (TitleCandidate | undefined)[] => {
  const heads: (TitleCandidate | undefined)[] = candidates.map(() => undefined)
  const open = new Set(candidates.flatMap((list, i) => (list.length > 0 ? [i] : [])))
  const taken = new Set<string>()
  const adjustScore = (c: TitleCandidate): number =>
    c.score * (c.phrase.stems.some((s) => taken.has(s)) ? SHARED_FACTOR : 1)
  const keys = new Set<string>()
  while (open.size > 0) {
    const bests = [...open].map((i) => {
      const free = candidates[i]!.filter((c) => !keys.has(c.key))
      return {
        i,
        best: free.reduce<TitleCandidate | undefined>(
          (a, c) => (a && adjustScore(a) >= adjustScore(c) ? a : c),
          undefined,
        ),
      }
    })
    bests.sort((a, b) => (b.best ? adjustScore(b.best) : 0) - (a.best ? adjustScore(a.best) : 0) || a.i - b.i)
    const { i, best } = bests[0]!
    open.delete(i)
    if (!best) continue
    const head = extendHead(best, candidates[i]!, keys)
    heads[i] = head
    keys.add(head.key)
    for (const stem of head.phrase.stems) taken.add(stem)
  }
  return heads
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
  const recording = countWords(tokens)
  const ranges = nodes.map((node) => findWordRange(words, node))
  const candidates = ranges.map(([first, end], i) =>
    rankTitleCandidates(
      i,
      tokens.filter(({ span }) => span >= first && span < end),
      recording,
      english,
    ),
  )
  const heads = chooseHeads(candidates)
  const used = new Set(heads.flatMap((head) => head?.phrase.stems ?? []))
  const titles = nodes.map((_, i) => {
    const head = heads[i]
    if (!head) return createFallbackTitle(words, ...ranges[i]!)
    const second = candidates[i]!.find(
      (c) =>
        !overlaps(c.phrase, head.phrase) &&
        c.score >= minSecondShare(head.phrase, c.phrase) * head.score &&
        c.phrase.stems.length + head.phrase.stems.length <= MAX_TITLE_WORDS &&
        !c.phrase.stems.some((s) => used.has(s)) &&
        !isUninformative(c.form, english),
    )
    const parts = second ? [head, second] : [head]
    return truncateTitle(parts.map((c) => titleCase(c.form, english)).join(english ? " and " : ", "))
  })
  return appendTimes(titles, nodes)
}

/** The latest results per transcript, because each node of a level requests the titles of all its siblings. */
const cache = new WeakMap<readonly WordSpan[], Map<string, string[]>>()
const MAX_CACHED_LEVELS = 4

/**
 * Returns a title for each node of one level: the noun phrases that are more frequent in the node than in the rest of the
 * recording. Titles are distinct and have at most 120 characters.
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
