import { MAX_TITLE_CHARS } from "../../../domain/constants.ts"
import { isFiller, STOP_WORDS, stopWordsFor } from "../../../domain/text/stop-words.ts"
import { normalise, wordsOf } from "../../../domain/text/tokens.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import type { Span } from "../types.ts"
import { clock } from "./format-time.ts"
import { type Phrase, tokensOf } from "./noun-phrases.ts"
import { type Candidate, candidatesOf, countWords, isUninformative } from "./title-scores.ts"
import { rangeWithin } from "./words-within.ts"

/**
 * The share of the first phrase's score from which a second joins it: least where a single word needs company, most
 * where a single word would trail behind a phrase.
 */
const secondShare = (head: Phrase, second: Phrase): number => {
  if (second.stems.length > 1) return head.stems.length > 1 ? 0.6 : 0.4
  return head.stems.length > 1 ? 0.75 : 0.55
}
/** A longer phrase around a single word replaces it when it scores this share of it. */
const WIDEN_SHARE = 0.3
/** Beside a long phrase a second one is too much. */
const MAX_WORDS = 5
/** A phrase that shares a word with a sibling's title counts for this much. */
const SHARED_FACTOR = 0.5

const overlaps = (a: Phrase, b: Phrase): boolean => a.stems.some((s) => b.stems.includes(s))

/** The longer phrase around a single word, where it is said twice: "filters" becomes "Wiener filters". */
const widened = (head: Candidate, list: readonly Candidate[], keys: ReadonlySet<string>): Candidate =>
  head.phrase.stems.length > 1
    ? head
    : (list.find(
        (c) =>
          c.phrase.stems.length > 1 &&
          c.phrase.stems.includes(head.key) &&
          c.score >= WIDEN_SHARE * head.score &&
          !keys.has(c.key),
      ) ?? head)

/**
 * Gives every node its own head phrase: the highest scores choose first, no two nodes get the same one, and words that
 * another title has are avoided where something else is nearly as good.
 */
const chooseHeads = (candidates: readonly Candidate[][]): (Candidate | undefined)[] => {
  const heads: (Candidate | undefined)[] = candidates.map(() => undefined)
  const open = new Set(candidates.flatMap((list, i) => (list.length > 0 ? [i] : [])))
  const taken = new Set<string>()
  const worth = (c: Candidate): number => c.score * (c.phrase.stems.some((s) => taken.has(s)) ? SHARED_FACTOR : 1)
  const keys = new Set<string>()
  while (open.size > 0) {
    const bests = [...open].map((i) => {
      const free = candidates[i]!.filter((c) => !keys.has(c.key))
      return { i, best: free.reduce<Candidate | undefined>((a, c) => (a && worth(a) >= worth(c) ? a : c), undefined) }
    })
    bests.sort((a, b) => (b.best ? worth(b.best) : 0) - (a.best ? worth(a.best) : 0) || a.i - b.i)
    const { i, best } = bests[0]!
    open.delete(i)
    if (!best) continue
    const head = widened(best, candidates[i]!, keys)
    heads[i] = head
    keys.add(head.key)
    for (const stem of head.phrase.stems) taken.add(stem)
  }
  return heads
}

const capital = (word: string): string =>
  /^\p{Ll}[\p{Ll}'’-]*$/u.test(word) ? word[0]!.toUpperCase() + word.slice(1) : word
const titleCase = (text: string, everyWord: boolean): string =>
  text
    .split(" ")
    .map((word, i) => (i === 0 || everyWord ? capital(word) : word))
    .join(" ")

/** A text of at most `MAX_TITLE_CHARS` characters, cut at a word. */
export const clipTitle = (title: string): string => {
  if (title.length <= MAX_TITLE_CHARS) return title
  const cut = title.slice(0, MAX_TITLE_CHARS - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), MAX_TITLE_CHARS >> 1)).trimEnd()}…`
}

/** What a stretch without content words is called: its first words, or silence. */
const plainTitle = (words: readonly WordSpan[], first: number, end: number): string => {
  const spoken = words
    .slice(first, end)
    .flatMap((w) => wordsOf(w.word))
    .filter((w) => !isFiller(normalise(w)))
    .slice(0, 6)
    .join(" ")
  return spoken === "" ? "Silence" : titleCase(spoken, false)
}

const distinct = (titles: string[], nodes: readonly Span[]): string[] => {
  const seen = new Set<string>()
  return titles.map((title, i) => {
    const short = title.slice(0, MAX_TITLE_CHARS - 14).trimEnd()
    let own = seen.has(title.toLowerCase()) ? `${short} (${clock(nodes[i]!.start_s)})` : title
    for (let n = 2; seen.has(own.toLowerCase()); n++) own = `${short} (${n})`
    seen.add(own.toLowerCase())
    return own
  })
}

const compute = (words: readonly WordSpan[], nodes: readonly Span[]): string[] => {
  const stop = stopWordsFor(words.slice(0, 5000).flatMap((w) => wordsOf(w.word).map(normalise)))
  const english = stop === STOP_WORDS
  const tokens = tokensOf(words, stop)
  const everywhere = countWords(tokens)
  const ranges = nodes.map((node) => rangeWithin(words, node))
  const candidates = ranges.map(([first, end], i) =>
    candidatesOf(
      i,
      tokens.filter(({ span }) => span >= first && span < end),
      everywhere,
      english,
    ),
  )
  const heads = chooseHeads(candidates)
  const used = new Set(heads.flatMap((head) => head?.phrase.stems ?? []))
  const titles = nodes.map((_, i) => {
    const head = heads[i]
    if (!head) return plainTitle(words, ...ranges[i]!)
    const second = candidates[i]!.find(
      (c) =>
        !overlaps(c.phrase, head.phrase) &&
        c.score >= secondShare(head.phrase, c.phrase) * head.score &&
        c.phrase.stems.length + head.phrase.stems.length <= MAX_WORDS &&
        !c.phrase.stems.some((s) => used.has(s)) &&
        !isUninformative(c.form, english),
    )
    const parts = second ? [head, second] : [head]
    return clipTitle(parts.map((c) => titleCase(c.form, english)).join(english ? " and " : ", "))
  })
  return distinct(titles, nodes)
}

/** Every node of a level asks for the titles of all: the last answers are kept with the transcript they belong to. */
const memo = new WeakMap<readonly WordSpan[], Map<string, string[]>>()
const MAX_MEMO = 4

/**
 * A title for each node of one level: the phrases that its words use more than the rest of the recording does, chosen
 * so that no two nodes share their first phrase. At most 120 characters, all distinct.
 */
export const titlesOf = (words: readonly WordSpan[], nodes: readonly Span[]): readonly string[] => {
  const key = nodes.map((n) => `${n.start_s}-${n.end_s}`).join(" ")
  const kept = memo.get(words) ?? new Map<string, string[]>()
  memo.set(words, kept)
  const known = kept.get(key)
  if (known) return known
  const titles = compute(words, nodes)
  if (kept.size >= MAX_MEMO) kept.clear()
  kept.set(key, titles)
  return titles
}
