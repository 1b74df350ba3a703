import type { WordSpan } from "../../contracts/words.ts"
import { isFiller, STOP_WORDS, stopWordsFor } from "../../text/stop-words.ts"
import { normalise, wordsOf } from "../../text/tokens.ts"
import type { Span } from "../types.ts"
import { clock } from "./clock.ts"
import { bestForm, type Phrase, type PhraseCounts, phrasesOf } from "./phrases.ts"
import { rangeWithin } from "./window.ts"

export const MAX_TITLE = 120
/** How much a second and a third word make a phrase more telling. */
const LENGTH_FACTOR = [1, 1, 1.5, 1.6]
/** A second phrase joins the title when it scores this share of the first. */
const SECOND_SHARE = 0.45
const CANDIDATES = 24

/** Log-likelihood ratio of a count here against elsewhere (Dunning 1993); 0 when it is not commoner here. */
const logLikelihood = (here: number, totalHere: number, there: number, totalThere: number): number => {
  if (here * totalThere <= there * totalHere) return 0
  const rate = (here + there) / (totalHere + totalThere)
  const part = (k: number, n: number): number => (k > 0 ? k * Math.log(k / (n * rate)) : 0)
  return 2 * (part(here, totalHere) + part(there, totalThere))
}

type Candidate = { node: number; key: string; phrase: Phrase; score: number }

const candidatesOf = (node: number, here: PhraseCounts, everywhere: PhraseCounts): Candidate[] => {
  const totalThere = everywhere.total - here.total
  const list: Candidate[] = []
  for (const [key, phrase] of here.phrases) {
    if (phrase.stems.length > 1 && phrase.count < 2 && here.total > 40) continue
    const there = (everywhere.phrases.get(key)?.count ?? phrase.count) - phrase.count
    const contrast = totalThere > 0 ? logLikelihood(phrase.count, here.total, there, totalThere) : 0
    // Alone, or with nothing that tells it apart: what is said most.
    const score = (contrast + 0.2 * phrase.count) * LENGTH_FACTOR[phrase.stems.length]!
    list.push({ node, key, phrase, score })
  }
  list.sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
  return list.slice(0, CANDIDATES)
}

const overlaps = (a: Phrase, b: Phrase): boolean => a.stems.some((s) => b.stems.includes(s))

/** Gives every node its own head phrase: the highest scores choose first, and no two nodes get the same one. */
const chooseHeads = (candidates: readonly Candidate[][]): (Candidate | undefined)[] => {
  const heads: (Candidate | undefined)[] = candidates.map(() => undefined)
  const taken = new Set<string>()
  const all = candidates.flat().sort((a, b) => b.score - a.score || a.node - b.node)
  for (const c of all) {
    if (heads[c.node] || taken.has(c.key)) continue
    heads[c.node] = c
    taken.add(c.key)
  }
  return heads
}

/** The longer phrase around a head that is mostly spoken with it: "window" becomes "window highlighter". */
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

const clip = (title: string): string => {
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
    let own = title
    if (seen.has(own.toLowerCase())) own = `${title.slice(0, MAX_TITLE - 14).trimEnd()} (${clock(nodes[i]!.start_s)})`
    for (let n = 2; seen.has(own.toLowerCase()); n++) own = `${title.slice(0, MAX_TITLE - 14).trimEnd()} (${n})`
    seen.add(own.toLowerCase())
    return own
  })
}

/**
 * A title for each node of one level: the phrases that its words use more than the rest of the recording does, chosen
 * so that no two nodes share their first phrase. At most 120 characters, all distinct.
 */
export const titlesOf = (words: readonly WordSpan[], nodes: readonly Span[]): string[] => {
  const stop = stopWordsFor(words.slice(0, 5000).flatMap((w) => wordsOf(w.word).map(normalise)))
  const everywhere = phrasesOf(words, 0, words.length, stop)
  const ranges = nodes.map((node) => rangeWithin(words, node))
  const candidates = ranges.map(([first, end], i) => candidatesOf(i, phrasesOf(words, first, end, stop), everywhere))
  const heads = chooseHeads(candidates)
  const everyWord = stop === STOP_WORDS
  const titles = nodes.map((_, i) => {
    const chosen = heads[i]
    if (!chosen) return plainTitle(words, ...ranges[i]!)
    const list = candidates[i]!
    const head = widened(chosen, list)
    const second = list.find(
      (c) => !overlaps(c.phrase, head.phrase) && c.score >= SECOND_SHARE * chosen.score && c.score > 0.5,
    )
    const parts = [
      head,
      ...(second
        ? [
            widened(
              second,
              list.filter((c) => !overlaps(c.phrase, head.phrase)),
            ),
          ]
        : []),
    ]
    return clip(parts.map((c) => titleCase(bestForm(c.phrase), everyWord)).join(everyWord ? " and " : ", "))
  })
  return distinct(titles, nodes)
}
