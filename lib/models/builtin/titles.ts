import type { WordSpan } from "../../contracts/words.ts"
import { isFiller, STOP_WORDS, stopWordsFor } from "../../text/stop-words.ts"
import { normalise, wordsOf } from "../../text/tokens.ts"
import type { Span } from "../types.ts"
import { clock } from "./clock.ts"
import { bestForm, type Phrase, type PhraseCounts, phrasesOf } from "./phrases.ts"
import { isVague } from "./vague-words.ts"
import { rangeWithin } from "./window.ts"

export const MAX_TITLE = 120
/** How much a second and a third word make a phrase more telling. */
const LENGTH_FACTOR = [1, 1, 1.9, 1.9]
/** What a phrase is worth that begins or ends with a vague word ("currently", "adding"). */
const VAGUE_FACTOR = 0.3
/** A second phrase joins the title when it scores this share of the first. */
const SECOND_SHARE = 0.35
const CANDIDATES = 24
/** In passages of more content words than this, a phrase must have been said twice. */
const SHORT_PASSAGE = 40

/** Log-likelihood ratio of a count here against elsewhere (Dunning 1993); 0 when it is not commoner here. */
const logLikelihood = (here: number, totalHere: number, there: number, totalThere: number): number => {
  if (here * totalThere <= there * totalHere) return 0
  const rate = (here + there) / (totalHere + totalThere)
  const part = (k: number, n: number): number => (k > 0 ? k * Math.log(k / (n * rate)) : 0)
  return 2 * (part(here, totalHere) + part(there, totalThere))
}

type Candidate = { node: number; key: string; phrase: Phrase; form: string; score: number }

const candidatesOf = (node: number, here: PhraseCounts, everywhere: PhraseCounts, english: boolean): Candidate[] => {
  const totalThere = everywhere.total - here.total
  const list: Candidate[] = []
  for (const [key, phrase] of here.phrases) {
    if (phrase.count < 2 && here.total > SHORT_PASSAGE) continue
    const there = (everywhere.phrases.get(key)?.count ?? phrase.count) - phrase.count
    const contrast = totalThere > 0 ? logLikelihood(phrase.count, here.total, there, totalThere) : 0
    const form = bestForm(phrase)
    const words = form.toLowerCase().split(" ")
    const vague = english && (isVague(words[0]!) || isVague(words.at(-1)!)) ? VAGUE_FACTOR : 1
    // With nothing to tell it apart from: what is said most.
    const score = (contrast + 0.3 * phrase.count) * LENGTH_FACTOR[phrase.stems.length]! * vague
    list.push({ node, key, phrase, form, score })
  }
  list.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
  return list.slice(0, CANDIDATES)
}

const overlaps = (a: Phrase, b: Phrase): boolean => a.stems.some((s) => b.stems.includes(s))

/** Gives every node its own head phrase: the highest scores choose first, and no two nodes get the same one. */
const chooseHeads = (candidates: readonly Candidate[][]): (Candidate | undefined)[] => {
  const heads: (Candidate | undefined)[] = candidates.map(() => undefined)
  const taken = new Set<string>()
  for (const c of candidates.flat().sort((a, b) => b.score - a.score || a.node - b.node)) {
    if (heads[c.node] || taken.has(c.key)) continue
    heads[c.node] = c
    taken.add(c.key)
  }
  return heads
}

/** The longer phrase around a head that it is mostly spoken in: "highlighter" becomes "window highlighter". */
const widened = (head: Candidate, list: readonly Candidate[]): Candidate =>
  list.find(
    (c) =>
      c.phrase.stems.length > head.phrase.stems.length &&
      head.phrase.stems.every((s) => c.phrase.stems.includes(s)) &&
      c.phrase.count >= 2 &&
      c.phrase.count >= 0.5 * head.phrase.count,
  ) ?? head

const capital = (word: string): string =>
  /^\p{Ll}[\p{Ll}'’-]*$/u.test(word) ? word[0]!.toUpperCase() + word.slice(1) : word
const titleCase = (text: string, everyWord: boolean): string =>
  text
    .split(" ")
    .map((word, i) => (i === 0 || everyWord ? capital(word) : word))
    .join(" ")

/** A text of at most `MAX_TITLE` characters, cut at a word. */
export const clipTitle = (title: string): string => {
  if (title.length <= MAX_TITLE) return title
  const cut = title.slice(0, MAX_TITLE - 1)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), MAX_TITLE >> 1)).trimEnd()}…`
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
    const short = title.slice(0, MAX_TITLE - 14).trimEnd()
    let own = seen.has(title.toLowerCase()) ? `${short} (${clock(nodes[i]!.start_s)})` : title
    for (let n = 2; seen.has(own.toLowerCase()); n++) own = `${short} (${n})`
    seen.add(own.toLowerCase())
    return own
  })
}

const compute = (words: readonly WordSpan[], nodes: readonly Span[]): string[] => {
  const stop = stopWordsFor(words.slice(0, 5000).flatMap((w) => wordsOf(w.word).map(normalise)))
  const english = stop === STOP_WORDS
  const everywhere = phrasesOf(words, 0, words.length, stop)
  const ranges = nodes.map((node) => rangeWithin(words, node))
  const candidates = ranges.map(([first, end], i) =>
    candidatesOf(i, phrasesOf(words, first, end, stop), everywhere, english),
  )
  const heads = chooseHeads(candidates)
  const titles = nodes.map((_, i) => {
    const chosen = heads[i]
    if (!chosen) return plainTitle(words, ...ranges[i]!)
    const head = widened(chosen, candidates[i]!)
    const others = candidates[i]!.filter((c) => !overlaps(c.phrase, head.phrase))
    const second = others.find((c) => c.score >= SECOND_SHARE * chosen.score)
    const parts = second ? [head, widened(second, others)] : [head]
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
